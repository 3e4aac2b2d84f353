"""Pieces that several rules read: a run without quotes, a text between quotes, the end of either."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, Protocol

from metaclaw_tray.redact.names import Promise
from metaclaw_tray.redact.verdict import Form

JUDGED: Final = 256  # characters of a value that are looked at before it is known to be a secret

BARE = re.compile(r"""[^\s"'`,;(){}<>|&\\\[\]]+(?:\\(?![nrtu"'\\])[^\s"'`,;(){}<>|&\\\[\]]*)*""")
_QUOTED = {
    '"': re.compile(r'[^"\\\n]*(?:\\.[^"\\\n]*)*'),
    "'": re.compile(r"[^'\\\n]*(?:\\.[^'\\\n]*)*"),
    "`": re.compile(r"[^`\n]*"),
}
_ESCAPED = {'"': re.compile(r'[^"\\\n]*'), "'": re.compile(r"[^'\\\n]*")}


class Judge(Protocol):
    """Says whether a value is a secret, as `verdict.is_secret` does."""

    def __call__(self, promise: Promise, form: Form, value: str, /) -> bool: ...


def between(quote: str) -> re.Pattern[str]:
    """What may stand between two of these quotes, which may themselves be escaped."""
    return (_ESCAPED if quote[0] == "\\" else _QUOTED)[quote[-1]]


def run_end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where the run that reaches to this position ends."""
    found = pattern.match(text, position)
    return found.end() if found else position


def looks_chosen(value: str) -> bool:
    """Whether somebody chose it who was told to use digits."""
    return any(letter.isdigit() for letter in value) and not any(letter.isspace() for letter in value)


def mixed(value: str) -> bool:
    """Whether a capital or a sign stands right behind a small letter, as in no word of a language."""
    return len(value) >= 6 and any(
        first.islower() and (second.isupper() or second in "#$%&*+=@^~") for first, second in pairwise(value)
    )
