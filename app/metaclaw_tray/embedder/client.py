"""The embedder as the app sees it: what is near to a text."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias, TypeVar

from metaclaw_tray.child import Child, ChildEndedError, FrameError, start_child
from metaclaw_tray.embedder.frames import (
    Begin,
    Compare,
    Compared,
    FromEmbedder,
    Known,
    Learn,
    Learned,
    Near,
    Nearest,
    Ready,
    ToEmbedder,
    Unable,
)
from metaclaw_tray.errors import ModelError

ANSWER_SECONDS = 120.0
"""Patience with one answer of a child that everybody else goes before."""

_SKILLS_AT_ONCE = 200  # in one message, so that each answer comes within its time
_TEXTS_AT_ONCE = 500

_EmbedderChild: TypeAlias = Child[ToEmbedder, FromEmbedder]
Answer = TypeVar("Answer", Ready, Learned, Near, Compared)


class EmbedderEndedError(Exception):
    """The child is gone, or does not answer; it has to be started anew."""


class Embedder:
    """A running embedder. Made by `start`; it lives as long as that block."""

    def __init__(self, child: _EmbedderChild, seconds: float) -> None:
        self._child = child
        self._answers = child.messages()
        self._seconds = seconds
        self._one_at_a_time = asyncio.Lock()

    @property
    def pid(self) -> int:
        return self._child.pid

    @classmethod
    @asynccontextmanager
    async def start(
        cls, vectors_file: Path, *, seconds: float = ANSWER_SECONDS, command: Sequence[str] | None = None
    ) -> AsyncIterator[Embedder]:
        """Start the child, and stop it at the end of the block.

        Raises ModelError where there is no model, EmbedderEndedError where the child ends or does not answer
        within `seconds`. `command` stands in for this program in tests.
        """
        async with start_child(
            "embedder", to_child=ToEmbedder, from_child=FromEmbedder, command=command
        ) as child:
            embedder = cls(child, seconds)
            await embedder._ask(Begin(str(vectors_file)), Ready)
            yield embedder

    async def learn(self, come: Iterable[Known], gone: Iterable[str] = ()) -> int:
        """Know these skills in place of their namesakes, and those in `gone` no longer; gives how many are
        known then. Raises EmbedderEndedError, as do the others."""
        skills = [_plain_skill(skill) for skill in come]
        leave = list(gone)
        parts = [skills[at : at + _SKILLS_AT_ONCE] for at in range(0, len(skills), _SKILLS_AT_ONCE)] or [[]]
        known = 0
        for place, part in enumerate(parts, 1):
            learned = await self._ask(Learn(part, leave, last=place == len(parts)), Learned)
            known, leave = learned.skills, []
        return known

    async def nearest(self, text: str, limit: int) -> list[tuple[str, float]]:
        """The known skills nearest to a text, the nearest first, each with its likeness."""
        return (await self._ask(Nearest(_plain(text), limit), Near)).skills

    async def compare(self, texts: Sequence[str], skill: Known) -> list[float]:
        """The likeness of each text to a skill, known or not."""
        found: list[float] = []
        plain = _plain_skill(skill)
        for at in range(0, len(texts), _TEXTS_AT_ONCE):
            part = [_plain(text) for text in texts[at : at + _TEXTS_AT_ONCE]]
            found += (await self._ask(Compare(part, plain), Compared)).likeness
        return found

    async def _ask(self, message: ToEmbedder, answer: type[Answer]) -> Answer:
        async with self._one_at_a_time:
            try:
                async with asyncio.timeout(self._seconds):
                    await self._child.send(message)
                    said = await anext(self._answers, None)
            except TimeoutError as error:
                raise EmbedderEndedError(f"it did not answer within {self._seconds:.0f} seconds") from error
            except (ChildEndedError, FrameError) as error:
                raise EmbedderEndedError(str(error)) from error
        if isinstance(said, answer):
            return said
        if isinstance(said, Unable):
            raise ModelError("The embedder could not be started", said.detail, said.remedy)
        if said is None:
            raise EmbedderEndedError(f"the process ended with code {self._child.returncode}")
        raise EmbedderEndedError(f"it answered {type(said).__name__} where {answer.__name__} was due")


def _plain_skill(skill: Known) -> Known:
    return Known(skill.name, list(map(_plain, skill.about)), list(map(_plain, skill.phrases)))


def _plain(text: str) -> str:
    """What a frame can hold: a lone half of a pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
