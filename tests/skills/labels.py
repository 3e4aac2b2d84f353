"""The labelled requests, and what retrieval makes of them: counts with their Wilson intervals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from metaclaw_tray.skills.fields import Entry
from metaclaw_tray.skills.retrieval import Index

_FOLDER = Path(__file__).with_name("labelled")
SHOWN = 2
"""Skills that a request may get."""


@dataclass(frozen=True)
class Labelled:
    """A request, and the skills that fit it: those in one of whose languages it is, and the others."""

    language: str
    kind: str
    text: str
    within: frozenset[str]
    across: frozenset[str]


@dataclass(frozen=True)
class Share:
    """`k` of `n`, with Wilson's interval of 95 percent."""

    k: int
    n: int

    @property
    def value(self) -> float:
        return self.k / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        if not self.n:
            return 0.0, 1.0
        z = 1.959964
        middle, spread = self.value + z * z / 2 / self.n, self.value * (1 - self.value) / self.n
        half = z * sqrt(spread + (z / 2 / self.n) ** 2)
        scale = 1 + z * z / self.n
        return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.k}/{self.n} = {self.value:.3f} [{low:.3f}, {high:.3f}]"


def _rows(name: str) -> list[dict[str, Any]]:
    lines = (_FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


SKILLS = {row["name"]: row for row in _rows("skills")}
ENTRIES = [Entry(row["name"], row["description"], tuple(row["triggers"])) for row in SKILLS.values()]


def requests(split: str) -> list[Labelled]:
    """The requests of a split, dev or test."""
    found = []
    for row in _rows(split):
        within = frozenset(name for name in row["fits"] if row["language"] in SKILLS[name]["languages"])
        across = frozenset(row["fits"]) - within
        found.append(Labelled(row["language"], row["kind"], row["text"], within, across))
    return found


def recall(index: Index, of: Iterable[Labelled], fitting: Callable[[Labelled], frozenset[str]]) -> Share:
    """How many of the skills that fit are among the first two."""
    k = n = 0
    for request in of:
        n += len(fitting(request))
        k += len(fitting(request) & {match.name for match in index.find(request.text, SHOWN)})
    return Share(k, n)


def false_injection(index: Index, of: Iterable[Labelled]) -> Share:
    """How many of the requests that need no skill get one."""
    needless = [request for request in of if not request.within | request.across]
    return Share(sum(bool(index.find(request.text, SHOWN)) for request in needless), len(needless))
