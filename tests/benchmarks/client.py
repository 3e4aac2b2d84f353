"""The load client: a process of its own that reads jobs from standard input and answers each with a result.

Raw asyncio and no HTTP library, so that what is measured is the other side.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import cast
from urllib.parse import urlsplit

import msgspec
import uvloop

from benchmarks.answers import ANSWERS, CHUNKS, PACE_SECONDS
from benchmarks.dialects import HEADERS, PATHS, bodies
from benchmarks.jobs import HANG_SECONDS, Job, Result, Spread
from support.http1 import BadMessageError, ResponseReader

_STAMP = re.compile(rb"T(\d{19})")
_TALKS = 8  # agents of an open loop
_EACH = 10_000  # conversations of one of them
_numbers = itertools.count(1, 1_000_000)  # each load has a million conversations of its own


class Tally:
    """What has been seen of one load."""

    def __init__(self, job: Job) -> None:
        self._expected = ANSWERS[job.dialect, job.model]
        self.stamped = job.model == "bench-paced"
        self.answers = self.wrong = self.injected = 0
        self.complaint = ""
        self.unserved = False  # the other side does not know this dialect
        self.whole: list[int] = []  # nanoseconds, as the two below
        self.first_byte: list[int] = []
        self.lag: list[int] = []

    def note(self, lane: Lane, body: bytes) -> None:
        """An answer is complete. Its bytes must be the upstream's own."""
        if lane.reader.status == 404:
            self.unserved = True
        elif lane.reader.status != 200:
            self.fail(f"status {lane.reader.status}: {body[:200]!r}")
        elif self.stamped and (len(_STAMP.findall(body)) != CHUNKS or not body.endswith(self._expected.end)):
            self.fail(f"a stream with chunks missing: …{body[-200:]!r}")
        elif not self.stamped and body != self._expected.body:
            self.fail(f"other bytes than the upstream sent: {body[:200]!r}")
        else:
            self.answers += 1
            self.whole.append(time.monotonic_ns() - lane.since)
            self.first_byte.append(lane.first_byte - lane.since)
            self.injected += bool(lane.reader.headers.get(b"x-metaclaw-skills"))

    def fail(self, complaint: str) -> None:
        self.wrong += 1
        self.complaint = self.complaint or complaint

    def result(self, seconds: float) -> Result:
        return Result(
            self.answers,
            self.wrong,
            self.complaint,
            self.injected,
            seconds,
            _spread(self.whole),
            _spread(self.first_byte),
            _spread(self.lag),
            self.unserved,
        )


class Lane(asyncio.Protocol):
    """One connection, one request at a time. `idle` is called whenever it can take the next."""

    def __init__(self, tally: Tally, idle: Callable[[Lane], None]) -> None:
        self._tally = tally
        self._idle = idle
        self._body: list[bytes] = []
        self._stamped = tally.stamped
        self.busy = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own class does not derive from it

    def ask(self, request: bytes, since: int) -> None:
        self.busy, self.since, self.first_byte = True, since, 0
        self.reader = ResponseReader()
        self._body.clear()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        try:
            piece = self.reader.feed(data)
        except BadMessageError as error:
            self._tally.fail(str(error))
            self._transport.abort()
            return
        if piece:
            now = time.monotonic_ns()
            self.first_byte = self.first_byte or now
            self._body.append(piece)
            if self._stamped:
                self._tally.lag.extend(now - int(sent) for sent in _STAMP.findall(piece))
        if self.reader.done:
            self.busy = False
            self._tally.note(self, b"".join(self._body))
            self._idle(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.busy:
            self.busy = False
            self._tally.fail(f"the connection broke: {exc}")
            self._idle(self)

    @property
    def alive(self) -> bool:
        return not self._transport.is_closing()

    def close(self) -> None:
        self._transport.close()


class Load:
    """Runs one job."""

    def __init__(self, job: Job) -> None:
        self._job = job
        parts = urlsplit(job.url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self._head = (
            f"POST {parts.path}{PATHS[job.dialect]} HTTP/1.1\r\nhost: {parts.netloc}\r\n".encode()
            + HEADERS[job.dialect]
            + b"content-length: %d\r\n\r\n"
        )
        self._tally = Tally(job)
        self._lanes: list[Lane] = []
        self._free: deque[Lane] = deque()
        self._all_idle = asyncio.Event()
        self._until = 0
        self._number = next(_numbers)
        self._left = job.turns or sys.maxsize
        # Seconds over which a closed loop begins. People do not start their streams together: those of one
        # loop begin, and send their chunks, evenly apart.
        self._spread = PACE_SECONDS * (CHUNKS + 1) if self._tally.stamped else PACE_SECONDS

    async def run(self) -> Result:
        talks = [
            self._talk(place) for place in range(self._job.connections if not self._job.rate else _TALKS)
        ]
        begun = time.monotonic_ns()
        self._until = begun + int((self._job.seconds + self._spread) * 1e9)
        try:
            async with asyncio.timeout(self._job.seconds + self._spread + HANG_SECONDS):
                if self._job.rate:
                    await self._open_loop(talks, begun)
                else:
                    await self._closed_loop(talks)
                await self._rest()
        except TimeoutError:
            self._tally.fail("answers did not come")
        for lane in self._lanes:
            lane.close()
        return self._tally.result((time.monotonic_ns() - begun) / 1e9)

    def _talk(self, place: int) -> Iterator[bytes]:
        """The requests of one agent, who asks one thing after another: a conversation's order is kept."""
        job = self._job
        first = self._number + place * _EACH
        return bodies(job.dialect, job.size, job.model, job.model != "bench-json", job.topic, first)

    def _next(self, talk: Iterator[bytes]) -> bytes:
        """The next request, or nothing where the load is over."""
        if not self._left or self._tally.unserved:
            return b""
        self._left -= 1
        body = next(talk)
        return self._head % len(body) + body

    async def _lane(self, idle: Callable[[Lane], None]) -> Lane:
        loop = asyncio.get_running_loop()
        _, lane = await loop.create_connection(lambda: Lane(self._tally, idle), self._host, self._port)
        self._lanes.append(lane)
        return lane

    async def _closed_loop(self, talks: list[Iterator[bytes]]) -> None:
        def again(lane: Lane) -> None:
            now = time.monotonic_ns()
            request = self._next(talk_of[lane]) if now < self._until and lane.alive else b""
            if request:
                lane.ask(request, now)
            elif not any(each.busy for each in self._lanes):
                self._all_idle.set()

        talk_of = {await self._lane(again): talk for talk in talks}
        for lane in self._lanes:  # not all in one instant, or they would queue behind each other for ever
            again(lane)
            await asyncio.sleep(self._spread / self._job.connections)

    async def _open_loop(self, talks: list[Iterator[bytes]], begun: int) -> None:
        def rest(lane: Lane) -> None:
            if lane.alive:
                self._free.append(lane)
            self._all_idle.set()

        for number in range(int(self._job.seconds * self._job.rate)):
            due = begun + int(number * 1e9 / self._job.rate)
            await asyncio.sleep(max(0.0, (due - time.monotonic_ns()) / 1e9))
            request = self._next(talks[number % len(talks)])
            if not request:
                return
            while self._free and not self._free[0].alive:  # closed by the other side while it was idle
                self._free.popleft()
            lane = self._free.popleft() if self._free else await self._lane(rest)
            lane.ask(request, due)

    async def _rest(self) -> None:
        while any(lane.busy for lane in self._lanes):
            self._all_idle.clear()
            await self._all_idle.wait()


def _spread(nanoseconds: list[int]) -> Spread:
    if not nanoseconds:
        return Spread(0.0, 0.0)
    ordered = sorted(nanoseconds)
    last = len(ordered) - 1
    return Spread(ordered[last // 2] / 1e6, ordered[last * 99 // 100] / 1e6)


def main() -> None:
    sys.stdout.write("{}\n")  # ready
    sys.stdout.flush()
    for line in sys.stdin.buffer:
        job = msgspec.json.decode(line, type=Job)
        sys.stdout.buffer.write(msgspec.json.encode(uvloop.run(Load(job).run())) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
