"""The paths that are measured side by side, and the processes behind them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec
import psutil

from benchmarks.jobs import Job, Result
from benchmarks.report import DIRECT, FORWARDER
from support.processes import Home, Program

_P = TypeVar("_P", bound=Program)

LOAD_CPU, PROXY_CPU = 0, 1  # the model and the load client share one, what is measured has the other
_TOPIC = "timestamps of calendar meetings"
_SKILL = f"""---
name: timestamps-of-meetings
description: How to write timestamps of calendar meetings. Use when the person asks about {_TOPIC}.
---

Write every date and time as ISO 8601 with its offset, such as 2026-03-01T09:30:00+01:00. Name the time zone
of the person where it differs from that of the meeting. Never write a bare time of day.
"""


@dataclass(frozen=True)
class Target:
    """One way from the client to the model."""

    name: str
    url: str
    topic: str = "the weather"
    injects: bool = False


@dataclass(frozen=True)
class Memory:
    """Resident memory of one process, in MB."""

    role: str
    rss: float


class LoadClient:
    """The process that makes the load. One job at a time."""

    def __init__(self, program: Program) -> None:
        self._process = program.process

    def run(self, job: Job) -> Result:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(msgspec.json.encode(job) + b"\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline(), type=Result)


class Bench:
    """Everything that runs while the benchmark does."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack = stack
        self.model = self._keep(Program("-m", "benchmarks.model", cpu=LOAD_CPU))
        self.client = LoadClient(self._keep(Program("-m", "benchmarks.client", cpu=LOAD_CPU)))
        self.forwarder = self._keep(
            Program("-m", "benchmarks.forwarder", self.model.ready["url"], cpu=PROXY_CPU)
        )
        self.home = Home(folder / "home")
        first = self.home.serve(PROXY_CPU)
        try:
            self._prepare(folder)
        finally:
            first.stop()
        self.app = self._keep(self.home.serve(PROXY_CPU))
        self.ready_first, self.ready_again = first.ready_seconds, self.app.ready_seconds
        through = f"{self.app.ready['url']}/a/{self._token}/v1"
        self.targets = [
            Target(DIRECT, self.model.ready["url"]),
            Target(FORWARDER, self.forwarder.ready["url"]),
            Target("proxy", through),
            Target("proxy+skill", through, _TOPIC, injects=True),
        ]

    def _keep(self, program: _P) -> _P:
        self._stack.callback(program.stop)
        return program

    def _prepare(self, folder: Path) -> None:
        """Make the model, an agent and a skill known, as a person would."""
        self.home.do("upstream", "add", "bench", "--base-url", self.model.ready["url"], "--default")
        self._token = json.loads(self.home.do("agents", "add", "bench", "--json"))["token"]
        skill = folder / "timestamps-of-meetings"
        skill.mkdir()
        (skill / "SKILL.md").write_text(_SKILL)
        self.home.do("skills", "add", str(skill), "--yes")

    def target(self, name: str) -> Target:
        return next(each for each in self.targets if each.name == name)

    def memory(self) -> list[Memory]:
        """The app's processes, each by its role."""
        return [Memory(_role(each), each.memory_info().rss / 2**20) for each in self.app.tree()]

    def busy(self, target: Target) -> dict[str, float]:
        """CPU seconds that the processes on this path have taken since they started, by role."""
        if target.name == FORWARDER:
            return {"forwarder": _cpu_seconds(self.forwarder.tree())}
        if self.through_app(target):
            return {_role(each): _cpu_seconds([each]) for each in self.app.tree()}
        return {}

    def through_app(self, target: Target) -> bool:
        return target.url.startswith(self.app.ready["url"])

    def dropped(self) -> int:
        """Records that the app says it had to drop since it started."""
        return int(json.loads(self.home.do("status", "--json"))["dropped_records"])

    def settle(self, seconds: float) -> None:
        """Wait until the app has nothing left to do, so that what follows is measured alone."""
        until = time.monotonic() + seconds
        before = _cpu_seconds(self.app.tree())
        while time.monotonic() < until:
            time.sleep(0.2)
            now = _cpu_seconds(self.app.tree())
            if now - before < 0.015:
                return
            before = now


def _role(process: psutil.Process) -> str:
    line = process.cmdline()
    return line[line.index("--child") + 1] if "--child" in line else "main"


def _cpu_seconds(processes: list[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in processes)


@contextmanager
def bench(folder: Path) -> Iterator[Bench]:
    """Start everything below `folder`; stop everything afterwards."""
    with ExitStack() as stack:
        yield Bench(stack, folder)
