"""Blocks put into a request, all else left as it was.

A block becomes the end of the person's message at its anchor. Everything before that message stays as the
client wrote it, so a prompt cache keeps what it has, and the block carries no more weight than the person's
own words. The rest of the request is equal as parsed JSON, key order and number literals kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.chat import ChatRequest, parse_request
from metaclaw_tray.wire.surrogates import unmasked

Block = tuple[int, str]
"""Index of a message in the request, and the text that goes to its end."""

_encode = msgspec.json.encode
_decode_fields = msgspec.json.Decoder(dict[str, Raw]).decode
_SEPARATOR = "\n\n"


def inject(body: bytes, blocks: Sequence[Block], model: str | None = None) -> bytes:
    """`body` with each block at the end of its message, and with `model` in place of the model's name.

    With nothing to do the very same bytes come back. Raises WireError where the body is no chat request, or a
    message has no content to add to.
    """
    if not blocks and model is None:
        return body
    return inject_into(parse_request(body), blocks, model)


def inject_into(request: ChatRequest, blocks: Sequence[Block], model: str | None = None) -> bytes:
    """`inject` for a request that is parsed already."""
    fields = dict(request.fields)
    if blocks:
        items = list(request.items)
        for index, text in blocks:
            items[index] = _with_block(items[index], text)
        fields["messages"] = Raw(b"[" + b",".join([memoryview(item) for item in items]) + b"]")
    if model is not None:
        fields["model"] = Raw(_encode(model))
    body = _object(fields)
    return body if request.mask is None else unmasked(body, request.mask)


def _object(fields: dict[str, Raw]) -> bytes:
    pieces: list[bytes | memoryview] = []
    for key, value in fields.items():
        pieces += (b"," if pieces else b"{", _encode(key), b":", memoryview(value))
    return b"".join((*pieces, b"}"))


def _with_block(item: Raw, text: str) -> Raw:
    fields = _decode_fields(item)
    content = bytes(fields.get("content", b"null"))
    if content.startswith(b'"'):
        addition = _encode(_SEPARATOR + text)
        fields["content"] = Raw(content[:-1] + addition[1:])
    elif content.startswith(b"["):
        others = content[1:-1].strip()
        part = _encode({"type": "text", "text": text})
        fields["content"] = Raw(b"[" + others + b"," + part + b"]" if others else b"[" + part + b"]")
    else:
        raise WireError("a message without content takes no block")
    return Raw(_object(fields))
