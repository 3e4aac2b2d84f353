"""Text from clients and upstreams, made fit to be told.

Header bytes that are no UTF-8 are read as lone surrogates. No encoder takes those: neither the pipe to
the scribe nor JSON.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from metaclaw_tray.redact import find_secrets

_LABELS = 1024  # that are remembered, so that a conversation's own are looked through once
_LONGEST = 200  # characters of a name that are kept
_LOOKED_AT = 1000  # characters of a longer one that are searched: a secret that is cut in two is still seen


def encodable(text: str) -> str:
    """The text with each lone surrogate written out (`\\udce9`), so that two texts stay two."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def label(text: str) -> str:
    """A client's name for something, as it may be kept and shown. One that holds a secret, put there by
    mistake, becomes a digest, and one that is too long ends in one: two names stay two."""
    if len(text) <= _LONGEST:
        return _label(text)
    digest = _digest(text)
    beginning = encodable(text[:_LOOKED_AT])
    if find_secrets(beginning):
        return f"secret-{digest}"
    return f"{beginning[: _LONGEST - len(digest) - 1]}-{digest}"


@lru_cache(_LABELS)
def _label(text: str) -> str:
    said = encodable(text)
    return f"secret-{_digest(text)}" if find_secrets(said) else said


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()
