"""Requests and chunks as values, whatever is wrong with their characters.

On a translated route the bytes are written anew, so half an emoji need not be kept: most servers of chat
completions refuse a body that holds one. It reads as U+FFFD here.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Raw

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.request import Request, decode, encode
from metaclaw_tray.wire.surrogates import unmasked

_HALF = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a pair is a character
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\."
)


def whole(raw: bytes) -> bytes:
    """JSON without lone surrogates."""
    if b"\\ud" not in raw and b"\\uD" not in raw:
        return raw
    return _HALF.sub(lambda match: rb"\ufffd" if match[1] else match[0], raw)


def without_halves(request: Request) -> Request:
    """The request with U+FFFD for each lone surrogate."""
    mask = request.mask
    if mask is None:
        return request

    def mended(raw: Raw) -> Raw:
        return Raw(whole(unmasked(bytes(raw), mask)))

    fields = {name: mended(raw) for name, raw in request.fields.items()}
    return Request(fields, [mended(item) for item in request.items], request.model, None, request.alone)


def object_of(data: bytes) -> dict[str, Any] | None:
    """The object that JSON of others holds; None where it holds none."""
    try:
        value = decode(whole(data))
    except (msgspec.DecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def value_of(raw: Raw, place: str) -> Any:
    """A raw value, decoded. Raises WireError."""
    try:
        return decode(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise WireError(f"{place} cannot be read: {error}") from error


def written(value: Any) -> bytes:
    """JSON of a value that was read. Raises WireError where it is nested too deep to be written."""
    try:
        return encode(value)
    except (RecursionError, UnicodeEncodeError) as error:
        raise WireError(f"the translation cannot be written: {error}") from error
