"""Raw JSON put together again, all else left as it was.

The rest of a request is equal as parsed JSON: key order, number literals and unknown fields are kept, since
they are never decoded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Raw

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.request import Request, decode, decode_fields, decode_items, encode
from metaclaw_tray.wire.surrogates import unmasked

Block = tuple[int, str]
"""Index of an element in the request (or `dialect.HEAD`), and the text that goes there."""

_SEPARATOR = "\n\n"
_TEXTS = ("text", "input_text")


def joined(fields: Mapping[str, Raw], model: str | None, mask: int | None) -> bytes:
    """A request of these fields; `model` replaces the model's name where it is given."""
    if model is not None:
        fields = {**fields, "model": Raw(encode(model))}
    body = written(fields)
    return body if mask is None else unmasked(body, mask)


def put_back(items: Sequence[Raw], request: Request) -> Raw:
    """The conversation of these elements, as the client wrote it: a list, or one text."""
    if request.alone and len(items) == 1:
        return decode_fields(items[0])["content"]
    return Raw(b"[" + b",".join([memoryview(item) for item in items]) + b"]")


def written(fields: Mapping[str, Raw]) -> bytes:
    """An object of these raw values, in their order."""
    pieces: list[bytes | memoryview] = []
    for key, value in fields.items():
        # All as escapes, so that a stand-in for a lone surrogate can become one again.
        name = encode(key) if key.isascii() else json.dumps(key).encode()
        pieces += (b"," if pieces else b"{", name, b":", memoryview(value))
    return b"".join((*pieces, b"}")) if pieces else b"{}"


def with_block(item: Raw, text: str, kind: str = "text") -> Raw:
    """A message with a block at the end of its content. `kind` is the type of a part that holds text.

    Raises WireError where it has no content to add to.
    """
    try:
        fields = decode_fields(item)
    except (msgspec.DecodeError, RecursionError) as error:
        raise WireError(f"a message cannot be read: {error}") from error
    content = fields.get("content")
    longer = None if content is None else _with_longer_end(content, text)
    fields["content"] = extended(content, text, kind) if longer is None else longer
    return Raw(written(fields))


def _with_longer_end(content: Raw, text: str) -> Raw | None:
    """Parts the last of which is a text, with that text longer; None for any other content.

    Clients send the same message once as a text and once as one part: the block is the same words in both.
    """
    try:
        parts = decode_items(content)
        last = decode_fields(parts[-1]) if parts else {}
        kind = decode(last["type"]) if "type" in last else None
    except (msgspec.DecodeError, RecursionError):
        return None
    said = bytes(last.get("text", b""))
    if kind not in _TEXTS or not said.startswith(b'"'):
        return None
    last["text"] = _longer(said, text)
    parts[-1] = Raw(written(last))
    return Raw(b"[" + b",".join([memoryview(part) for part in parts]) + b"]")


def _longer(raw: bytes, text: str) -> Raw:
    addition = encode(_SEPARATOR + text if raw != b'""' else text)
    return Raw(raw[:-1] + addition[1:])


def extended(content: Raw | None, text: str, kind: str = "text") -> Raw:
    """A text, or a list of parts, with a block at its end. Raises WireError for anything else."""
    raw = b"" if content is None else bytes(content)
    if raw.startswith(b'"'):
        return _longer(raw, text)
    if raw.startswith(b"["):
        others = raw[1:-1].strip()
        part = encode({"type": kind, "text": text})
        return Raw(b"[" + others + b"," + part + b"]" if others else b"[" + part + b"]")
    raise WireError("a message without content takes no block")
