"""Skills: short instructions in the Agent Skills format, and how the right ones are found and shown.

SKILL.md in and out, the in-memory lookup, the injected block, review, and the folder that mirrors the store.
Nothing here calls a model, and nothing on the way from a request to its block does I/O.
"""
