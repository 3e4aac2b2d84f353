"""Main turns and side turns: who works for the person, and who for the client."""

from __future__ import annotations

from typing import Literal

from metaclaw_tray.wire.chat import ChatRequest, is_system, texts_of
from metaclaw_tray.wire.tree import Path

Kind = Literal["main", "side"]

# How known clients ask for titles and summaries. A wrong guess costs a lesson, never an answer.
_SIDE_WORDS = ("CRITICAL: Respond with TEXT ONLY", "You are performing a CONTEXT CHECKPOINT COMPACTION")
_SIDE_SYSTEM = ("You are a title generator", "naming a coding session")
_BEGINNING = 500  # characters of the system text in which its errand is said


def kind_of(said: str, request: ChatRequest, path: Path) -> Kind:
    """The kind of a turn: what the client says in X-Turn-Type, else what its request looks like."""
    if said:
        match said.strip().lower():
            case "main":
                return "main"
            case "side":
                return "side"
    if path.opening < 0:
        return "side"
    if path.ends_with_the_person and path.words.startswith(_SIDE_WORDS):
        return "side"
    for message in request.messages:
        if is_system(message) and any(
            text.find(words, 0, _BEGINNING) >= 0 for text in texts_of(message) for words in _SIDE_SYSTEM
        ):
            return "side"
    return "main"
