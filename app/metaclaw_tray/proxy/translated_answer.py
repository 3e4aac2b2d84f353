"""An answer on its way to a client that speaks another dialect than the upstream."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping

from multidict import CIMultiDict

from metaclaw_tray.clock import Clock
from metaclaw_tray.proxy.answers import Answer
from metaclaw_tray.proxy.failures import FAILURES
from metaclaw_tray.proxy.headers import encoding_of, towards_client
from metaclaw_tray.proxy.problems import problem
from metaclaw_tray.proxy.reply import Reply, Response
from metaclaw_tray.proxy.request import Request
from metaclaw_tray.proxy.seen import Seen, in_words, media_type, verdict
from metaclaw_tray.proxy.translating import Translation
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.coding import decoded

log = logging.getLogger(__name__)

_LARGEST = 64 * 2**20  # bytes of an answer that is no stream
_QUIET_SECONDS = 15.0  # of an upstream, before the client gets a sign of life
_RETRY_SECONDS = "5"  # some clients give up at once where nobody says when to come back
# What of the upstream's headers is true of the answer that the client gets: when to come back, and what the
# upstream calls the request. The rest is of another body, or of another place (cookies, redirections).
_KEPT = frozenset({"date", "request-id", "retry-after", "retry-after-ms", "x-request-id", "x-should-retry"})
_LIMITS = "ratelimit"  # in the names of headers that tell what is left of a quota


class TranslatedPassage:
    """Reads what the upstream says in chat completions, and says it in the client's dialect as it comes."""

    def __init__(
        self,
        clock: Clock,
        request: Request,
        answer: Answer,
        ours: Mapping[str, str],
        seen: Seen,
        translation: Translation,
        dialect: str,
    ) -> None:
        self._clock = clock
        self._request = request
        self._answer = answer
        self._seen = seen
        self._translation = translation
        self._dialect = dialect
        seen.status = answer.status
        self._headers = CIMultiDict(
            (name, value)
            for name, value in towards_client(answer.headers).items()
            if (key := name.lower()) in _KEPT or _LIMITS in key
        )
        self._headers.update(ours)

    async def run(self) -> Reply | None:
        """Pass the whole answer on; what is left to be sent. Raises ConnectionError where the client has
        left."""
        status = self._answer.status
        if status != 200 and status < 400:
            return self._lost(f"it answered with status {status}, which is neither an answer nor an error")
        kind = media_type(self._answer.headers.get("Content-Type", ""))
        flows = kind == "text/event-stream"
        # Asked for plain bytes, some encode a stream all the same: it is read whole, and late.
        plain = encoding_of(self._answer.headers).strip().lower() in ("", "identity")
        if status == 200 and self._translation.streams and flows and plain:
            await self._stream()
            return None
        try:
            body = await self._whole()
        except FAILURES as error:
            return self._lost(f"it stopped in the middle of its answer: {in_words(error)}")
        except WireError as error:
            return self._lost(str(error))
        if status != 200:
            return self._refused(body)
        if self._translation.streams:
            machine = self._translation.stream()
            if not flows:  # asked for a stream, it sent the answer whole
                body = b"data: " + b" ".join(body.split(b"\n")) + b"\n\n"
            return self._said("text/event-stream", machine.feed(body) + machine.end())
        try:
            return self._said("application/json", self._translation.whole(body))
        except WireError as error:
            return self._lost(f"its answer cannot be translated: {error}")

    async def _stream(self) -> None:
        machine, seen = self._translation.stream(), self._seen
        seen.content_type = "text/event-stream"
        headers = CIMultiDict(self._headers)
        headers["Content-Type"] = "text/event-stream; charset=utf-8"
        response = Response(self._request, 200, "OK", headers)
        response.send_head()
        while True:
            try:
                chunk = await self._next(response, machine.ping)
            except FAILURES as error:
                words = in_words(error)
                log.warning("an answer was cut upstream=%s error=%s", seen.upstream, words)
                await self._tell(
                    response, machine.failed(f"The upstream {seen.upstream!r} stopped in the middle: {words}")
                )
                seen.outcome, seen.error = "cut", f"the upstream stopped in the middle: {words}"
                response.break_off(said=True)
                return
            if not chunk:
                break
            if not seen.first_byte_at:
                seen.first_byte_at = self._clock.now().timestamp()
            await self._tell(response, machine.feed(chunk))
        await self._tell(response, machine.end())
        seen.outcome, seen.error = verdict(seen)
        response.end()
        await self._translation.ended()

    async def _next(self, response: Response, ping: Callable[[], bytes]) -> bytes:
        """The next bytes of the upstream; while none come the client gets a sign of life now and then."""
        while True:
            try:
                async with asyncio.timeout(_QUIET_SECONDS):
                    return await self._answer.read()
            except TimeoutError:
                if said := ping():
                    await response.write(said)

    async def _tell(self, response: Response, said: bytes) -> None:
        if said:
            self._seen.copy.take(said)
            await response.write(said)

    async def _whole(self) -> bytes:
        pieces, size = [], 0
        while chunk := await self._answer.read():
            self._seen.first_byte_at = self._seen.first_byte_at or self._clock.now().timestamp()
            pieces.append(chunk)
            size += len(chunk)
            if size > _LARGEST:
                raise WireError(f"its answer is larger than {_LARGEST // 2**20} MB")
        return decoded(b"".join(pieces), encoding_of(self._answer.headers), _LARGEST)

    def _refused(self, body: bytes) -> Reply:
        status, kind, said = self._translation.error(self._answer.status, body)
        if status == 429:
            self._headers.setdefault("Retry-After", _RETRY_SECONDS)
        return self._said(kind, said, status)

    def _said(self, kind: str, body: bytes, status: int = 200) -> Reply:
        seen = self._seen
        seen.content_type, seen.status = kind, status
        seen.copy.take(body)
        seen.outcome, seen.error = verdict(seen)
        headers = CIMultiDict(self._headers)
        headers["Content-Type"] = kind
        return Reply(status, headers, body)

    def _lost(self, why: str) -> Reply:
        seen = self._seen
        seen.outcome, seen.status, seen.error = "failed", 502, why
        message = f"The upstream {seen.upstream!r} gave no answer that can be passed on: {why}."
        return problem(502, "upstream_unreadable", message, dialect=self._dialect, headers=self._headers)
