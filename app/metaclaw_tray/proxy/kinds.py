"""Main turns and side turns: who works for the person, and who for the client."""

from __future__ import annotations

from typing import Literal

from metaclaw_tray.proxy.clients import Says
from metaclaw_tray.wire.dialect import Dialect
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.tree import Path

Kind = Literal["main", "side"]

# How known clients ask for titles and summaries. A wrong guess costs a lesson, never an answer.
_SIDE_WORDS = ("CRITICAL: Respond with TEXT ONLY", "You are performing a CONTEXT CHECKPOINT COMPACTION")
_SIDE_SYSTEM = ("You are a title generator", "naming a coding session")
_BEGINNING = 500  # characters of the system text in which its errand is said


def kind_of(said: str, dialect: Dialect, request: Request, path: Path, says: Says) -> Kind:
    """The kind of a turn: what X-Turn-Type says, else the client, else what the request looks like.

    Raises WireError where the system text cannot be read.
    """
    if said:
        match said.strip().lower():
            case "main":
                return "main"
            case "side":
                return "side"
    if says.side or not (path.openings or path.before or path.resumed):
        return "side"
    if path.ends_with_the_person and path.words.startswith(_SIDE_WORDS):
        return "side"
    for text in dialect.system_texts(request):
        if any(text.find(words, 0, _BEGINNING) >= 0 for words in _SIDE_SYSTEM):
            return "side"
    return "main"
