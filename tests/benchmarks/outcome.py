"""All that a run of the benchmark finds."""

from __future__ import annotations

from msgspec import Struct

from benchmarks.jobs import Result
from benchmarks.report import Figure, Judged


class Memory(Struct, frozen=True):
    """Resident memory of one process of the app, in MB."""

    role: str  # main, scribe …
    rss: float


class Steady(Struct, frozen=True):
    """Streamed turns at a steady rate, whatever the answers do."""

    target: str
    dialect: str
    size: str
    rate: float  # turns a second
    result: Result
    dropped: int  # records


class Growth(Struct, frozen=True):
    """The app's memory while many turns go through it."""

    turns: list[int]  # how many had been made at each sample
    memory: list[list[Memory]]  # a sample each
    slope: dict[str, float]  # MB per 100,000 turns over the second half of them, by role
    dropped: int  # records
    wrong: int


class Outcome(Struct, frozen=True):
    machine: dict[str, str]
    stored: dict[str, float]  # turns and skills in the store before the app started, and MB of its file
    rounds: int
    seconds: float  # of each load
    figures: list[Figure]
    judged: list[Judged]
    steady: list[Steady]
    growth: Growth | None
    memory_before: list[Memory]
    memory_steady: list[Memory]  # after the steady turns
    memory_after: list[Memory]  # after all loads
    ready_new: float  # seconds, on an empty home
    ready_first: float  # the first time with what is stored
    ready_again: float  # once more
    unserved: list[str]  # dialects that a target does not know
    complaints: list[str]  # what makes the run wrong, not slow
