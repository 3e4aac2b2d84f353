"""An agent that goes on working while the app is attacked, and its upstream."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from types import TracebackType

import aiohttp

from proxy.upstream import DONE, Saw, Wire, completion, delta

_RETRIES = 2  # of a request whose connection ended before any answer: what the official clients do
_EVENTS = 20
FLOOD = b'{"model":"flood","stream":true,"messages":[{"role":"user","content":"honest"}]}'
"""A request that is answered with 50 MB."""


def asked(number: int) -> dict[str, object]:
    return {"model": "m", "stream": True, "messages": [{"role": "user", "content": f"honest {number}"}]}


def expected(number: int) -> bytes:
    words = [delta(f"honest {number} {place}") for place in range(_EVENTS)]
    return b"".join([*words, delta("", "stop"), DONE])


async def upstream(saw: Saw, wire: Wire) -> None:
    """Answers what honest clients ask, event by event; what is no turn gets a plain answer."""
    if not saw.body or not saw.json.get("stream"):
        await wire.answer(completion())
        return
    await wire.stream_head()
    if saw.json["model"] == "flood":
        for _ in range(50):
            if wire.left.is_set():
                return
            await wire.chunk(b"data: " + b"x" * 2**20 + b"\n\n")
            await wire.flowing()
    else:
        number = int(saw.json["messages"][-1]["content"].split()[-1])
        for event in expected(number).split(b"\n\n")[:-1]:
            await wire.chunk(event + b"\n\n")
            await asyncio.sleep(0.001)
    await wire.end()


@dataclass
class Agent:
    """Asks one thing after the other for the length of a block, on a kept connection and new ones in turn."""

    url: str  # with the token, up to /v1
    answers: int = 0
    wrong: list[str] = field(default_factory=list)
    retried: int = 0
    slowest: float = 0.0  # seconds of one turn
    _numbers: int = 0
    _task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Agent:
        self._task = asyncio.create_task(self._work())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def turns(self, count: int) -> None:
        """Ask so many things in a row."""
        async with aiohttp.ClientSession() as kept:
            for _ in range(count):
                await self._turn(kept)

    async def _work(self) -> None:
        async with aiohttp.ClientSession() as kept:
            while True:
                await self._turn(kept)
                async with aiohttp.ClientSession() as fresh:
                    await self._turn(fresh)

    async def _turn(self, session: aiohttp.ClientSession) -> None:
        self._numbers += 1
        number, began = self._numbers, time.monotonic()
        for attempt in range(_RETRIES + 1):
            try:
                async with session.post(
                    f"{self.url}/chat/completions",
                    data=json.dumps(asked(number)),
                    headers={"Content-Type": "application/json"},
                ) as response:
                    body = await response.read()
            except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
                self.retried += 1
                if attempt == _RETRIES:
                    self.wrong.append(f"turn {number}: {error!r}")
                continue
            except aiohttp.ClientError as error:
                self.wrong.append(f"turn {number}: {error!r}")
                break
            if (response.status, body) == (200, expected(number)):
                self.answers += 1
            else:
                self.wrong.append(f"turn {number}: {response.status} {body[:200]!r}")
            break
        self.slowest = max(self.slowest, time.monotonic() - began)
