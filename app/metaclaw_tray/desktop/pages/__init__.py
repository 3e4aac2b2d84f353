"""The pages of the window, one file or folder each. They ask by verbs, and know nothing else of the app."""
