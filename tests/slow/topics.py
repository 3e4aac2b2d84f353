"""Things to talk about: enough of them that no two rules of a long test resemble each other."""

from __future__ import annotations

import random

_KINDS = [
    "kettles",
    "bridges",
    "letters",
    "orchards",
    "engines",
    "recipes",
    "lighthouses",
    "invoices",
    "violins",
]
_PLACES = [
    "Utrecht",
    "Lisbon",
    "Tromso",
    "Kyoto",
    "Quito",
    "Dakar",
    "Hobart",
    "Tallinn",
    "Cusco",
    "Leipzig",
    "Porto",
]
_RULES = [
    "Always give the weight of {} in kilograms.",
    "Never leave out the year in which {} were made.",
    "Always name the owner of {} first.",
    "Always write the length of {} in metres with one decimal.",
    "Never shorten the names of {}.",
    "Always say which colour {} have.",
    "Always count {} in dozens.",
    "Never mention {} without their price in euro.",
]


def rule_about(rng: random.Random) -> tuple[str, str]:
    """A topic, and the rule that a person may have for it."""
    topic = f"{rng.choice(_KINDS)} from {rng.choice(_PLACES)}"
    return topic, rng.choice(_RULES).format(topic)
