"""Real clients, installed from their registry, through the app to a scripted vendor."""
