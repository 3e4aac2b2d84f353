"""Labelled cases for judge, instruction and gate, and conversations made from them.

`cases.jsonl`: what came after an answer, which scores a fair judge may give, and whether the person stated a
standing instruction. `pairs.jsonl`: answers that do, and that do not do, what a remark about another answer
asked for. Prompts are tuned on the split `dev`; `test` is only counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from metaclaw_tray.clock import SystemClock
from metaclaw_tray.learning.support import Support
from metaclaw_tray.store.tables import Turn
from metaclaw_tray.store.turns import Conversation

_HERE = Path(__file__).parent


class Case(msgspec.Struct, frozen=True, rename={"source": "from", "following": "next"}):
    id: str
    split: str
    language: str
    request: str
    answer: str
    source: str  # person, tool or none: who spoke next
    following: str
    score: list[int]  # every score that a fair judge may give
    instruction: bool
    words: list[str] = []  # that a standing instruction must keep


class Pair(msgspec.Struct, frozen=True):
    id: str
    split: str
    taught_by: str  # the request that the remark was made in
    other: str  # the answer that it was made about
    said: str
    accepted: str  # the answer that the person took then
    request: str
    good: list[str]
    bad: list[str]

    @property
    def support(self) -> Support:
        return Support(self.id, self.taught_by, self.other, self.said, accepted=self.accepted)


def cases() -> list[Case]:
    return [msgspec.json.decode(line, type=Case) for line in _lines("cases.jsonl")]


def pairs() -> list[Pair]:
    return [msgspec.json.decode(line, type=Pair) for line in _lines("pairs.jsonl")]


def conversation(case: Case) -> Conversation:
    """The case as the store would tell it."""
    roles = {"person": "user", "tool": "tool"}
    following = ({"role": roles[case.source], "content": case.following},) if case.source in roles else ()
    return told(case.request, {"role": "assistant", "content": case.answer}, *following)


def told(request: str, answer: dict[str, Any], *following: dict[str, Any], system: str = "") -> Conversation:
    """A conversation of one turn, and what came next."""
    turn = Turn(
        id="turn",
        session_id="session",
        agent="agent",
        kind="main",
        outcome="ok",
        dialect="chat",
        upstream="up",
        model="m",
        request_node=b"",
        generation=0,
        begun_at=SystemClock().now(),
    )
    return Conversation(turn, system, ({"role": "user", "content": request},), answer, following)


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    right: int
    of: int

    def __str__(self) -> str:
        return f"{self.right} of {self.of}"

    def __float__(self) -> float:
        return self.right / max(1, self.of)


def share(marks: list[bool]) -> Share:
    return Share(sum(marks), len(marks))


def _lines(name: str) -> list[bytes]:
    return [line for line in (_HERE / name).read_bytes().splitlines() if line.strip()]
