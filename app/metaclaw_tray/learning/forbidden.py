"""What no note may ask for: attempts on safety, permissions, secrecy or identity.

The patterns read small plain letters without accents (`unmask`), in six languages. They need not catch
everything: a note has to be backed by the person's own words besides. What they catch is refused even where
the person seems to have said it, unless it is only mentioned: quoted, or something to look out for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from metaclaw_tray.learning.orders import ATTEMPTS, NOT
from metaclaw_tray.learning.unmask import readings
from metaclaw_tray.learning.wording import either

_COMPILED = [(why, re.compile(pattern)) for why, patterns in ATTEMPTS.items() for pattern in patterns]

# "Never print passwords" asks for the opposite of what is looked for; so does "never do it without asking".
_RATHER = f"""
    {NOT} not refuse_to instead_of rather_than before(?:_you)? voordat bevor avant_de antes_de
"""
_AGAINST = re.compile(rf"(?:\b{either(_RATHER)}\b|不要|不得|禁止|不|之前)[^.!?。,;:\n]{{0,16}}$")
_NO = "do_not don'?t never no not without zonder niet nooit geen ohne nicht nie sans ne jamais sin nunca"
_NEGATED = re.compile(rf"\b{either(_NO)}\b|不|别|无需|未经")
_TWICE = re.compile(
    rf"\b{either(_NO)}\b[^.!?,;:\n]{{0,24}}\b"
    r"(?:skip|forget|omit|leave out|without|bypass|disable|zonder|ohne|sans|sin)\b"
)
_IN_SPITE = re.compile(r"\b(?:forget|fail|omit|hesitate|neglect|afraid)\b[^.!?\n]{0,6}$")
_WATCH = """
    flag report warn\\w* mark mention name note list point_out look_(?:out_)?for say_(?:so|when|where)
    phrases? such_as like noem meld markeer zoals melde nenne markiere signale[zr]? senala
"""
_LOOK_OUT = re.compile(rf"\b{either(_WATCH)}\b|[\"“„«'‘「]|指出|标出|例如")
_BEFORE = 60  # characters before a mention that tell that it is one


@dataclass(frozen=True)
class Attempt:
    """What a note must not ask for, and the words in which it does."""

    why: str
    words: str


def attempts(text: str, own: str) -> list[Attempt]:
    """What of a text is an attempt. `own`: what the person said themselves, by which it may be only a
    mention."""
    said = readings(own)
    found = {
        attempt.words: attempt
        for reading in readings(text)
        for attempt in _attempts(reading)
        if not _is_mention(reading, attempt.words, said)
    }
    return list(found.values())


def _attempts(plain: str) -> list[Attempt]:
    return [
        Attempt(why, match.group().strip())
        for why, pattern in _COMPILED
        for match in pattern.finditer(plain)
        if _is_meant(match.group(), plain[: match.start()])
    ]


def _is_meant(words: str, before: str) -> bool:
    """Whether these words are an order, and not the opposite of one."""
    if _NEGATED.search(words):
        return not _TWICE.search(words)
    return not _is_against(before)


def _is_against(before: str) -> bool:
    against = _AGAINST.search(before)
    return against is not None and not _IN_SPITE.search(before)


def _is_mention(plain: str, words: str, said: Sequence[str]) -> bool:
    """Whether the person used these very words themselves, and the note speaks of them rather than them."""
    at = plain.find(words)
    return any(words in each for each in said) and bool(_LOOK_OUT.search(plain, max(0, at - _BEFORE), at))
