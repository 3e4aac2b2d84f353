"""The embedded model: what to fetch and from where, fetching it, serving it in a child process, and what is
offered before anything is fetched.

Enters: paths and a yes. Leaves: a file that was verified, and a loopback address with a key that opens it.
"""
