"""What the proxy costs, in one run beside the direct path and beside a bare forwarder.

    cd tests && python -m benchmarks.run [--smoke] [options]

    --dialects chat,messages,responses    --sizes 8,100    what is asked (all, unless told otherwise)
    --seconds N    --rounds N        length of each load, and how often each runs on each target
    --steady-seconds N               50 streamed turns a second for so long, in each dialect after the other
    --growth N                       make N turns more and tell how memory grew (100000)
    --aged                           do all this with a store of 1,000,000 turns and 10,000 skills
    --beside                         keep the scribe on the app's processor, which is the worst case
    --json FILE                      write all that was found there

The deterministic model and the load client share processor 0, the proxies have processor 1 (where the
system can pin processes). Every load runs on each target in turn, round after round; the table shows medians
over the rounds, and differences and quotients taken within a round, which hold where absolute times do not.
The app is the real one, in a temporary home: token, conversation tree, injection, scribe and store included;
its scribe, which gives way to all others, runs wherever the system puts it. "load on processor 0" near 100 %
says that the client and the model were the limit of a cell, and not what stood between them.

`--smoke` is a run of about a minute that shows that everything works and says little about speed.

Exit code 1 if an answer was wrong, no skill was injected where one fits, or a record was dropped at 50 turns
a second. Never because something was slow: goals are printed beside what was measured. A dialect that the
app does not serve is told as such.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.cells import DIALECTS, LONG, SHORT, Cell, cells, few_cells
from benchmarks.growth import growth
from benchmarks.jobs import Job, Result
from benchmarks.outcome import Outcome, Steady
from benchmarks.report import Sample, figures, judged
from benchmarks.targets import Bench, Stored, Target, bench
from benchmarks.telling import told

_RATE = 50.0  # turns a second of the steady loads
_BRIEFLY = 5.0  # seconds of a steady load that is only there to compare with

Say = Callable[[str], object]


class Options(Struct, frozen=True):
    cells: list[Cell]
    seconds: float
    rounds: int
    steady_seconds: float
    growth: int
    settle_seconds: float

    @property
    def dialects(self) -> list[str]:
        return list(dict.fromkeys(cell.dialect for cell in self.cells))


class Run:
    """One run, on everything that is up."""

    def __init__(self, running: Bench, options: Options, say: Say) -> None:
        self._running = running
        self._options = options
        self._say = say
        self._complaints: list[str] = []
        self._unserved: list[str] = []

    def measure(self, stored: Stored) -> Outcome:
        """Put all loads on all targets."""
        running, options = self._running, self._options
        running.settle(options.settle_seconds)
        before = running.memory()
        steady = [each for dialect in options.dialects for each in self._steady(dialect)]
        after_steady = running.memory()
        samples: dict[str, dict[str, list[Sample]]] = {cell.name: {} for cell in options.cells}
        for number in range(options.rounds):
            for cell in options.cells:
                self._say(f"round {number + 1} of {options.rounds}: {cell.name}")
                for target in _turned(running.targets, number):
                    if self._served(target, cell.dialect):
                        sample = self._sample(cell, target)
                        if self._served(target, cell.dialect):
                            samples[cell.name].setdefault(target.name, []).append(sample)
        after = running.memory()
        through = running.target("proxy+skill")
        served = [each for each in options.dialects if self._served(through, each)]
        grown = growth(running, through, served, options.growth, self._say) if options.growth else None
        if grown and grown.wrong:
            self._complaints.append(f"{grown.wrong} wrong answers while memory was watched")
        some = figures(options.cells, samples)
        return Outcome(
            machine={
                "python": platform.python_version(),
                "system": platform.platform(),
                "processors": str(os.cpu_count()),
                "load average": ", ".join(f"{load:.1f}" for load in os.getloadavg()),
            },
            stored={"turns": stored.turns, "skills": stored.skills, "MB": running.file_size},
            rounds=options.rounds,
            seconds=options.seconds,
            figures=some,
            judged=judged(options.cells, some, [each.name for each in running.targets if each.through_app]),
            steady=steady,
            growth=grown,
            memory_before=before,
            memory_steady=after_steady,
            memory_after=after,
            ready_new=running.ready_new,
            ready_first=running.ready_first,
            ready_again=running.ready_again,
            unserved=self._unserved,
            complaints=self._complaints,
        )

    def _served(self, target: Target, dialect: str) -> bool:
        return f"{target.name}: {dialect}" not in self._unserved

    def _sample(self, cell: Cell, target: Target) -> Sample:
        """One load, and the wait for the scribe to have stored it."""
        running, options = self._running, self._options
        before = running.busy(target)
        result = running.client.run(
            Job(
                target.url,
                cell.dialect,
                cell.size,
                cell.model,
                options.seconds,
                cell.connections,
                topic=target.topic,
            )
        )
        load = running.busy(target)["load"] - before["load"]
        if target.through_app:
            running.settle(options.settle_seconds)
        busy = {role: now - before.get(role, 0.0) for role, now in running.busy(target).items()}
        self._check(result, target, cell.dialect, cell.name)
        return Sample(result, busy | {"load": load})

    def _steady(self, dialect: str) -> list[Steady]:
        """A steady load on each target, and the long one where skills are injected."""
        running, options, found = self._running, self._options, []
        for target in running.targets:
            seconds = options.steady_seconds if target.injects else min(options.steady_seconds, _BRIEFLY)
            self._say(f"{_RATE:.0f} turns a second for {seconds:.0f} s: {dialect}, {target.name}")
            before = running.dropped() if target.through_app else 0
            job = Job(target.url, dialect, LONG, "bench-burst", seconds, rate=_RATE, topic=target.topic)
            result = running.client.run(job)
            running.settle(options.settle_seconds)
            self._check(result, target, dialect, f"{dialect}, steady")
            if self._served(target, dialect):
                dropped = running.dropped() - before if target.through_app else 0
                found.append(Steady(target.name, dialect, LONG, _RATE, result, dropped))
                if dropped:
                    self._complaints.append(
                        f"{dialect}: {dropped} records dropped at {_RATE:.0f} turns a second"
                    )
        return found

    def _check(self, result: Result, target: Target, dialect: str, load: str) -> None:
        """Note what makes a load wrong. Some answers may lack a skill: a late look-up injects none."""
        name = f"{target.name}, {load}"
        if result.unserved:
            self._unserved.append(f"{target.name}: {dialect}")
        elif result.wrong:
            self._complaints.append(f"{name}: {result.wrong} wrong answers; the first: {result.complaint}")
        elif not result.answers:
            self._complaints.append(f"{name}: no answer came")
        elif bool(result.injected) != target.injects:
            self._complaints.append(f"{name}: {result.injected} of {result.answers} answers had a skill")


def _turned(targets: Sequence[Target], number: int) -> list[Target]:
    """Another target begins in each round."""
    at = number % len(targets)
    return [*targets[at:], *targets[:at]]


def _options(asked: argparse.Namespace) -> Options:
    sizes = [size for size in (SHORT, LONG) if size.removesuffix(" KB") in asked.sizes.split(",")]
    dialects = [dialect for dialect in DIALECTS if dialect in asked.dialects.split(",")]
    if asked.smoke:
        chosen = [cell for cell in few_cells() if cell.dialect in dialects and cell.size in sizes]
        return Options(chosen, asked.seconds or 0.3, asked.rounds or 1, asked.steady_seconds or 1.0, 500, 3.0)
    chosen = cells(dialects, sizes)
    seconds, rounds, steady = asked.seconds or 2.0, asked.rounds or 3, asked.steady_seconds or 60.0
    return Options(chosen, seconds, rounds, steady, asked.growth, 20.0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="What the proxy costs.")
    parser.add_argument("--smoke", action="store_true", help="a short run that only shows that all works")
    parser.add_argument("--dialects", default=",".join(DIALECTS))
    parser.add_argument("--sizes", default="8,100", help="KB of the requests")
    parser.add_argument("--seconds", type=float, help="length of each load")
    parser.add_argument("--rounds", type=int, help="how often each load runs on each target")
    parser.add_argument("--steady-seconds", type=float, help="length of the steady loads")
    parser.add_argument("--growth", type=int, default=0, metavar="N", help="watch memory over so many turns")
    parser.add_argument("--aged", action="store_true", help="with 1,000,000 turns and 10,000 skills stored")
    parser.add_argument("--beside", action="store_true", help="keep the scribe on the app's processor")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was found there")
    asked = parser.parse_args()
    stored = Stored(1_000_000, 10_000) if asked.aged else Stored()
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder), stored, beside=asked.beside) as running:
        run = Run(running, _options(asked), lambda line: sys.stderr.write(line + "\n"))
        outcome = run.measure(stored)
        names = [target.name for target in running.targets]
    sys.stdout.write(told(outcome, names) + "\n")
    if asked.json:
        asked.json.write_bytes(msgspec.json.format(msgspec.json.encode(outcome), indent=2) + b"\n")
    return 1 if outcome.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
