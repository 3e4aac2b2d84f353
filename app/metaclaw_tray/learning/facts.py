"""One-off facts in a note: numbers, dates and names that only one record holds, and that the person did not
ask for. A rule is for other requests; what is true of one of them has no place in it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from metaclaw_tray.learning.language import language_of

_NUMBER = re.compile(r"(?<![\w.,:/-])(?=[\w.,:/-]*\d[\w.,:/-]*\d)[\w.,:/-]*\w")  # with two digits at least
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z\u00e0-\u024f]+(?: [A-Z][a-z\u00e0-\u024f]+)*")
_NOUNS_ARE_LARGE = ("de", "")  # languages in which a capital letter tells nothing, or nobody knows


def one_off(told: Sequence[str], demand: str, records: Sequence[str]) -> str:
    """The first fact in these sentences that one record alone holds; empty where there is none. `demand`:
    what the person said about the answers; `records`: all else that was said in each."""
    text = "\n".join(told)
    facts: list[str] = _NUMBER.findall(text)
    if language_of(text) not in _NOUNS_ARE_LARGE:
        facts += _NAME.findall(text)
    wanted = demand.casefold()
    for fact in facts:
        holding = sum(fact in record for record in records)
        if fact.casefold() not in wanted and holding == 1:
            return fact
    return ""
