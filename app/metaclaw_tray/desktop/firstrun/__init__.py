"""The first steps: a model, an agent, what it may do, and a request that is seen.

Each can be skipped, and the next start goes on where they were left.
"""
