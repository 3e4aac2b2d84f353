"""Small things done to the texts of a SKILL.md, in reading and in writing."""

from __future__ import annotations

import json
import re

# Control characters, breaks that only some programs know, halves of surrogate pairs, byte order marks.
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_WORD_LOST = 200  # characters that a cut may go back to end with a whole word


def printable(text: str) -> str:
    """The text with line feeds as its only breaks, and a space for each character that cannot be shown."""
    return UNPRINTABLE.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))


def trim(body: str) -> str:
    """A body without blank lines at its ends."""
    return body.strip("\n").rstrip()


def flat(value: object) -> str:
    """A value as text: itself, or JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def first_paragraph(body: str) -> str:
    """The first text that is no heading, on one line; empty where there is none."""
    for paragraph in re.split(r"\n\s*\n", body):
        text = " ".join(line for line in paragraph.split("\n") if not line.startswith("#")).strip()
        if text:
            return text
    return ""


def cut(text: str, limit: int) -> tuple[str, str]:
    """At most `limit` characters of the text, and what is left; between words where that costs little."""
    if len(text) <= limit:
        return text, ""
    space = max(text.rfind(" ", 0, limit), text.rfind("\n", 0, limit))
    at = space if space > max(0, limit - _WORD_LOST) else limit
    return text[:at].rstrip(), text[at:].lstrip()
