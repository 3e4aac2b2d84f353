"""Upstreams that refuse a conversation because thoughts of their model are missing in it."""

from __future__ import annotations

import re
from typing import Any

from metaclaw_tray.wire.answer import error_words
from metaclaw_tray.wire.translation.reading import object_of, written

REMEDY = (
    "MetaClaw Tray puts back the reasoning that it remembers, and has none for some answer in this "
    "conversation: another model or upstream gave it, or it was given too long ago, was forgotten, or is not "
    "as it was any more. Begin a new conversation, or switch the model's thinking off."
)

_STATUSES = (400, 422)
# DeepSeek: "The `reasoning_content` in the thinking mode must be passed back to the API."
# Moonshot: "thinking is enabled but reasoning_content is missing in assistant tool call message"
_SAID = re.compile(
    r"\breasoning_content\b.{0,80}\b(?:must|missing|required|needs?|passed back)\b"
    r"|\b(?:must|missing|requires?|needs?)\b.{0,80}\breasoning_content\b",
    re.IGNORECASE | re.DOTALL,
)


def explained(status: int, body: bytes) -> bytes:
    """An upstream's error. One that misses thoughts says in addition what a person can do."""
    if status not in _STATUSES or b"reasoning_content" not in body:
        return body
    value = object_of(body)
    error: Any = None if value is None else value.get("error") or value.get("detail") or value
    words = error_words(error) if error is not None else body[:500].decode("utf-8", "replace").strip()
    if not _SAID.search(words):
        return body
    fields = error if isinstance(error, dict) else {}
    return written({"error": {**fields, "message": f"{words} {REMEDY}"}})
