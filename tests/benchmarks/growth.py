"""Whether the app's memory grows with its use.

Every turn is one of a conversation of its own, which is the worst case; sessions end after a minute of
silence here, so that what lives with a session has its full size before the second half begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import linear_regression

from benchmarks.cells import SHORT
from benchmarks.jobs import Job
from benchmarks.outcome import Growth, Memory
from benchmarks.targets import Bench, Target

_SAMPLES = 10
_PIECE = 1000  # turns that the pipe to the scribe can hold, so that none is dropped
_CONNECTIONS = 4
_HANG_SECONDS = 300.0


def growth(
    running: Bench, target: Target, dialects: Sequence[str], turns: int, say: Callable[[str], object]
) -> Growth:
    """Make so many turns, in all these dialects by turns, and sample memory after each tenth of them."""
    running.home.do("config", "set", "sessions.silence_minutes", "1")
    dropped, wrong = running.dropped(), 0
    at, memory = [0], [running.memory()]
    for sample in range(1, _SAMPLES + 1):
        say(f"growth: {at[-1]:,} of {turns:,} turns")
        dialect, until = dialects[sample % len(dialects)], turns * sample // _SAMPLES
        for first in range(at[-1], until, _PIECE):
            job = Job(
                target.url,
                dialect,
                SHORT,
                "bench-json",
                _HANG_SECONDS,
                _CONNECTIONS,
                topic=target.topic,
                turns=min(_PIECE, until - first),
            )
            wrong += running.client.run(job).wrong
            running.settle(20.0)
        at.append(until)
        memory.append(running.memory())
    return Growth(at, memory, slopes(at, memory), running.dropped() - dropped, wrong)


def slopes(turns: Sequence[int], memory: Sequence[Sequence[Memory]]) -> dict[str, float]:
    """MB per 100,000 turns by role, over the second half of the turns."""
    half = [place for place, count in enumerate(turns) if count * 2 >= turns[-1]]
    found = {}
    for role in dict.fromkeys(each.role for each in memory[-1]):
        points = [(turns[place], each.rss) for place in half for each in memory[place] if each.role == role]
        if len(points) > 1:
            found[role] = linear_regression(*zip(*points, strict=True)).slope * 100_000
    return found
