"""The door for the person's own commands: a private Unix socket that is also the single-instance check.

`api` says what can be asked, `server` and `client` are its two ends, `consent` asks a person at a terminal
for a typed code, and `connecting` is what both a running app and a command on its own do to upstreams,
agents and secrets.
"""
