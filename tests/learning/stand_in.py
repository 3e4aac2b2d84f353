"""A learning model that says what a test puts in its mouth, and keeps what it was asked.

It fails as the real one does: an exception among its answers is raised in their place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

from metaclaw_tray.learning.client import Asked, LearningModel, Outlay, UnusableAnswerError
from metaclaw_tray.learning.instruction import Reading
from metaclaw_tray.learning.judge import Vote

T = TypeVar("T")

UNUSABLE = UnusableAnswerError("The answer is of no use", "It is out of shape.", "")


class StandIn:
    """Answers by the kind of value that is asked for, one after another; the last one again and again."""

    name = "stand-in"

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.schemas: list[dict[str, Any]] = []
        self._answers: dict[type, list[Any]] = defaultdict(list)
        self.answer: Callable[[Asked], str] = lambda _: "an answer"
        self.usd: float | None = 0.0  # what any number of calls would come to
        self.left_usd = 0.5
        self.each_usd = 0.0  # what one call comes to
        self.foreseen = (0, 0, 0)
        self.weight: Callable[[Asked], float | None] = lambda _: None  # how likely the first option is

    def will(self, *answers: object) -> StandIn:
        """Answer with these, each where its type is asked for; an exception where a vote is."""
        for answer in answers:
            self._answers[Vote if isinstance(answer, Exception) else type(answer)].append(answer)
        return self

    def then(self, form: type, answer: object) -> StandIn:
        """Answer with this, value or exception, after what was to be said of this type before."""
        self._answers[form].append(answer)
        return self

    def reading(self, rule: str = "", type: str = "correction") -> StandIn:  # noqa: A002 the field's name
        return self.will(Reading(rule, cast(Any, type)))

    async def text(self, asked: Asked) -> str:
        self._take(asked)
        return self.answer(asked)

    async def fill(self, asked: Asked, form: type[T], schema: dict[str, Any]) -> T:
        self._take(asked)
        self.schemas.append(schema)
        waiting = self._answers[form]
        if not waiting:
            raise UNUSABLE
        answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if isinstance(answer, Exception):
            raise answer
        return cast(T, answer)

    async def weigh(self, asked: Asked, options: Sequence[str]) -> dict[str, float] | None:
        self._take(asked)
        first = self.weight(asked)
        return None if first is None else dict(zip(options, (first, 1 - first), strict=True))

    async def outlay(self, calls: int, sent: int, answered: int) -> Outlay:
        self.foreseen = (calls, sent, answered)
        return Outlay(calls, self.usd, self.left_usd)

    def _take(self, asked: Asked) -> None:
        if asked.allowance is not None:
            asked.allowance.take(self.each_usd)
        self.asked.append(asked)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[LearningModel]:
        yield self

    @property
    def seen(self) -> str:
        """All that was ever said to it."""
        return "\n".join(str(message["content"]) for asked in self.asked for message in asked.messages)
