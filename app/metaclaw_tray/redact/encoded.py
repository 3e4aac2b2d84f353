"""Keys of a known shape that were written in base64, as Kubernetes and `Basic` do."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from typing import Final

_RUN = re.compile(r"[A-Za-z0-9+/_-]{24,400}={0,2}")
_ALTERNATIVE: Final = str.maketrans("-_", "+/")


def beginning(literal: str) -> str:
    """With what every text in base64 begins that begins with this literal."""
    return b64encode(literal.encode()).decode()[: len(literal) * 8 // 6]


def decoded(text: str, start: int) -> tuple[int, str] | None:
    """Where the run in base64 ends that begins at `start`, and what it says, if that is plain text."""
    found = _RUN.match(text, start)
    if found is None:
        return None
    letters = found[0].rstrip("=").translate(_ALTERNATIVE)
    try:
        plain = b64decode(letters + "=" * (-len(letters) % 4), validate=True)
    except (NotBase64, ValueError):
        return None
    return (found.end(), plain.decode()) if plain.isascii() else None
