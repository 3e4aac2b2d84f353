"""One request to the upstream and its answer back, byte for byte and chunk for chunk as it comes."""

from __future__ import annotations

import io
import logging
import socket
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import aiohttp
from aiohttp import AddrInfoType, HttpVersion11, web
from msgspec import Struct
from multidict import CIMultiDict
from yarl import URL

from metaclaw_tray.clock import Clock
from metaclaw_tray.proxy.headers import towards_client
from metaclaw_tray.proxy.problems import in_one_line, problem, unreachable
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.tee import AnswerCopy

log = logging.getLogger(__name__)

Outcome = Literal["ok", "failed", "cut", "gone"]

_CONNECT_SECONDS = 30
# Servers on a laptop close what was idle for 5 seconds; a request sent at that very moment would be lost.
_IDLE_PLAIN_SECONDS, _IDLE_SECURE_SECONDS = 4, 60
_PROBES = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}  # a dead host is found in two minutes
_RESET = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)  # linger: on, for no time
_WHOLE = 2**20  # bytes; larger bodies are sent piece by piece, so that other turns are not held up
_NO_HEADERS_OF_OURS = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
_HEADER_BYTES = 64 * 1024


@dataclass(slots=True)
class Seen:
    """What was seen of an answer. "gone" stands until something else is known."""

    outcome: Outcome = "gone"
    status: int = 0
    error: str = ""
    content_type: str = ""
    content_encoding: str = ""
    first_byte_at: float = 0.0  # seconds since 1970; 0.0 where no byte came
    copy: AnswerCopy = field(default_factory=AnswerCopy)


class Outgoing(Struct, frozen=True, gc=False):
    """A request as it goes to the upstream."""

    method: str
    url: URL
    headers: CIMultiDict[str]
    body: bytes


class Relay:
    """The client towards upstreams; its connections are kept.

    How long an answer may take is the client's to say, and none is given up here before the client leaves or
    the upstream's host is gone.
    """

    def __init__(self, clock: Clock) -> None:
        """To be made inside a running loop."""
        self._clock = clock
        self._plain = _session(_IDLE_PLAIN_SECONDS)
        self._secure = _session(_IDLE_SECURE_SECONDS)

    async def close(self) -> None:
        await self._plain.close()
        await self._secure.close()

    async def run(
        self,
        request: web.BaseRequest,
        outgoing: Outgoing,
        route: Route,
        ours: Mapping[str, str],
        seen: Seen,
    ) -> web.StreamResponse:
        """Send, and stream the answer to the client with the headers `ours` added.

        What happens is noted in `seen`, also when this is cancelled because the client has left. An upstream
        that stops in the middle ends the client's connection too: an answer never ends well that did not.
        """
        session = self._secure if outgoing.url.scheme == "https" else self._plain
        data = outgoing.body if len(outgoing.body) <= _WHOLE else io.BytesIO(outgoing.body)
        try:
            answer = await session.request(
                outgoing.method, outgoing.url, data=data, headers=outgoing.headers, allow_redirects=False
            )
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            why = unreachable(error, route)
            log.warning("no answer upstream=%s error=%s", route.name, why.detail)
            seen.outcome, seen.status, seen.error = "failed", 502, why.detail
            return problem(502, "upstream_unreachable", in_one_line(why), headers=ours)
        try:
            return await self._pass_on(request, answer, ours, seen)
        except ConnectionError:  # the client has left; `seen` says so already
            return web.Response(status=499)
        finally:
            answer.close() if seen.outcome in ("gone", "cut") else answer.release()

    async def _pass_on(
        self, request: web.BaseRequest, answer: aiohttp.ClientResponse, ours: Mapping[str, str], seen: Seen
    ) -> web.StreamResponse:
        seen.status = answer.status
        seen.content_type = answer.headers.get("Content-Type", "")
        seen.content_encoding = answer.headers.get("Content-Encoding", "")
        headers = towards_client(answer.headers)
        headers.update(ours)
        length = answer.content_length
        response = await _begin(request, answer, headers) if length is None else None
        while True:
            try:
                chunk = await answer.content.readany()
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                seen.outcome, seen.error = "cut", f"the upstream stopped in the middle: {_words(error)}"
                log.warning("an answer was cut by the upstream error=%s", _words(error))
                return _cut(request, response)
            if not chunk:
                break
            if not seen.first_byte_at:
                seen.first_byte_at = self._clock.now().timestamp()
            seen.copy.take(chunk)
            if response is None and len(chunk) == length:  # all of it at once: one write for head and body
                seen.outcome, seen.error = _verdict(seen)
                del headers["Content-Length"]
                return web.Response(status=answer.status, reason=answer.reason, headers=headers, body=chunk)
            response = response or await _begin(request, answer, headers)
            await response.write(chunk)
        seen.outcome, seen.error = _verdict(seen)
        return response or await _begin(request, answer, headers)


def _session(idle_seconds: float) -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=idle_seconds, socket_factory=_socket),
        auto_decompress=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS),
        trust_env=False,
        skip_auto_headers=_NO_HEADERS_OF_OURS,
        max_line_size=_HEADER_BYTES,
        max_field_size=_HEADER_BYTES,
    )


def _socket(address: AddrInfoType) -> socket.socket:
    """A socket that asks a silent host whether it is still there."""
    family, kind, protocol, *_ = address
    made = socket.socket(family, kind, protocol)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _PROBES.items():
        if hasattr(socket, option):
            made.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
    return made


async def _begin(
    request: web.BaseRequest, answer: aiohttp.ClientResponse, headers: CIMultiDict[str]
) -> web.StreamResponse:
    response = web.StreamResponse(status=answer.status, reason=answer.reason, headers=headers)
    await response.prepare(request)
    return response


def _cut(request: web.BaseRequest, response: web.StreamResponse | None) -> web.StreamResponse:
    """End the client's connection in the middle, so that it cannot take the answer for a whole one."""
    transport = request.transport
    if transport is not None:
        framed = request.version >= HttpVersion11 or (response and "Content-Length" in response.headers)
        if not framed:  # only a reset tells
            raw = transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        transport.close() if framed else transport.abort()
    return response or web.Response(status=502)


def _verdict(seen: Seen) -> tuple[Outcome, str]:
    """How an answer went that came whole, as far as the wire tells."""
    if seen.status >= 300:
        return "failed", f"status {seen.status}"
    kind = seen.content_type.partition(";")[0].strip().lower()
    if kind != "text/event-stream" and not kind.endswith("json"):
        return "failed", f"the answer is neither JSON nor an event stream but {kind or 'nothing'}"
    return "ok", ""


def _words(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
