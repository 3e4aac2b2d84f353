"""The page about training: how it stands and why, its windows, its jobs, and what came of them."""
