"""One-off facts in a note: numbers, dates and names that only one record holds, and that the person did not
ask for. A rule is for other requests; what is true of one of them has no place in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from metaclaw_tray.learning.language import language_of

_NUMBER = re.compile(r"(?<![\w.,:/-])(?=[\w.,:/-]*\d[\w.,:/-]*\d)[\w.,:/-]*\w")  # with two digits at least
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z\u00e0-\u024f]+(?: [A-Z][a-z\u00e0-\u024f]+)*")
_NOUNS_ARE_LARGE = ("de", "")  # languages in which a capital letter tells nothing, or nobody knows


@dataclass(frozen=True)
class Told:
    """What one record says: what was asked and answered, and what the person said about the answer."""

    asked: str  # the request, with all that was handed over
    answered: str
    demand: str


def one_off(told: Sequence[str], records: Sequence[Told]) -> str:
    """The first fact in these sentences that one record alone holds; empty where there is none.

    What the person asks for is no such fact, be it a name or a number. But where several records teach, what
    stands in the request of one of them, and in the remark on that one alone, is of that request: they named
    it because it was asked about.
    """
    text = "\n".join(told)
    facts: list[str] = _NUMBER.findall(text)
    if language_of(text) not in _NOUNS_ARE_LARGE:
        facts += _NAME.findall(text)
    folded = [
        Told(*(part.casefold() for part in (each.asked, each.answered, each.demand))) for each in records
    ]
    return next((fact for fact in facts if _is_of_one(fact.casefold(), folded)), "")


def _is_of_one(fact: str, records: Sequence[Told]) -> bool:
    wanted = [each for each in records if fact in each.demand]
    if not wanted:
        return sum(fact in each.asked or fact in each.answered for each in records) == 1
    asked = [each for each in records if fact in each.asked]
    return len(records) > 1 and len(wanted) == 1 and asked == wanted
