"""What the dialects have in common: one conversation, however it is written.

A dialect brings each element of a request to *messages* in one form, the shape of chat completions, so that
tree, record and learning need not know what was spoken. The elements themselves are never changed by that:
blocks are put into the raw JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, ClassVar

import msgspec
from msgspec import Raw, Struct

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer import Answer
from metaclaw_tray.wire.request import Request, decode, decode_fields, parse
from metaclaw_tray.wire.said import SYSTEM_ROLES, Message, texts_of
from metaclaw_tray.wire.splice import Block, joined, put_back

HEAD = -1
"""The place of a block behind the client's own system text."""


class Sort(Enum):
    """What an element of a request is."""

    SYSTEM = auto()  # the client's instructions: no part of the conversation
    SAID = auto()  # one message or several
    MODEL = auto()  # a part of the model's answer, which goes on in the next element


class Piece(Struct, frozen=True, gc=False):
    """One element, read."""

    sort: Sort
    messages: list[Message]


@dataclass(slots=True)
class Draft:
    """A request that is being changed."""

    request: Request
    fields: dict[str, Raw]
    items: list[Raw]


class Dialect:
    """One wire protocol. Subclasses say where things stand in it."""

    name: ClassVar[str]
    conversation: ClassVar[str]  # the field that holds the conversation

    def parse(self, body: bytes) -> Request:
        """Read a request. Raises WireError for anything that is none."""
        return parse(body, self.conversation)

    def piece(self, element: dict[str, Any]) -> Piece:
        """Bring one decoded element to messages."""
        raise NotImplementedError

    def answer_from(self, pieces: Sequence[dict[str, Any]]) -> Message:
        """The model's message of elements that belong together."""
        raise NotImplementedError

    def system_texts(self, request: Request) -> list[str]:
        """The client's instructions, in order. Raises WireError."""
        raise NotImplementedError

    def has_system(self, request: Request) -> bool:
        """Whether the client sends system text of its own, behind which a block can stand."""
        raise NotImplementedError

    def assemble(self, body: bytes, content_type: str) -> Answer:
        """Read a whole answer, or as much of it as came, free of content encodings. Never raises."""
        raise NotImplementedError

    def inject(self, request: Request, blocks: Sequence[Block], model: str | None) -> bytes:
        """The request's bytes with each block in its place, and `model` in place of the model's name.

        Raises WireError where a message takes no block.
        """
        draft = Draft(request, dict(request.fields), list(request.items))
        for place, text in blocks:
            if place != HEAD:
                draft.items[place] = self._with_block(draft.items[place], text)
        for place, text in blocks:
            if place == HEAD:  # last, since it may move the others
                self._put_head(draft, text)
        if blocks:
            draft.fields[self.conversation] = put_back(draft.items, request)
        return joined(draft.fields, model, request.mask)

    def _with_block(self, item: Raw, text: str) -> Raw:
        raise NotImplementedError

    def _put_head(self, draft: Draft, text: str) -> None:
        """Asked for only where `has_system`."""
        raise NotImplementedError


def element_of(item: Raw) -> dict[str, Any]:
    """An element of a conversation, decoded. Raises WireError for what is no object."""
    try:
        element = decode(item)
    except (msgspec.DecodeError, RecursionError) as error:
        raise WireError(f"the request cannot be read: {error}") from error
    if not isinstance(element, dict):
        raise WireError("an element of the conversation is no object")
    return element


def fields_of(item: Raw) -> dict[str, Raw]:
    """The fields of an element, unread. Raises WireError for what is no object."""
    try:
        return decode_fields(item)
    except (msgspec.DecodeError, RecursionError) as error:
        raise WireError(f"the request cannot be read: {error}") from error


def role_of(item: Raw) -> Any:
    """Whose element it is, without reading the rest. Raises WireError for what is no object."""
    return role_in(fields_of(item))


def role_in(fields: dict[str, Raw]) -> Any:
    """Whose element it is that has these fields. Raises WireError where that cannot be read."""
    role = fields.get("role")
    try:
        return None if role is None else decode(role)
    except (msgspec.DecodeError, RecursionError) as error:
        raise WireError(f"the request cannot be read: {error}") from error


def system_elements(request: Request) -> Iterator[dict[str, Any]]:
    """The elements that hold the client's instructions. Raises WireError for what is no object."""
    return (element_of(item) for item in request.items if role_of(item) in SYSTEM_ROLES)


def texts_in(value: Any) -> list[str]:
    """The texts of a field that is one text or a list of parts."""
    return texts_of({"content": value})
