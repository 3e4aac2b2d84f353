"""What the proxy costs, in one run beside the direct path and beside a bare forwarder.

    cd tests && python -m benchmarks.run [--smoke] [--seconds N] [--rounds N] [--json FILE]

The deterministic model and the load client share processor 0, the proxies have processor 1 (where the
system can pin processes). Every load runs on each target in turn, round after round; the table shows medians
over the rounds, and differences and quotients taken within a round, which hold where absolute times do not.
The app is the real one, in a temporary home: token, conversation tree, injection, scribe and store included;
its scribe shares processor 1 with it, which is the worst case.

`--seconds` is the length of each load; there are 28 in a round. `--smoke` is a run of less than a minute that
shows that everything works and says little about speed.

Exit code 1 if an answer was wrong, no skill was injected where one fits, or a record was dropped at 50 turns
a second. Never because something was slow: goals are printed beside what was measured.
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

from benchmarks.jobs import Job, Result
from benchmarks.report import CELLS, Cell, Figure, Sample, figures, table
from benchmarks.targets import Bench, Memory, Target, bench

_RATE = 50.0  # turns a second of the open loop
_GOALS = {"added": 0.6, "main": 90.0, "ready": 2.0}  # ms at one connection, MB, seconds


class Steady(Struct, frozen=True):
    """Fifty streamed turns a second, whatever the answers do."""

    target: str
    result: Result
    dropped: int


class Outcome(Struct, frozen=True):
    """All that a run found."""

    machine: dict[str, str]
    rounds: int
    seconds: float
    figures: list[Figure]
    steady: list[Steady]
    memory_before: list[Memory]
    memory_steady: list[Memory]  # after the turns of the open loop
    memory_after: list[Memory]  # after all loads, each of whose turns began a session of its own
    ready_first: float  # seconds, on an empty home
    ready_again: float
    complaints: list[str]  # what makes the run wrong, not slow


class Options(Struct, frozen=True):
    seconds: float
    rounds: int
    steady_seconds: float
    settle_seconds: float


def measure(running: Bench, options: Options, say: Callable[[str], object]) -> Outcome:
    """Run all loads."""
    before = running.memory()
    steady = _steady(running, options, say)
    after_steady = running.memory()
    samples: dict[str, dict[str, list[Sample]]] = {
        cell.name: {target.name: [] for target in running.targets} for cell in CELLS
    }
    for number in range(options.rounds):
        say(f"round {number + 1} of {options.rounds}")
        for cell in CELLS:
            for target in _turned(running.targets, number):
                samples[cell.name][target.name].append(_load(running, cell, target, options))
    complaints = [
        *(f"{each.dropped} records dropped at {_RATE:.0f} turns a second" for each in steady if each.dropped),
        *(_complaint(each.result, running.target(each.target), "steady") for each in steady),
        *(
            _complaint(sample.result, target, cell.name)
            for cell in CELLS
            for target in running.targets
            for sample in samples[cell.name][target.name]
        ),
    ]
    return Outcome(
        machine={
            "python": platform.python_version(),
            "system": platform.platform(),
            "processors": str(os.cpu_count()),
            "load average": ", ".join(f"{load:.1f}" for load in os.getloadavg()),
        },
        rounds=options.rounds,
        seconds=options.seconds,
        figures=figures(CELLS, samples),
        steady=steady,
        memory_before=before,
        memory_steady=after_steady,
        memory_after=running.memory(),
        ready_first=running.ready_first,
        ready_again=running.ready_again,
        complaints=[each for each in complaints if each],
    )


def _turned(targets: Sequence[Target], number: int) -> list[Target]:
    """Another target begins in each round."""
    at = number % len(targets)
    return [*targets[at:], *targets[:at]]


def _load(running: Bench, cell: Cell, target: Target, options: Options) -> Sample:
    """One load, and the wait for the scribe to have stored it."""
    before = running.busy(target)
    job = Job(target.url, "chat", "8 KB", cell.model, options.seconds, cell.connections, topic=target.topic)
    result = running.client.run(job)
    running.settle(options.settle_seconds)
    return Sample(result, {role: now - before.get(role, 0.0) for role, now in running.busy(target).items()})


def _steady(running: Bench, options: Options, say: Callable[[str], object]) -> list[Steady]:
    found = []
    for target in running.targets:
        through_app = running.through_app(target)
        seconds = options.steady_seconds if through_app else min(options.steady_seconds, 5.0)
        say(f"{_RATE:.0f} turns a second for {seconds:.0f} s: {target.name}")
        before = running.dropped()
        result = running.client.run(
            Job(target.url, "chat", "8 KB", "bench-burst", seconds, rate=_RATE, topic=target.topic)
        )
        running.settle(options.settle_seconds)
        found.append(Steady(target.name, result, running.dropped() - before))
    return found


def _complaint(result: Result, target: Target, load: str) -> str:
    if result.wrong:
        return f"{target.name}, {load}: {result.wrong} wrong answers; the first: {result.complaint}"
    if not result.answers:
        return f"{target.name}, {load}: no answer came"
    if bool(result.injected) != target.injects:  # some may lack it: a look-up that is late injects nothing
        return f"{target.name}, {load}: {result.injected} of {result.answers} answers had a skill"
    return ""


def report(outcome: Outcome) -> str:
    """The run as a person reads it."""
    names = [each.target for each in outcome.steady]
    lines = [
        f"Requests of 8 KB. Medians of {outcome.rounds} rounds of {outcome.seconds:g} s. "
        f"Load average of the machine: {outcome.machine['load average']}.",
        "",
        table(outcome.figures, names),
        f"{_RATE:.0f} streamed turns a second, for {max(s.result.seconds for s in outcome.steady):.0f} s",
        _plain("p50", "ms", [f"{s.result.whole.p50:.2f}" for s in outcome.steady]),
        _plain("p99", "ms", [f"{s.result.whole.p99:.2f}" for s in outcome.steady]),
        _plain("records dropped", "", [str(s.dropped) for s in outcome.steady]),
        "",
        "Memory, MB (idle → after the steady turns → after all loads)",
        *_memory_lines(outcome),
        f"Ready after {outcome.ready_first:.2f} s on an empty home, {outcome.ready_again:.2f} s again",
        "",
        *_goal_lines(outcome),
        *(f"WRONG: {each}" for each in outcome.complaints),
    ]
    return "\n".join(lines)


def _plain(name: str, unit: str, values: Sequence[str]) -> str:
    return f"  {name:<26}{unit:>4}  " + "".join(f"{value:>13}" for value in values)


def _memory_lines(outcome: Outcome) -> list[str]:
    moments = (outcome.memory_before, outcome.memory_steady, outcome.memory_after)
    known = [{each.role: each.rss for each in moment} for moment in moments]
    return [
        f"  {role:<12}" + " → ".join(f"{rss.get(role, 0.0):6.1f}" for rss in known)
        for role in dict.fromkeys(each.role for moment in moments for each in moment)
    ]


def _goal_lines(outcome: Outcome) -> list[str]:
    """What was hoped for, beside what came."""
    alone = next(each for each in outcome.figures if each.cell == CELLS[0].name and each.name == "p50")
    main = max(each.rss for each in outcome.memory_steady if each.role == "main")
    ready = max(outcome.ready_first, outcome.ready_again)
    goals = [
        ("added p50 at one connection, ms", max(v for t, v in alone.added.items() if "proxy" in t), "added"),
        ("main process, MB", main, "main"),
        ("ready, s", ready, "ready"),
    ]
    return [
        f"goal: {name} under {_GOALS[key]:g}: {value:.2f}, {'met' if value < _GOALS[key] else 'MISSED'}"
        for name, value, key in goals
    ]


def _options(arguments: argparse.Namespace) -> Options:
    if arguments.smoke:
        return Options(arguments.seconds or 0.3, arguments.rounds or 1, 5.0, 3.0)
    return Options(arguments.seconds or 2.0, arguments.rounds or 3, 60.0, 20.0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="What the proxy costs.")
    parser.add_argument("--smoke", action="store_true", help="a short run that only shows that all works")
    parser.add_argument("--seconds", type=float, help="length of each load")
    parser.add_argument("--rounds", type=int, help="how often each load runs on each target")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, bench(Path(folder)) as running:
        outcome = measure(running, _options(arguments), lambda line: sys.stderr.write(line + "\n"))
    sys.stdout.write(report(outcome) + "\n")
    if arguments.json:
        arguments.json.write_bytes(msgspec.json.format(msgspec.json.encode(outcome), indent=2) + b"\n")
    return 1 if outcome.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
