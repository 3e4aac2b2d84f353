"""A request as the record needs it: each part is decoded where it is asked for, since most of a long
conversation is on the disk already."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.canonical import canonical
from metaclaw_tray.wire.dialect import Dialect, Sort, element_of
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.tree import Path, Reader

# What says nothing of how the model was asked, and is another one in each session.
_NO_SETTINGS = frozenset(
    {
        "system",
        "instructions",
        "metadata",
        "client_metadata",
        "user",
        "safety_identifier",
        "prompt_cache_key",
        "previous_response_id",
        "conversation",
    }
)

Body = dict[str, Any]


class Spoken:
    """The messages of a request, one for each node of its path."""

    def __init__(self, dialect: Dialect, request: Request, path: Path) -> None:
        self._dialect = dialect
        self._request = request
        self._path = path

    def __len__(self) -> int:
        return len(self._path.nodes)

    @property
    def size(self) -> int:
        """Bytes of all of it, as the client wrote it."""
        return sum(memoryview(item).nbytes for item in self._request.items)

    @property
    def system(self) -> str:
        """The client's instructions. Raises WireError."""
        return "\n\n".join(self._dialect.system_texts(self._request))

    @property
    def settings(self) -> dict[str, Raw]:
        """How the model was asked: the request less what was said, and by whom."""
        fields = self._request.fields.items()
        return {
            name: raw
            for name, raw in fields
            if name != self._dialect.conversation and name not in _NO_SETTINGS
        }

    def at(self, index: int) -> Body:
        """The message at a node, by its index in the path. Raises WireError."""
        position = self._path.positions[index]
        piece = self._dialect.piece(element_of(self._request.items[position]))
        if piece.sort is Sort.MODEL:
            return self._answer(position)
        lasting = [each for each in piece.messages if each.get("role") == "assistant" or canonical(each)]
        first = self._path.positions.index(position)
        return lasting[index - first]

    def _answer(self, last: int) -> Body:
        """The model's message that ends in this element."""
        parts: list[Body] = []
        for item in reversed(self._request.items[: last + 1]):
            element = element_of(item)
            if self._dialect.piece(element).sort is not Sort.MODEL:
                break
            parts.append(element)
        return self._dialect.answer_from(parts[::-1])


def read_request(
    reader: Reader, dialect: str, body: bytes, root: bytes, message_ids: list[bytes]
) -> Spoken | None:
    """What a request says; None where it cannot be read, or not as it was read when it went on.

    The ids may be others than those of the body's own messages: of one that was too long for the pipe the
    texts were shortened on the way.
    """
    speaks = DIALECTS[dialect]
    try:
        request = speaks.parse(body)
        path = reader.path(speaks, request, root)
    except (WireError, msgspec.DecodeError):
        return None  # it was forwarded all the same; the turn is kept without its text
    return Spoken(speaks, request, path) if len(path.ids) == len(message_ids) else None
