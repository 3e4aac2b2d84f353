"""What the benchmark asks of its load client, and what it gets back, as lines of JSON."""

from __future__ import annotations

from msgspec import Struct

HANG_SECONDS = 60.0
"""How much longer than it should a load may take before its answers are given up."""


class Job(Struct, frozen=True):
    """One load on one target.

    With `rate` 0 it is a closed loop: each of `connections` asks again as soon as it was answered. Otherwise
    an open loop: `rate` requests a second whatever the answers do; times count from when a request was due.
    """

    url: str  # base URL, ends in /v1
    dialect: str
    size: str  # of the requests: see benchmarks.conversations
    model: str  # decides the shape of the answers: see benchmarks.answers
    seconds: float
    connections: int = 1
    rate: float = 0.0
    topic: str = "the weather"  # what the person's last message is about
    turns: int = 0  # ends the load before its time; 0 where only time ends it


class Spread(Struct, frozen=True):
    """How a quantity lies, in milliseconds."""

    p50: float
    p99: float


class Result(Struct, frozen=True):
    answers: int  # right ones
    wrong: int
    complaint: str  # the first thing that was wrong
    injected: int  # answers whose headers name a skill
    seconds: float  # how long the load really took
    whole: Spread  # from sending the request, or from when it was due, to the end of the answer
    first_byte: Spread  # … to the first byte of the body
    lag: Spread  # from a chunk's send time to its arrival; zeros where chunks carry none
    unserved: bool = False  # the target does not know the dialect, or the model (404)

    @property
    def rate(self) -> float:
        """Right answers a second."""
        return self.answers / self.seconds if self.seconds else 0.0
