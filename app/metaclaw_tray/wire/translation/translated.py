"""A request in chat completions, ready to be sent, with what its answer has to know."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.request import encode
from metaclaw_tray.wire.surrogates import unmasked
from metaclaw_tray.wire.translation.names import Names


class Translated(Struct, frozen=True, gc=False):
    """`body` is the request as the upstream gets it; `names` leads its answer back to the client's tools."""

    body: bytes
    names: Names


def written(request: dict[str, Any], mask: int | None) -> bytes:
    """The request as bytes. `mask` is that of the client's request (`wire.request`): where half an emoji
    came in, half an emoji goes out. Raises WireError."""
    try:
        return encode(request) if mask is None else unmasked(json.dumps(request).encode(), mask)
    except (RecursionError, UnicodeEncodeError) as error:
        raise WireError(f"the request cannot be written: {error}") from error
