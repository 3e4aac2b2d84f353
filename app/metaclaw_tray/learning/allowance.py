"""What one measuring may take at most: what was said before it began, held to the last call.

A call is counted when it is answered, and what it may cost is taken out before it is sent. So neither number
is ever passed, whatever a model's server makes of it: where the next call could pass one, it is not made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from metaclaw_tray.errors import LearningError

if TYPE_CHECKING:
    from metaclaw_tray.learning.model import Asked, LearningModel, Outlay

T = TypeVar("T")

_ROUNDING = 1e-9  # USD


class SpentError(LearningError):
    """The next call could take more than was said before."""


class Allowance:
    """So many calls, and so many USD."""

    def __init__(self, calls: int, usd: float) -> None:
        self._most = calls
        self._calls = calls
        self._usd = usd

    def take(self, usd: float) -> None:
        """Take out one call that costs so much at most. Raises SpentError where there is not that much."""
        if self._calls < 1 or usd > self._usd + _ROUNDING:
            raise SpentError(
                "What was said before is used up",
                f"It was to take up to {self._most} calls, and the next one could pass that or its price.",
                "",
            )
        self._calls -= 1
        self._usd -= usd

    def settle(self, taken: float, usd: float | None, *, answered: bool) -> None:
        """Put back what was taken out for a call and not needed: it came to `usd`, or nobody knows what it
        came to (None). One that a server turned down is no call."""
        if not answered:
            self._calls += 1
        if usd is not None:
            self._usd += taken - usd


class Within:
    """A learning model, held to an allowance."""

    def __init__(self, model: LearningModel, allowance: Allowance) -> None:
        self._model = model
        self._allowance = allowance

    @property
    def name(self) -> str:
        return self._model.name

    async def text(self, asked: Asked) -> str:
        return await self._model.text(self._held(asked))

    async def fill(self, asked: Asked, form: type[T], schema: dict[str, Any]) -> T:
        return await self._model.fill(self._held(asked), form, schema)

    async def weigh(self, asked: Asked, options: Sequence[str]) -> dict[str, float] | None:
        return await self._model.weigh(self._held(asked), options)

    async def outlay(self, calls: int, sent: int, answered: int) -> Outlay:
        return await self._model.outlay(calls, sent, answered)

    def _held(self, asked: Asked) -> Asked:
        return replace(asked, allowance=self._allowance)
