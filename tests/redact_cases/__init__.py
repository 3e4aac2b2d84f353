"""Texts in which secrets are planted, and honest ones that only look as if they held some."""
