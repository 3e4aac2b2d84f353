"""The page that says how the day went, what waits and when the next window is; earlier days by arrows."""
