"""One answer on its way to the client, byte for byte and chunk for chunk as it comes."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from metaclaw_tray.clock import Clock
from metaclaw_tray.proxy.answers import Answer
from metaclaw_tray.proxy.endings import between_events, ending, finished, tail_of
from metaclaw_tray.proxy.failures import FAILURES
from metaclaw_tray.proxy.headers import encoding_of, towards_client
from metaclaw_tray.proxy.problems import problem
from metaclaw_tray.proxy.reply import Reply, Response
from metaclaw_tray.proxy.request import Request
from metaclaw_tray.proxy.seen import Seen, in_words, media_type, verdict

log = logging.getLogger(__name__)


class Passage:
    """An answer in the client's own dialect."""

    def __init__(
        self,
        clock: Clock,
        request: Request,
        answer: Answer,
        ours: Mapping[str, str],
        seen: Seen,
        dialect: str,
    ) -> None:
        self._clock = clock
        self._request = request
        self._answer = answer
        self._seen = seen
        self._dialect = dialect
        self._ours = ours
        self._tail = b""
        seen.status = answer.status
        seen.content_type = answer.headers.get("Content-Type", "")
        seen.content_encoding = encoding_of(answer.headers)
        self._headers = towards_client(answer.headers)
        self._headers.update(ours)
        self._response: Response | None = None

    async def run(self) -> Reply | None:
        """Pass the whole answer on; what is left to be sent. Raises ConnectionError where the client has
        left."""
        answer, seen, headers = self._answer, self._seen, self._headers
        length = answer.content_length
        if length is None and not answer.waiting:  # the head does not wait for a body that takes its time
            self._response = self._begin()
            self._response.send_head()
        while True:
            try:
                chunk = await answer.read()
            except FAILURES as error:
                return await self._cut(in_words(error))
            if not chunk:
                break
            if not seen.first_byte_at:
                seen.first_byte_at = self._clock.now().timestamp()
            seen.copy.take(chunk)
            if self._response is None and len(chunk) == length:  # all at once: one write for head and body
                seen.outcome, seen.error = verdict(seen)
                return Reply(answer.status, headers, chunk, reason=answer.reason)
            self._tail = tail_of(self._tail, chunk)
            response = self._response = self._response or self._begin()
            if answer.done and not answer.waiting and not self._ends_early():
                seen.outcome, seen.error = verdict(seen)
                response.end(chunk)
                return None
            await response.write(chunk)
        if self._ends_early():
            return await self._cut("it closed the connection before the end of its answer")
        seen.outcome, seen.error = verdict(seen)
        (self._response or self._begin()).end()
        return None

    def _begin(self) -> Response:
        answer = self._answer
        return Response(self._request, answer.status, answer.reason, self._headers)

    def _is_readable_stream(self) -> bool:
        encoded = self._seen.content_encoding.strip().lower() not in ("", "identity")
        return media_type(self._seen.content_type) == "text/event-stream" and not encoded

    def _ends_early(self) -> bool:
        """Whether a stream ended that only its connection's end ends, without its protocol's last word."""
        headers, copy = self._answer.headers, self._seen.copy
        if "Content-Length" in headers or "Transfer-Encoding" in headers or self._answer.status != 200:
            return False
        return self._is_readable_stream() and not copy.truncated and not finished(self._dialect, copy.body)

    async def _cut(self, why: str) -> Reply | None:
        """End the client's answer in the middle, so that it cannot take it for a whole one. Where nothing of
        it has gone out yet, say so in words."""
        seen, response = self._seen, self._response
        log.warning("an answer was cut upstream=%s error=%s", seen.upstream, why)
        if response is None:
            seen.outcome, seen.status, seen.error = "failed", 502, f"the upstream stopped at once: {why}"
            words = f"The upstream {seen.upstream!r} ended the connection before its answer came: {why}."
            return problem(502, "upstream_cut", words, dialect=self._dialect, headers=self._ours)
        last = b""
        if self._is_readable_stream() and between_events(self._tail):
            body = seen.copy.body
            if not finished(self._dialect, body):
                words = f"The upstream {seen.upstream!r} stopped in the middle of its answer: {why}."
                last = ending(self._dialect, words, body, self._clock.now().timestamp())
        if last:
            await response.write(last)
        seen.outcome, seen.error = "cut", f"the upstream stopped in the middle: {why}"
        response.break_off(said=bool(last))
        return None
