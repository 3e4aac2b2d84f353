"""Ending a client's connection in the middle of an answer."""

from __future__ import annotations

import socket
import struct
import sys

from aiohttp import HttpVersion11, web

_RESET = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)  # linger: on, for no time


def break_off(request: web.BaseRequest, response: web.StreamResponse | None, *, said: bool) -> None:
    """Close the client's connection. `said` says that the client was told in words that this is no end."""
    transport = request.transport
    if transport is None:
        return
    framed = request.version >= HttpVersion11 or (response and "Content-Length" in response.headers)
    if framed or said:
        transport.close()
        return
    raw = transport.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)  # only a reset tells
    transport.abort()
