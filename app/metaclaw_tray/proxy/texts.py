"""Text from clients and upstreams, made fit to be told.

aiohttp reads header bytes that are no UTF-8 as lone surrogates. No encoder takes those: neither the pipe to
the scribe nor JSON.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from metaclaw_tray.redact import find_secrets

_LABELS = 1024  # that are remembered, so that a conversation's own are looked through once


def encodable(text: str) -> str:
    """The text with each lone surrogate written out (`\\udce9`), so that two texts stay two."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


@lru_cache(_LABELS)
def label(text: str) -> str:
    """A client's name for something, as it may be kept and shown. One that holds a secret, put there by
    mistake, becomes a digest: two names stay two."""
    said = encodable(text)
    if not find_secrets(said):
        return said
    return f"secret-{blake2b(said.encode(), digest_size=8).hexdigest()}"
