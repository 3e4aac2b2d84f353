"""The tray: an icon that says how the app is, and a menu for what the person came for.

Enters: the answer of `tray.show`, kept so that the menu opens without waiting (`facts`). The menu is first
made as plain entries (`entries`), then brought onto the screen (`menu`); what an entry does are verbs
(`actions`). `hosts` knows whether there is a tray to be in.
"""
