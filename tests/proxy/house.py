"""A proxy with everything around it, for tests."""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import aiohttp

from metaclaw_tray.child import encode
from metaclaw_tray.proxy import Choice, Proxy, TokenTable
from metaclaw_tray.settings import Settings, Upstream
from metaclaw_tray.skills.trials import Trials
from metaclaw_tray.store.records import OfTrial, ToScribe, TurnBegun, TurnEnded
from proxy.upstream import Upstream as ScriptedUpstream
from support.clock import FakeClock

R = TypeVar("R")

KEY = b"k" * 32
TOKEN = "t" * 43
OTHER_TOKEN = "o" * 43


class Pipe:
    """The scribe's end: keeps what it is offered, or is full."""

    def __init__(self) -> None:
        self.records: list[ToScribe] = []
        self.full = False
        self.broken: tuple[type[Any], ...] = ()  # kinds of records to stumble over
        self._came = asyncio.Event()

    def offer(self, record: ToScribe) -> bool:
        if type(record) in self.broken:
            raise OSError("the pipe is broken")
        encode(record)  # as the scribe's keeper does; raises where a text is none
        if self.full:
            return False
        self.records.append(record)
        self._came.set()
        return True

    def of(self, kind: type[R]) -> list[R]:
        return [record for record in self.records if isinstance(record, kind)]

    async def wait_for(self, kind: type[R], count: int = 1) -> list[R]:
        """The records of a kind once there are so many; the test's time limit guards it."""
        while len(self.of(kind)) < count:
            self._came.clear()
            await self._came.wait()
        return self.of(kind)


class Library:
    """A library whose skills fit where the query holds their name."""

    def __init__(self) -> None:
        self.generation = 0
        self.skills: dict[str, tuple[str, int]] = {}  # name: block, tokens
        self.asked: list[tuple[str, frozenset[str], int, int]] = []
        self.fault: Exception | None = None
        self.trials = Trials()

    def add(self, name: str, tokens: int = 100) -> None:
        self.generation += 1
        self.skills[name] = (f"[note of generation {self.generation}: {name}]", tokens)

    def choose(
        self,
        query: str,
        exclude: frozenset[str],
        slots: int,
        tokens: int,
        deadline: float,
        session_id: str,
        instead: frozenset[str] = frozenset(),
    ) -> Choice | None:
        before = self.trials.stand_ins(instead, query)
        exclude |= instead - before.keys()
        self.asked.append((query, exclude, slots, tokens))
        if self.fault is not None:
            raise self.fault
        fitting = [name for name in self.skills if name in query and name not in exclude][:slots]
        spent = sum(self.skills[name][1] for name in fitting)
        if not fitting or spent > tokens:
            return None
        notes = {name: each.rendered for name, each in before.items()}
        text = "\n".join(notes.get(name, self.skills[name][0]) for name in fitting)
        versions = {name: each.version for name, each in before.items()}
        return Choice(text, tuple(f"{name}@{versions.get(name, 1)}" for name in fitting), spent)

    def withhold(
        self, skills: Sequence[str], session_id: str, anchor: bytes, at: float, *, remember: bool
    ) -> list[OfTrial]:
        return self.trials.withhold(skills, session_id, anchor, at, remember=remember)


@dataclass
class House:
    """The proxy, its surroundings, and a client."""

    proxy: Proxy
    upstream: ScriptedUpstream
    pipe: Pipe
    library: Library
    clock: FakeClock
    tokens: TokenTable
    client: aiohttp.ClientSession
    port: int = 0
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The base URL of the agent "claw", as its client is given it."""
        return f"http://127.0.0.1:{self.port}/a/{TOKEN}/v1"

    def configure(self, **sections: Any) -> None:
        self.settings.update(sections)

    def route(self, credential: str = "none", key: str = "", **more: Any) -> None:
        upstream = Upstream.model_validate(
            {"base_url": self.upstream.base_url, "credential": credential, **more}
        )
        self.proxy.replace_routing({"main": upstream}, "main", {"main": key} if key else {})

    def post(self, body: Any, **headers: str) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        """A chat request; `body` as JSON, or bytes as they are. Underscores in header names are dashes."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        url = f"{self.url}/chat/completions"
        if isinstance(body, bytes):
            named.setdefault("Content-Type", "application/json")
            return self.client.post(url, data=io.BytesIO(body), headers=named)
        return self.client.post(url, json=body, headers=named)

    async def say(self, *messages: Any, **headers: str) -> aiohttp.ClientResponse:
        """One whole turn; strings are messages by the person and the model in turn."""
        roles = ("user", "assistant")
        written = [
            {"role": roles[place % 2], "content": message} if isinstance(message, str) else message
            for place, message in enumerate(messages)
        ]
        async with self.post({"model": "m", "messages": written}, **headers) as response:
            await response.read()
            return response

    async def begun(self, count: int = 1) -> list[TurnBegun]:
        return await self.pipe.wait_for(TurnBegun, count)

    async def ended(self, count: int = 1) -> list[TurnEnded]:
        return await self.pipe.wait_for(TurnEnded, count)


@contextlib.asynccontextmanager
async def open_house(sections: dict[str, Any] | None = None, **given: Any) -> AsyncIterator[House]:
    """`sections` are the settings that the proxy starts with; the rest is the proxy's own."""
    upstream, pipe, library, clock = ScriptedUpstream(), Pipe(), Library(), FakeClock()
    tokens = TokenTable({TOKEN: "claw", OTHER_TOKEN: "other"})
    settings: dict[str, Any] = dict(sections or {})
    proxy = Proxy(
        settings=lambda: Settings.model_validate(settings),
        tokens=tokens,
        skills=library,
        tee=pipe,
        clock=clock,
        key=KEY,
        **given,
    )
    await upstream.start()
    async with aiohttp.ClientSession(auto_decompress=False, timeout=aiohttp.ClientTimeout(60)) as client:
        house = House(proxy, upstream, pipe, library, clock, tokens, client, settings=settings)
        house.port = await proxy.start(0)
        house.route()
        try:
            yield house
        finally:
            await proxy.drain(0)
            await upstream.stop()


async def raw_exchange(port: int, request: bytes) -> tuple[int, bytes]:
    """Send bytes as they are; status and everything that came until the server closed or went quiet."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        (
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        ),
        0,
    )
    body = await reader.readexactly(length)
    writer.close()
    return int(head[9:12]), head + body
