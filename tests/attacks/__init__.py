"""Attacks on a running app, as a test and as a script: in `tests`, `python -m attacks.run URL [TOKEN]`.

Each attack is what a page, another host, a neighbour on the machine or a broken client could do. It tells how
often it tried and what it *got*; an app that is closed gives nothing.
"""
