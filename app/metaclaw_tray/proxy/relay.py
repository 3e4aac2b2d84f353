"""One request to the upstream and its answer back, byte for byte and chunk for chunk as it comes."""

from __future__ import annotations

import logging
import socket
import struct
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import aiohttp
from aiohttp import HttpVersion11, web
from multidict import CIMultiDict

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.proxy.attempts import Upstreams
from metaclaw_tray.proxy.endings import between_events, ending, finished, tail_of
from metaclaw_tray.proxy.forwarding import Outgoing
from metaclaw_tray.proxy.headers import encoding_of, towards_client
from metaclaw_tray.proxy.problems import in_one_line, problem
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.system_proxies import SystemProxies
from metaclaw_tray.proxy.tee import AnswerCopy

log = logging.getLogger(__name__)

Outcome = Literal["ok", "failed", "cut", "gone"]

_AWAY = frozenset({500, 502, 503, 504, 529})  # answers for which a fallback is asked, where there is one
_RESET = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)  # linger: on, for no time


@dataclass(slots=True)
class Seen:
    """What was seen of an answer. "gone" stands until something else is known."""

    outcome: Outcome = "gone"
    status: int = 0
    error: str = ""
    content_type: str = ""
    content_encoding: str = ""
    first_byte_at: float = 0.0  # seconds since 1970; 0.0 where no byte came
    upstream: str = ""  # the one that answered, or was asked last
    model: str = ""  # by the name that it was asked for there
    copy: AnswerCopy = field(default_factory=AnswerCopy)


class Relay:
    """Carries requests to upstreams and their answers back."""

    def __init__(self, clock: Clock, proxies: SystemProxies | None = None) -> None:
        """To be made inside a running loop."""
        self._clock = clock
        self._upstreams = Upstreams(proxies)

    async def close(self) -> None:
        await self._upstreams.close()

    async def run(
        self,
        request: web.BaseRequest,
        towards: Callable[[Route], Outgoing],
        route: Route,
        ours: Mapping[str, str],
        seen: Seen,
    ) -> web.StreamResponse:
        """Send, and stream the answer to the client with the headers `ours` added.

        `towards` makes the request for the route, or for one of its fallbacks. What happens is noted in
        `seen`, also when this is cancelled because the client has left. An upstream that stops in the middle
        ends the client's connection too: an answer never ends well that did not.
        """
        try:
            answer = await self._answer(towards, route, seen)
        except UpstreamError as why:
            seen.outcome, seen.status, seen.error = "failed", 502, why.detail
            return problem(502, "upstream_unreachable", in_one_line(why), dialect=route.dialect, headers=ours)
        try:
            return await _Passage(self._clock, request, answer, ours, seen, route.dialect).run()
        except ConnectionError:  # the client has left; `seen` says so already
            return web.Response(status=499)
        finally:
            answer.close() if seen.outcome in ("gone", "cut") else answer.release()

    async def _answer(
        self, towards: Callable[[Route], Outgoing], route: Route, seen: Seen
    ) -> aiohttp.ClientResponse:
        """The answer of the route or, where that is away, of the first fallback that is not. The last one's
        own words come back where all are; UpstreamError is raised where none has any."""
        refused: tuple[Route, aiohttp.ClientResponse] | None = None
        unheard: tuple[Route, UpstreamError] | None = None
        here: Route | None = route
        try:
            while here is not None:
                seen.upstream, seen.model = here.name, here.sends
                try:
                    answer = await self._upstreams.ask(towards(here), here)
                except UpstreamError as why:
                    log.warning("no answer upstream=%s error=%s", here.name, why.detail)
                    unheard = unheard or (here, why)
                else:
                    if refused is not None:
                        refused[1].close()
                    refused = (here, answer)
                    if answer.status not in _AWAY:
                        break
                    if here.fallback is not None:
                        log.warning("asking the fallback upstream=%s status=%d", here.name, answer.status)
                here = here.fallback
        except BaseException:
            if refused is not None:
                refused[1].close()
            raise
        if refused is None:
            assert unheard is not None
            seen.upstream, seen.model = unheard[0].name, unheard[0].sends
            raise unheard[1]
        seen.upstream, seen.model = refused[0].name, refused[0].sends
        return refused[1]


class _Passage:
    """One answer on its way to the client."""

    def __init__(
        self,
        clock: Clock,
        request: web.BaseRequest,
        answer: aiohttp.ClientResponse,
        ours: Mapping[str, str],
        seen: Seen,
        dialect: str,
    ) -> None:
        self._clock = clock
        self._request = request
        self._answer = answer
        self._seen = seen
        self._dialect = dialect
        self._tail = b""
        seen.status = answer.status
        seen.content_type = answer.headers.get("Content-Type", "")
        seen.content_encoding = encoding_of(answer.headers)
        self._headers = towards_client(answer.headers)
        self._headers.update(ours)
        self._response: web.StreamResponse | None = None

    async def run(self) -> web.StreamResponse:
        answer, seen, headers = self._answer, self._seen, self._headers
        length = answer.content_length
        if length is None:
            self._response = await _begin(self._request, answer, headers)
        while True:
            try:
                chunk = await answer.content.readany()
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                return await self._cut(_words(error))
            if not chunk:
                break
            if not seen.first_byte_at:
                seen.first_byte_at = self._clock.now().timestamp()
            seen.copy.take(chunk)
            if self._response is None and len(chunk) == length:  # all at once: one write for head and body
                seen.outcome, seen.error = _verdict(seen)
                del headers["Content-Length"]
                return web.Response(status=answer.status, reason=answer.reason, headers=headers, body=chunk)
            self._tail = tail_of(self._tail, chunk)
            self._response = self._response or await _begin(self._request, answer, headers)
            await self._response.write(chunk)
        if self._ends_early():
            return await self._cut("it closed the connection before the end of its answer")
        seen.outcome, seen.error = _verdict(seen)
        return self._response or await _begin(self._request, answer, headers)

    def _is_readable_stream(self) -> bool:
        encoded = self._seen.content_encoding.strip().lower() not in ("", "identity")
        return _media_type(self._seen.content_type) == "text/event-stream" and not encoded

    def _ends_early(self) -> bool:
        """Whether a stream ended that only its connection's end ends, without its protocol's last word."""
        headers, copy = self._answer.headers, self._seen.copy
        if "Content-Length" in headers or "Transfer-Encoding" in headers or self._answer.status != 200:
            return False
        return self._is_readable_stream() and not copy.truncated and not finished(self._dialect, copy.body)

    async def _cut(self, why: str) -> web.StreamResponse:
        """End the client's answer in the middle, so that it cannot take it for a whole one."""
        seen, response = self._seen, self._response
        log.warning("an answer was cut upstream=%s error=%s", seen.upstream, why)
        last = b""
        if response is not None and self._is_readable_stream() and between_events(self._tail):
            body = seen.copy.body
            if not finished(self._dialect, body):
                words = f"The upstream {seen.upstream!r} stopped in the middle of its answer: {why}."
                last = ending(self._dialect, words, body, self._clock.now().timestamp())
        if response is not None and last:
            await response.write(last)
        seen.outcome, seen.error = "cut", f"the upstream stopped in the middle: {why}"
        _break_off(self._request, response, said=bool(last))
        return response or web.Response(status=502)


async def _begin(
    request: web.BaseRequest, answer: aiohttp.ClientResponse, headers: CIMultiDict[str]
) -> web.StreamResponse:
    response = web.StreamResponse(status=answer.status, reason=answer.reason, headers=headers)
    await response.prepare(request)
    return response


def _break_off(request: web.BaseRequest, response: web.StreamResponse | None, *, said: bool) -> None:
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


def _verdict(seen: Seen) -> tuple[Outcome, str]:
    """How an answer went that came whole, as far as the wire tells."""
    if seen.status >= 300:
        return "failed", f"status {seen.status}"
    kind = _media_type(seen.content_type)
    if kind != "text/event-stream" and not kind.endswith("json"):
        return "failed", f"the answer is neither JSON nor an event stream but {kind or 'nothing'}"
    return "ok", ""


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _words(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
