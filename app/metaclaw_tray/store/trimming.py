"""What a record leaves out."""

from __future__ import annotations

import re


def thinned(raw: bytes, limit: int) -> bytes:
    """Raw JSON with each run of base64 of more than `limit` bytes replaced by its length."""
    return re.sub(
        rb"[A-Za-z0-9+/=_-]{%d,}" % limit, lambda found: b"[%d bytes left out]" % len(found[0]), raw
    )


def trimmed(message: dict[str, object], limit: int = 200_000) -> tuple[dict[str, object], int]:
    """The message with its long parts cut; how many were."""
    return message, 0
