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

from benchmarks.aged import add_skills, add_turns
from benchmarks.jobs import HANG_SECONDS, Job, Result
from benchmarks.outcome import Memory
from benchmarks.report import DIRECT, FORWARDER
from benchmarks.skills import TOPIC
from metaclaw_tray.paths import Paths
from support.processes import Home, Program

_P = TypeVar("_P", bound=Program)

LOAD_CPU, PROXY_CPU = 0, 1  # the model and the load client share one, what is measured has the other


@dataclass(frozen=True)
class Target:
    """One way from the client to the model."""

    name: str
    url: str
    topic: str = "the weather"
    injects: bool = False
    through_app: bool = False


@dataclass(frozen=True)
class Stored:
    """What the store holds before the app starts."""

    turns: int = 0
    skills: int = 1


class LoadClient:
    """The process that makes the load. One job at a time."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def run(self, job: Job) -> Result:
        """Put a load on. Raises StartError with the client's last words where it broke."""
        to_client = self._program.process.stdin
        assert to_client
        to_client.write(msgspec.json.encode(job) + b"\n")
        to_client.flush()
        return msgspec.json.decode(self._program.line(job.seconds + 2 * HANG_SECONDS), type=Result)


class _Patient(Program):
    """A program whose start is measured, and not cut short."""

    def line(self, seconds: float) -> bytes:
        return super().line(max(seconds, HANG_SECONDS * 5))


class Bench:
    """Everything that runs while the benchmark does."""

    def __init__(self, stack: ExitStack, folder: Path, stored: Stored) -> None:
        self._stack = stack
        self.model = self._keep(Program("-m", "benchmarks.model", cpu=LOAD_CPU))
        load = self._keep(Program("-m", "benchmarks.client", cpu=LOAD_CPU, log=folder / "client.log"))
        self.client = LoadClient(load)
        self._load = [self.model, load]
        url = self.model.ready["url"]
        self.forwarder = self._keep(Program("-m", "benchmarks.forwarder", url, cpu=PROXY_CPU))
        self.home = Home(folder / "home")
        new = self._serve()
        try:
            token = self._prepare(url)
        finally:
            new.stop()
        self.ready_new, self.file_size = new.ready_seconds, self._fill(stored)
        first = self._serve()
        first.stop()
        self.app = self._keep(self._serve())
        self.ready_first, self.ready_again = first.ready_seconds, self.app.ready_seconds
        through = f"{self.app.ready['url']}/a/{token}/v1"
        self.targets = [
            Target(DIRECT, url),
            Target(FORWARDER, self.forwarder.ready["url"]),
            Target("proxy", through, through_app=True),
            Target("proxy+skill", through, TOPIC, injects=True, through_app=True),
        ]

    def _keep(self, program: _P) -> _P:
        self._stack.callback(program.stop)
        return program

    def _serve(self) -> Program:
        """Start the app, as `Home.serve` does, but wait for it however much it has to read first."""
        serve = ("-m", "metaclaw_tray", "serve", "--json", "--port", "0")
        return _Patient(*serve, env=self.home.env, cpu=PROXY_CPU, log=self.home.folder.with_suffix(".log"))

    def _prepare(self, url: str) -> str:
        """Make the model and an agent known, as a person would; the agent's token."""
        dialects = "chat,messages,responses"
        self.home.do("upstream", "add", "bench", "--base-url", url, "--dialects", dialects, "--default")
        token: str = json.loads(self.home.do("agents", "add", "bench", "--json"))["token"]
        return token

    def _fill(self, stored: Stored) -> float:
        """Write what shall be there before the app starts; MB of the file then."""
        file = Paths.find(self.home.env).store_file
        if stored.turns:
            add_turns(file, stored.turns, "bench")
        add_skills(file, stored.skills)
        return file.stat().st_size / 2**20

    def target(self, name: str) -> Target:
        return next(each for each in self.targets if each.name == name)

    def free_the_scribe(self) -> None:
        """Let the scribe run on any processor, where the system can pin processes."""
        for each in self.app.tree():
            if _role(each) == "scribe" and hasattr(each, "cpu_affinity"):
                each.cpu_affinity(list(range(psutil.cpu_count() or 1)))

    def memory(self) -> list[Memory]:
        """The app's processes, each by its role."""
        return [Memory(_role(each), each.memory_info().rss / 2**20) for each in self.app.tree()]

    def busy(self, target: Target) -> dict[str, float]:
        """CPU seconds that the processes on this path have taken since they started, by role; "load" is the
        client and the model together."""
        load = {"load": sum(_cpu_seconds(each.tree()) for each in self._load)}
        if target.name == FORWARDER:
            return load | {"forwarder": _cpu_seconds(self.forwarder.tree())}
        if target.through_app:
            return load | {_role(each): _cpu_seconds([each]) for each in self.app.tree()}
        return load

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
def bench(folder: Path, stored: Stored, *, beside: bool = False) -> Iterator[Bench]:
    """Start everything below `folder`; stop everything afterwards. `beside` keeps the scribe on the app's
    processor."""
    with ExitStack() as stack:
        running = Bench(stack, folder, stored)
        if not beside:
            running.free_the_scribe()
        yield running
