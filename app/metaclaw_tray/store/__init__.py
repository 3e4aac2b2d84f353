"""The only truth: one SQLite file.

Tables, the migration ladder, named queries, and the scribe (the child process that alone writes turns).
Values enter through typed functions; no query stands outside this room.
"""
