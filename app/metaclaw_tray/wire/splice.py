"""Raw JSON put together again, all else left as it was.

The rest of a request is equal as parsed JSON: key order, number literals and unknown fields are kept, since
they are never decoded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Raw

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.request import Request, decode_fields, encode
from metaclaw_tray.wire.surrogates import unmasked

Block = tuple[int, str]
"""Index of an element in the request (or `dialect.HEAD`), and the text that goes there."""

_SEPARATOR = "\n\n"


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
        pieces += (b"," if pieces else b"{", encode(key), b":", memoryview(value))
    return b"".join((*pieces, b"}")) if pieces else b"{}"


def with_block(item: Raw, text: str, kind: str = "text") -> Raw:
    """A message with a block at the end of its content. `kind` is the type of a part that holds text.

    Raises WireError where it has no content to add to.
    """
    fields = decode_fields(item)
    fields["content"] = extended(fields.get("content"), text, kind)
    return Raw(written(fields))


def extended(content: Raw | None, text: str, kind: str = "text") -> Raw:
    """A text, or a list of parts, with a block at its end. Raises WireError for anything else."""
    raw = b"" if content is None else bytes(content)
    if raw.startswith(b'"'):
        addition = encode(_SEPARATOR + text if raw != b'""' else text)
        return Raw(raw[:-1] + addition[1:])
    if raw.startswith(b"["):
        others = raw[1:-1].strip()
        part = encode({"type": kind, "text": text})
        return Raw(b"[" + others + b"," + part + b"]" if others else b"[" + part + b"]")
    raise WireError("a message without content takes no block")
