"""A learning model that is asked only while no agent works.

On a laptop the model that learns may be the model that answers, and the person's agent comes first. So each
call waits until no request has been open for a while, unless the person asked for learning now. A machine
that slept during a call lets it run into its time limit: that says nothing about the model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.learning.model import Asked, LearningModel, Outlay, TooSlowError

T = TypeVar("T")
Quiet = Callable[[], bool]

LOOK_SECONDS = 1.0  # between two looks at whether it is quiet
_SLEPT_SECONDS = 30.0  # by the clock on the wall, beyond the time limit of a call


class SleptError(UpstreamError):
    """The machine slept in the middle of a call."""


class Calm:
    """Waits until no agent works."""

    def __init__(self, is_quiet: Quiet) -> None:
        self._is_quiet = is_quiet
        self._hurried = 0
        self.waits = False  # now

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """Wait for nothing while the block lasts: the person wants it now."""
        self._hurried += 1
        try:
            yield
        finally:
            self._hurried -= 1

    async def comes(self) -> None:
        """Return when no agent works, or when somebody is in a hurry."""
        try:
            while not self._hurried and not self._is_quiet():
                self.waits = True
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self.waits = False


class PatientModel:
    """A learning model that lets agents go before."""

    def __init__(self, model: LearningModel, calm: Calm, clock: Clock, seconds: float) -> None:
        """`seconds`: how long one call of the model may take."""
        self._model = model
        self._calm = calm
        self._clock = clock
        self._seconds = seconds

    @property
    def name(self) -> str:
        return self._model.name

    async def text(self, asked: Asked) -> str:
        return await self._call(lambda: self._model.text(asked))

    async def fill(self, asked: Asked, form: type[T], schema: dict[str, Any]) -> T:
        return await self._call(lambda: self._model.fill(asked, form, schema))

    async def weigh(self, asked: Asked, options: Sequence[str]) -> dict[str, float] | None:
        return await self._call(lambda: self._model.weigh(asked, options))

    async def outlay(self, calls: int, sent: int, answered: int) -> Outlay:
        return await self._model.outlay(calls, sent, answered)

    async def _call(self, call: Callable[[], Awaitable[T]]) -> T:
        await self._calm.comes()
        began = self._clock.now()
        try:
            return await call()
        except TooSlowError as error:
            took = (self._clock.now() - began).total_seconds()
            if took > self._seconds + _SLEPT_SECONDS:
                raise SleptError("The computer slept", error.detail, "") from error
            raise
