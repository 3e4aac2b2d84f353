"""Main turns and side turns: who works for the person, and who for the client."""

from __future__ import annotations

from typing import Literal

from metaclaw_tray.proxy.clients import Says
from metaclaw_tray.wire.tree import Path

Kind = Literal["main", "side"]


def kind_of(said: str, path: Path, says: Says) -> Kind:
    """The kind of a turn: what X-Turn-Type says, else the client, else the path.

    Where nobody says otherwise a turn is the person's, if the person has spoken in it or before it: an agent
    that is not known shall be learnt from too. A wrong guess costs a lesson, never an answer.
    """
    match said.strip().lower():
        case "main":
            return "main"
        case "side":
            return "side"
    spoken = path.openings or path.before or path.resumed
    return "side" if says.side or path.errand or not spoken else "main"
