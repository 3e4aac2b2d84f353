"""All rules on one text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from metaclaw_tray.redact.commands import commanded
from metaclaw_tray.redact.keywords import HINTS, announced
from metaclaw_tray.redact.phrases import HINTS as PHRASES
from metaclaw_tray.redact.phrases import phrased
from metaclaw_tray.redact.places import placed
from metaclaw_tray.redact.services import HINTS as SERVICES
from metaclaw_tray.redact.services import served
from metaclaw_tray.redact.shapes import LITERALS, shaped
from metaclaw_tray.redact.spans import Span, folded, mark, united

_SHORTEST: Final = 8  # characters in which a secret and what gives it away have room
_ROUNDS: Final = 8
_BRIEF: Final = 2048  # characters up to which one look tells that there is nothing to look for
_HINTS: Final = {
    *HINTS,
    *LITERALS,
    *PHRASES,
    *SERVICES,
    "://",
    "/a/",
    "private",
    "sig=",
    "identified",
    ":5432:",
    "basic",
    "$2",
    "$apr1$",
    "$argon2",
    "$y$",
    "$5$",
    "$6$",
    ":aa",
    "q~",
}
_OPTIONS: Final = {"-u", "--", "-a ", "-p", "-w ", "-b "}
_HINT = re.compile("|".join(map(re.escape, sorted(_HINTS | _OPTIONS))))
_RUN = re.compile("[A-Za-z0-9_-]{15}")
_PICTURE: Final = 2048  # characters from which on base64 alone is a file, not a key
_BASE64 = re.compile(r"(?:data:[\w.+/;=-]{1,100},)?[A-Za-z0-9+/\r\n]+={0,2}\s*\Z")


def redact_text(text: str) -> tuple[str, int]:
    """The text without its secrets, and how many there were. Redacting twice changes nothing more."""
    count = 0
    for _ in range(_ROUNDS):  # what is left may read otherwise once a part of it is gone
        spans = _spans(text)
        if not spans:
            break
        count += len(spans)
        text = "".join(_replaced(text, spans))
    return text, count


def find_secrets(text: str) -> list[str]:
    """What kinds of secrets the text holds, in the order in which they stand."""
    return [span.kind for span in _spans(text)]


def _spans(text: str) -> list[Span]:
    if len(text) < _SHORTEST or (len(text) > _PICTURE and _BASE64.match(text)):
        return []
    if len(text) <= _BRIEF and not _RUN.search(text) and not _HINT.search(text.lower()):
        return []
    small = folded(text)
    found = [*shaped(text), *placed(text), *phrased(text, small), *served(text, small)]
    return united([*found, *commanded(text), *announced(text, small)])


def _replaced(text: str, spans: list[Span]) -> Iterator[str]:
    position = 0
    for span in spans:
        yield text[position : span.start]
        yield mark(span.kind)
        position = span.end
    yield text[position:]
