"""Text from headers, made fit to be told.

aiohttp reads header bytes that are no UTF-8 as lone surrogates. No encoder takes those: neither the pipe to
the scribe nor JSON.
"""

from __future__ import annotations


def encodable(text: str) -> str:
    """The text with each lone surrogate written out (`\\udce9`), so that two texts stay two."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
