"""What the demonstration asks, and how code grades the answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

SYSTEM = "You are a helpful assistant in a small office. Answer in one or two short sentences."

OPENING = "What does a monthly ticket for the tram cost? It costs 62 euros."
CORRECTION = (
    "No, not like that. Always write amounts of money with the currency code first and two decimals, "
    "like EUR 12.00. Please write it again."
)
THANKS = "Thank you, that is how I want it."

_AMOUNT = re.compile(r"\b(?:EUR|USD|GBP) \d+\.\d{2}\b")


@dataclass(frozen=True)
class Case:
    """One request that the model has not seen, and what makes its answer right."""

    request: str
    right: Callable[[str], bool]


def amounts(answer: str) -> list[str]:
    """The amounts that an answer gives in the form that was asked for."""
    return _AMOUNT.findall(answer)


def gives(amount: str) -> Callable[[str], bool]:
    """Right where the answer gives this very amount in that form."""
    return lambda answer: amount in amounts(answer)


def says(word: str) -> Callable[[str], bool]:
    """Right where the answer holds the word and no amount of money has crept in."""
    return lambda answer: word.casefold() in answer.casefold() and not amounts(answer)


SAME_KIND = (
    Case("What does a coffee cost at the station? It costs 3 euros.", gives("EUR 3.00")),
    Case("Tell Ben the rent of the flat: 950 euros a month.", gives("EUR 950.00")),
    Case("Write one sentence: the repair of the bicycle costs 45 euros.", gives("EUR 45.00")),
    Case("What is the price of the book? It is 18 dollars.", gives("USD 18.00")),
    Case("Write a short notice: a ticket for the concert costs 27 euros.", gives("EUR 27.00")),
    Case("Answer the customer: the delivery costs 6 pounds.", gives("GBP 6.00")),
)
"""Requests of the kind that the person corrected."""

OTHER_KIND = (
    Case("What is 17 + 25? Answer with the number only.", says("42")),
    Case("Translate into French: good morning.", says("bonjour")),
    Case("Which planet is called the Red Planet?", says("Mars")),
    Case("How many days has a week?", lambda answer: bool(re.search(r"\b(7|seven)\b", answer.lower()))),
)
"""Requests that the skill must leave alone."""
