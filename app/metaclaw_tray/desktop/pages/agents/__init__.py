"""Agents: who may ask through this app, how each is pointed at it and back, and when it was last seen."""
