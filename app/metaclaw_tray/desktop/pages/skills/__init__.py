"""The page of skills: what waits for the person, what is in force and why, with a way back from everything.

Enters: the verbs of `admin.api` through the bridge. `page` puts it together; what is pure (`entries`,
`diffing`, `markdown`) knows no widget.
"""
