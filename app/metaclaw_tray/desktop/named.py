"""What things are called in the window that the app calls by keys."""

from __future__ import annotations


def titled(name: str) -> str:
    """A skill's name as words: `unambiguous-dates` is "Unambiguous dates"."""
    return name.replace("-", " ").capitalize()
