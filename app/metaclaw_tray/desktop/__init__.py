"""Everything Qt: the tray and its window, a child process of the app.

Enters: the verbs of `admin.api`, asked through the `bridge`, and the structs of `admin.window`. Nothing here
opens the store, a socket or the keyring, and nothing else imports Qt.
"""
