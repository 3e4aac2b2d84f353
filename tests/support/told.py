"""What a request says, read from its beginning to its end: the slow way, which `Reader` must agree with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metaclaw_tray.wire.canonical import canonical
from metaclaw_tray.wire.dialect import Dialect, Piece, Sort, element_of
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.said import Message


def steps(dialect: Dialect, request: Request) -> Iterator[tuple[int, Piece]]:
    """The elements that are no system text, each with its index; the model's parts are put together, and
    stand at the last one's index. Raises WireError for what is no object."""
    parts: list[dict[str, Any]] = []
    last = 0
    for index, item in enumerate(request.items):
        element = element_of(item)
        piece = dialect.piece(element)
        if piece.sort is Sort.MODEL:
            parts.append(element)
            last = index
            continue
        if parts:
            yield last, Piece(Sort.SAID, [dialect.answer_from(parts)])
            parts = []
        if piece.sort is Sort.SAID:
            yield index, piece
    if parts:
        yield last, Piece(Sort.SAID, [dialect.answer_from(parts)])


def conversation(dialect: Dialect, request: Request) -> list[Message]:
    """The messages of a request, one for each node of its path. Raises WireError."""
    return [
        message
        for _, piece in steps(dialect, request)
        for message in piece.messages
        if message.get("role") == "assistant" or canonical(message)
    ]
