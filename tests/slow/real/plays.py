"""What a scripted model does, whatever the dialect: it says something and calls tools, step after step.

A play is found by a word of the person's, and the step by how many results have come since. So a request that
is sent again gets the same answer, whoever sends it and after whatever restart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """A call of a tool. Text as arguments is for a tool that takes free text."""

    tool: str
    arguments: dict[str, Any] | str
    namespace: str = ""


@dataclass(frozen=True)
class Usage:
    """What an answer cost, in tokens; `input` holds what was cached."""

    input: int = 1200
    cached: int = 800
    output: int = 40


@dataclass(frozen=True)
class Step:
    """One answer."""

    text: str
    calls: tuple[Call, ...] = ()
    thought: str = ""
    usage: Usage = Usage()


@dataclass(frozen=True)
class Asked:
    """What of a request matters to a play."""

    said: tuple[str, ...]  # every text in the person's name, the oldest first
    results: tuple[int, ...]  # for each of them, how many results of tools came behind it
    tools: frozenset[str]
    stream: bool
    model: str


ASIDE = Step("Aside.", usage=Usage(300, 0, 5))
"""The answer to whatever no play is about."""

SUMMARY = Step(
    "<summary>\n"
    + "".join(f"{n}. The person asked for a change; it is done.\n" for n in range(1, 12))
    + "</summary>",
    usage=Usage(2400, 800, 90),
)
"""The answer to a client that wants its conversation made shorter; much shorter ones are asked for again."""

_SHORTER = ("CRITICAL: Respond with TEXT ONLY", "You are performing a CONTEXT CHECKPOINT COMPACTION")


class Repertoire:
    """Plays by the word that begins them."""

    def __init__(self) -> None:
        self._plays: dict[str, tuple[Step, ...]] = {}

    def add(self, word: str, *steps: Step) -> None:
        self._plays[word] = steps

    def step(self, asked: Asked) -> Step:
        """The next step of the play that was asked for last."""
        if asked.said and asked.said[-1].startswith(_SHORTER):
            return SUMMARY
        if not asked.tools:
            return ASIDE
        for said, results in reversed(list(zip(asked.said, asked.results, strict=True))):
            word = next((word for word in self._plays if word in said), None)
            if word is not None:
                return _at(self._plays[word], results)
        return ASIDE


def _at(steps: Iterable[Step], results: int) -> Step:
    """The step that follows on so many results."""
    before = 0
    step = ASIDE
    for step in steps:
        before += len(step.calls)
        if results < before:
            break
    return step
