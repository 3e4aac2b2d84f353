"""The values of the headers `Authorization` and `Cookie`, on a line of their own or in a piece of code."""

from __future__ import annotations

import re
from typing import Final

from metaclaw_tray.redact.opacity import opaque, pronounceable, turns_within
from metaclaw_tray.redact.runs import BARE, JUDGED, looks_chosen, run_end
from metaclaw_tray.redact.spans import Span
from metaclaw_tray.redact.verdict import is_placeholder

_SCHEME = re.compile(
    r"(?i)[ \t]*(?:bearer|basic|token|apikey|api-key|digest|negotiate|key|bot|splunk)[ \t=:]{1,4}"
)
_SESSION = re.compile(r"(?i)sess|sid\Z|token|auth|csrf|xsrf|jwt|login|remember")
_SESSION_LENGTH: Final = 10  # characters below which it is an example of a document
_COOKIE = re.compile(r"(?:[\w.%-]{1,64}=[^\s;\"'\\]{0,1024}(?:;[ \t]{0,2}|(?=[\s\"'\\]|\Z))){1,64}")


def authorization(text: str, joined: re.Match[str]) -> Span | None:
    """`Authorization: Basic …`: the scheme stays."""
    start = joined.end()
    scheme = _SCHEME.match(text, start)
    if scheme:
        start = scheme.end()
    found = BARE.match(text, start, start + JUDGED)
    if found is None or (not text.isascii() and not found[0].isascii()):
        return None
    value = found[0]
    if is_placeholder(value) or len(value) < 6 or text[found.end() : found.end() + 1] in ("(", "[", "{"):
        return None
    if not scheme and not (looks_chosen(value) if joined["sep"] else opaque(value, 16)):
        return None
    if value.isalpha() and (len(value) < 12 or (value.islower() and pronounceable(value))):
        return None
    return Span(start, run_end(BARE, text, found.end()), "bearer" if _is_bearer(scheme) else "authorization")


def _is_bearer(scheme: re.Match[str] | None) -> bool:
    return scheme is not None and scheme[0].strip().lower().startswith("bearer")


def cookies(text: str, joined: re.Match[str]) -> Span | None:
    """All of a `Cookie:` line, where one of its values may open something."""
    found = _COOKIE.match(text, joined.end()) if joined["sep"] == ":" else None
    if found is None:
        return None
    if not any(_opens(*each.partition("=")[::2]) for each in found[0].split(";")):
        return None
    return Span(joined.end(), found.end(), "cookie")


def _opens(name: str, value: str) -> bool:
    """Whether a cookie may open something: by its name, or because nobody would write it."""
    if opaque(value, 10):
        return True
    if len(value) < _SESSION_LENGTH or is_placeholder(value) or not _SESSION.search(name):
        return False
    return not value.isalpha() or turns_within(value) > 0 or len(value) > _SESSION_LENGTH
