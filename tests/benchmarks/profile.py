"""Where the proxy's time goes: `cd tests && python -m benchmarks.profile DIALECT SIZE [options]`

    python -m benchmarks.profile chat 8
    python -m benchmarks.profile messages 100 --model bench-burst --topic --skills 10000

The app's `Proxy` runs in this process, with a live library of skills and a tee that encodes each record as
the scribe's keeper does and then forgets it; the load and the model are processes of their own on another
processor. First the load runs plain, and the CPU time of a turn is told by stage:

    server   the request's handler: door, token, route, headers, reading the body
    begin    what is known and decided of a request: parsing, tree, session, injection, record (`Desk.begin`)
    relay    the request to the upstream and the answer back, as far as our coroutine goes (`Relay.run`)
    end      the record of the answer (`Desk.end`)
    loop     all else: parsers and protocols, the event loop, system calls

Then it runs again under cProfile, whose times are inflated and only say which functions weigh most.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import os
import pstats
import sys
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import uvloop

from benchmarks.jobs import Job, Result
from benchmarks.skills import TOPIC, skill_texts
from benchmarks.stages import Watch
from benchmarks.targets import LOAD_CPU, PROXY_CPU, LoadClient
from metaclaw_tray.child import encode
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.proxy import Proxy, TokenTable
from metaclaw_tray.runtime.library import Skills
from metaclaw_tray.runtime.serving import settle_memory
from metaclaw_tray.settings import Settings, Upstream
from metaclaw_tray.skills.live import build_snapshot
from metaclaw_tray.store.records import ToScribe
from metaclaw_tray.store.tables_library import SkillVersion
from support.processes import Program

_TOKEN = "t" * 43
_STAGES = ("server", "begin", "relay", "end", "loop")
_TOP = 40  # functions told
_HANG_SECONDS = 3600.0


class NoScribe:
    """A tee that does the keeper's work on a record, and keeps nothing."""

    def offer(self, record: ToScribe) -> bool:
        encode(record)
        return True


def library(count: int) -> Skills:
    """A live library of so many skills, of which one is about `TOPIC`."""
    now = datetime.now(UTC)
    versions = [
        SkillVersion(name=s.name, version=1, text=s.text, digest="", description=s.description, at=now)
        for s in skill_texts(count)
    ]
    skills = Skills()
    skills.live.replace(build_snapshot(1, versions))
    return skills


@asynccontextmanager
async def serving(upstream: str, skills: int, watch: Watch | None) -> AsyncIterator[str]:
    """The proxy; gives the base URL of an agent. Its parts are watched by the names they have inside."""
    settings = Settings()
    proxy: Any = Proxy(
        settings=lambda: settings,
        tokens=TokenTable({_TOKEN: "bench"}),
        skills=library(skills),
        tee=NoScribe(),
        clock=SystemClock(),
        key=b"k" * 32,
    )
    if watch:
        proxy._handle = watch.steps("server", proxy._handle)
        proxy._desk.begin = watch.calls("begin", proxy._desk.begin)
        proxy._desk.end = watch.calls("end", proxy._desk.end)
    port = await proxy.start(0)
    if watch:
        proxy._relay.run = watch.steps("relay", proxy._relay.run)
    speaks = {"base_url": upstream, "dialects": ["chat", "messages", "responses"]}
    proxy.replace_routing({"bench": Upstream.model_validate(speaks)}, "bench", {})
    try:
        yield f"http://127.0.0.1:{port}/a/{_TOKEN}/v1"
    finally:
        await proxy.drain(0)


class Profile:
    """Runs one kind of load on the proxy, plain or under the profiler."""

    def __init__(self, asked: argparse.Namespace, upstream: str, client: LoadClient) -> None:
        self._asked = asked
        self._upstream = upstream
        self._client = client

    async def plain(self, watch: Watch) -> str:
        """The stages of a turn, or why there are none."""
        asked = self._asked
        async with serving(self._upstream, asked.skills, watch) as url:
            await self._load(url, max(asked.turns // 10, 20))
            settle_memory()  # as the app does
            watch.reset()
            before = time.process_time()
            result = await self._load(url, asked.turns)
            busy = time.process_time() - before
        if result.unserved or result.wrong or not result.answers:
            return f"not served: {result.complaint or 'the proxy does not know this dialect yet'}"
        spent = {stage: watch.spent.get(stage, 0) / 1000 / result.answers for stage in _STAGES}
        whole = busy * 1e6 / result.answers
        spent["loop"] = whole - sum(spent.values())
        skilled = f"{result.injected} of {result.answers} turns with a skill"
        lines = [f"{asked.dialect}, {asked.size} KB, {asked.model}: {result.rate:.0f} turns/s, {skilled}"]
        lines += [f"  {stage:<8}{spent[stage]:>8.0f} µs of CPU a turn" for stage in _STAGES]
        return "\n".join([*lines, f"  {'whole':<8}{whole:>8.0f} µs"])

    async def profiled(self) -> None:
        async with serving(self._upstream, self._asked.skills, None) as url:
            await self._load(url, self._asked.turns)

    async def _load(self, url: str, turns: int) -> Result:
        asked = self._asked
        job = Job(
            url,
            asked.dialect,
            f"{asked.size} KB",
            asked.model,
            _HANG_SECONDS,
            asked.connections,
            topic=TOPIC if asked.topic else "the weather",
            turns=turns,
        )
        return await asyncio.to_thread(self._client.run, job)


def main() -> int:
    asked = _arguments()
    with ExitStack() as stack:
        model, client = (Program("-m", f"benchmarks.{name}", cpu=LOAD_CPU) for name in ("model", "client"))
        stack.callback(model.kill)
        stack.callback(client.kill)
        if hasattr(os, "sched_setaffinity") and PROXY_CPU in os.sched_getaffinity(0):
            os.sched_setaffinity(0, {PROXY_CPU})
        profile = Profile(asked, model.ready["url"], LoadClient(client))
        sys.stdout.write(uvloop.run(profile.plain(Watch())) + "\n\n")
        if asked.top:
            profiler = cProfile.Profile()
            profiler.runcall(uvloop.run, profile.profiled())
            for order in ("tottime", "cumulative"):
                stats = pstats.Stats(profiler, stream=sys.stdout).strip_dirs()
                stats.sort_stats(order).print_stats(asked.top)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.profile", description="Where the time goes.")
    parser.add_argument("dialect", choices=("chat", "messages", "responses"))
    parser.add_argument("size", choices=("8", "100"), help="KB of each request")
    parser.add_argument("--model", default="bench-json", help="bench-json, bench-burst or bench-paced")
    parser.add_argument("--turns", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=1)
    parser.add_argument("--skills", type=int, default=1, help="how many the library holds")
    parser.add_argument("--topic", action="store_true", help="ask for what a skill is about")
    parser.add_argument("--top", type=int, default=_TOP, help="functions told; 0: stages only")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
