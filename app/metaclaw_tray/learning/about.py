"""A learning model whose answers are kept with what they are about.

An answer quotes what it was asked about, so it goes when that leaves the record. Where nobody says what it is
about, it goes with anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from metaclaw_tray.learning.model import Asked, LearningModel, Outlay

T = TypeVar("T")


class About:
    """A learning model that is asked about these exchanges, and those that whoever asks names besides."""

    def __init__(self, model: LearningModel, exchanges: Iterable[str]) -> None:
        self._model = model
        self._exchanges = tuple(dict.fromkeys(each for each in exchanges if each))

    @property
    def name(self) -> str:
        return self._model.name

    async def text(self, asked: Asked) -> str:
        return await self._model.text(self._told(asked))

    async def fill(self, asked: Asked, form: type[T], schema: dict[str, Any]) -> T:
        return await self._model.fill(self._told(asked), form, schema)

    async def weigh(self, asked: Asked, options: Sequence[str]) -> dict[str, float] | None:
        return await self._model.weigh(self._told(asked), options)

    async def outlay(self, calls: int, sent: int, answered: int) -> Outlay:
        return await self._model.outlay(calls, sent, answered)

    def _told(self, asked: Asked) -> Asked:
        return replace(asked, about=tuple(dict.fromkeys((*(asked.about or ()), *self._exchanges))))
