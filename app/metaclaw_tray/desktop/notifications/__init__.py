"""What the person is told while they look elsewhere.

Enters: the answers of `notifications.list`, by which the app says what is due. `wording` finds the words,
`notifier` speaks with the desktop's notification server on a thread of its own, and `teller` brings the two
together and says to the app what was shown.
"""
