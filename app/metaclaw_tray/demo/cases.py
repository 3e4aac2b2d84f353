"""What the demonstration asks, and how code grades the answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

SYSTEM = "You are a helpful assistant in a small office. Answer in one or two short sentences."

OPENING = "Write one sentence for Chloe: her train leaves on 24 December 2026 at 07:05 in London (UTC+0)."
CORRECTION = (
    "No, not like that. Always write dates and times as ISO 8601 with the offset, "
    "like 2026-03-03T21:30:00+01:00. Please write it again."
)
THANKS = "Thank you, that is how I want it."

_STAMP = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})")


@dataclass(frozen=True)
class Case:
    """One request that the model has not seen, and what makes its answer right."""

    request: str
    right: Callable[[str], bool]


def stamps(answer: str) -> list[datetime]:
    """The moments that an answer gives as ISO 8601 with an offset."""
    found = []
    for text in _STAMP.findall(answer):
        try:
            found.append(datetime.fromisoformat(text))
        except ValueError:
            continue  # such as a thirteenth month
    return found


def gives(moment: str) -> Callable[[str], bool]:
    """Right where the answer gives this very moment, as ISO 8601 with an offset."""
    wanted = datetime.fromisoformat(moment)
    return lambda answer: wanted in stamps(answer)


def says(word: str) -> Callable[[str], bool]:
    """Right where the answer holds the word and no time stamp has crept in."""
    return lambda answer: word.casefold() in answer.casefold() and not stamps(answer)


SAME_KIND = (
    Case(
        "Write one sentence for Emma: her flight to Rome departs on 5 May 2026 at 06:40 in Dublin (UTC+1).",
        gives("2026-05-05T06:40:00+01:00"),
    ),
    Case(
        "Write a log line: the backup finished on 1 November 2026 at 18:00 in New York (UTC-5).",
        gives("2026-11-01T18:00:00-05:00"),
    ),
    Case(
        "Answer the customer: the parcel arrives on 17 July 2026 at 11:20 in Madrid (UTC+2).",
        gives("2026-07-17T11:20:00+02:00"),
    ),
    Case(
        "Remind the team: the release call is on 9 October 2026 at 16:00 in Tokyo (UTC+9).",
        gives("2026-10-09T16:00:00+09:00"),
    ),
    Case(
        "Confirm to Ben that the maintenance window starts on 12 June 2026 at 21:45 in Berlin (UTC+2).",
        gives("2026-06-12T21:45:00+02:00"),
    ),
    Case(
        "Write a short notice: the shop reopens on 3 March 2026 at 14:30 in Amsterdam (UTC+1).",
        gives("2026-03-03T14:30:00+01:00"),
    ),
)
"""Requests of the kind that the person corrected."""

OTHER_KIND = (
    Case("What is 17 + 25? Answer with the number only.", says("42")),
    Case("Translate into French: good morning.", says("bonjour")),
    Case("Which planet is called the Red Planet?", says("Mars")),
    Case(
        "Write the word banana in capital letters.",
        lambda answer: "BANANA" in answer and not stamps(answer),
    ),
)
"""Requests that the skill must leave alone."""
