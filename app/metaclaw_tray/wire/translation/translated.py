"""A request in chat completions, ready to be sent, with what its answer has to know."""

from __future__ import annotations

from msgspec import Struct

from metaclaw_tray.wire.translation.names import Names


class Translated(Struct, frozen=True, gc=False):
    """`body` is the request as the upstream gets it; `names` leads its answer back to the client's tools."""

    body: bytes
    names: Names
