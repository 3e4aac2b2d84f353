"""Conversations that are longer than the model's window: how upstreams say so.

Agents shorten their conversation when they are told so in the words they know, and give up otherwise.
"""

from __future__ import annotations

import re

_SAID = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context|max(?:imum)? model len"
    r"|context (?:length|size|window)|(?:prompt|input|request) is too (?:long|large)|too many tokens"
    r"|(?:reduce|shorten) the (?:length|prompt|input|messages)|input length (?:and|exceeds)",
    re.IGNORECASE,
)
_STATUSES = (400, 413, 422, 500)  # some servers and gateways do not say 400


def is_overflow(status: int, words: str) -> bool:
    """Whether an error's status and words (or its code) say that the conversation is too long."""
    return status in _STATUSES and _SAID.search(words) is not None
