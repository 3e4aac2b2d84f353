"""What a verdict, or the person's thumb, says about an exchange: the pieces that are kept beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metaclaw_tray.store.learning import Piece, Ruling
from metaclaw_tray.store.turns import Conversation
from metaclaw_tray.wire.said import is_persons, persons_text

PERSON, MODEL = "person", "model"


def said_next(next_state: Sequence[dict[str, Any]]) -> str:
    """What the person said to an answer; empty where the next state holds no words of theirs."""
    return "\n".join(persons_text(message) for message in next_state if is_persons(message)).strip()


def pieces_of(ruling: Ruling, told: Conversation) -> list[Piece]:
    """The evidence that lies in a verdict and in the words it was given for."""
    said = said_next(told.next_state)
    pieces = []
    if ruling.score is not None:
        pieces.append(Piece("verdict", ruling.score, MODEL, ruling.reason))
    if said and ruling.score == -1:
        pieces.append(Piece("correction", -1, PERSON, said))
    if said and ruling.score == 1:
        pieces.append(Piece("thanks", 1, PERSON, said))
    if ruling.instruction:
        pieces.append(Piece("instruction", -1, PERSON, ruling.instruction))
    return pieces


def pieces_of_thumb(up: bool, note: str) -> list[Piece]:
    """The evidence that lies in a thumb. A note with it is the person's own words, as good as a reply."""
    value = 1 if up else -1
    pieces = [Piece("feedback", value, PERSON, note)]
    if note:
        pieces.append(Piece("thanks" if up else "correction", value, PERSON, note))
    return pieces
