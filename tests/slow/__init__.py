"""Tests that take minutes: kills, the real model, attacks."""
