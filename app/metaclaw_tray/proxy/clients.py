"""What known clients say about themselves, in headers and in bodies.

A wrong guess here can cost a lesson, never an answer.
"""

from __future__ import annotations

from msgspec import Struct
from multidict import CIMultiDictProxy

from metaclaw_tray.wire.dialect import Dialect
from metaclaw_tray.wire.request import Request


class Says(Struct, frozen=True, gc=False):
    """What a client says about one request."""

    session: str = ""  # the client's own id of the session; "" where it says none
    side: bool = False  # a task of the client's own: a title, a summary, a sub-agent


def client_says(headers: CIMultiDictProxy[str], dialect: Dialect, request: Request) -> Says:
    """Read what a client says about a request. Never raises for what clients may write."""
    return Says(headers.get("X-Session-Id", ""))
