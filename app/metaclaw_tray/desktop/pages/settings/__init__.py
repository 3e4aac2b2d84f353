"""Settings: built from the declared ones, with models, privacy and the like as sections of their own."""
