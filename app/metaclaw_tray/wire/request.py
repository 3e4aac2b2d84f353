"""A request as it was sent: raw JSON values that can be put together again, and what is read of them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw, Struct

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.surrogates import masked

decode = msgspec.json.Decoder().decode
encode = msgspec.json.Encoder().encode
decode_fields = msgspec.json.Decoder(dict[str, Raw]).decode
decode_items = msgspec.json.Decoder(list[Raw]).decode


class Request(Struct, frozen=True, gc=False):
    """A request of any dialect. All values are raw JSON, as the client wrote them."""

    fields: dict[str, Raw]
    items: list[Raw]  # the elements of the conversation: `messages` or `input`
    model: str
    mask: int | None = None  # how lone surrogates are masked in the raw values; None where there are none
    alone: bool = False  # the conversation was one text and no list; `items` holds it as a message

    def value(self, field: str) -> Any:
        """A field as it reads; None where it is not there. Raises WireError where it cannot be read."""
        raw = self.fields.get(field)
        try:
            return None if raw is None else decode(raw)
        except (msgspec.DecodeError, RecursionError) as error:
            raise WireError(f"the field {field} cannot be read: {error}") from error


def parse(body: bytes, conversation: str) -> Request:
    """Read a request whose conversation is the field of that name.

    Raises WireError for anything but an object with a list there (or, in `input`, one text). What the list
    holds is not looked at.
    """
    try:
        return _parsed(body, conversation, None)
    except WireError:
        if b"\\ud" not in body and b"\\uD" not in body:
            raise
    try:
        plain, mask = masked(body)
    except ValueError as error:
        raise WireError(str(error)) from error
    return _parsed(plain, conversation, mask)


def _parsed(body: bytes, conversation: str, mask: int | None) -> Request:
    try:
        fields = decode_fields(body)
        raw = fields.get(conversation)
        if raw is None:
            raise WireError(f"the request has no {conversation}")
        alone = conversation == "input" and bytes(memoryview(raw)[:1]) == b'"'
        items = [Raw(b'{"role":"user","content":' + raw + b"}")] if alone else decode_items(raw)
        model = decode(fields["model"]) if "model" in fields else ""
    except (msgspec.DecodeError, RecursionError) as error:
        raise WireError(f"the request cannot be read: {error}") from error
    return Request(fields, items, model if isinstance(model, str) else "", mask, alone)
