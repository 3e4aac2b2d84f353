"""Asking a request with a skill and without it, and grading what came of both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

import msgspec

from metaclaw_tray.learning.allowance import SpentError
from metaclaw_tray.learning.grading import Graded, Grader, Mark
from metaclaw_tray.learning.model import Asked, LearningModel, Message, TurnedDownError, UnusableAnswerError
from metaclaw_tray.learning.probes import Origin, Probe
from metaclaw_tray.learning.weighing import Replay, Tally
from metaclaw_tray.skills.block import Note, render_block
from metaclaw_tray.skills.tokens import estimate_tokens
from metaclaw_tray.wire.chat import CHAT
from metaclaw_tray.wire.dialect import HEAD

ANSWER_TOKENS = 300
_BRIEF = 60  # characters of a request in what is told

Tell = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class Arms:
    """What stands in front of a request: with the skill, and without it or with the version in force."""

    with_skill: str
    without: str = ""

    @classmethod
    def of(cls, name: str, body: str, replaces: str = "") -> Arms:
        """Without a body the skill is retired. Raises SkillError where it may not be shown to a model."""
        with_skill, without = (render_block([Note(name, text)]) if text else "" for text in (body, replaces))
        return cls(with_skill, without)

    @property
    def tokens(self) -> int:
        """About how many both send together."""
        return estimate_tokens(self.with_skill) + estimate_tokens(self.without)


class Bench:
    """Asks and grades one request after another."""

    def __init__(self, model: LearningModel, arms: Arms, seed: str, tell: Tell) -> None:
        self.tally = Tally(seed)
        self._model = model
        self._arms = arms
        self._grader = Grader(model)
        self._tell = tell

    async def replay_until_clear(self, asked: AsyncIterator[Probe]) -> None:
        """Ask these in their order until the test decides."""
        if self.tally.stopped() is not None:
            return
        try:
            async for probe in asked:
                await self.replay(probe)
                if self.tally.stopped() is not None:
                    return
        except SpentError as error:  # a request could not be invented any more
            await self._is_spent(error)

    async def look_for_harm(self, near: Sequence[Probe]) -> None:
        """Ask what went well, of a skill that would be offered; two net losses end it."""
        for probe in near:
            if self.tally.spent or not self.tally.outcome.offered:
                return
            await self.replay(probe)

    async def replay(self, probe: Probe) -> None:
        if self.tally.spent:
            return
        try:
            without = await self._answer(probe, self._arms.without)
            with_skill = await self._answer(probe, self._arms.with_skill)
            graded = await self._grader.grade(probe, without, with_skill)
        except SpentError as error:
            await self._is_spent(error)
            return
        except (UnusableAnswerError, TurnedDownError) as error:
            # A whole conversation may be too much for this model; what was made of a few words is not.
            if isinstance(error, TurnedDownError) and probe.origin in (Origin.SOURCE, Origin.SYNTHETIC):
                raise
            without = with_skill = ""
            graded = Graded(Mark.UNSCORED)
        self.tally.add(Replay(probe, without, with_skill, graded))
        scores = f"{_shown(graded.without)} without, {_shown(graded.with_skill)} with"
        await self._tell(f"replayed {probe.origin} “{_brief(probe.request)}”: {scores}: {graded.mark}")

    async def _is_spent(self, error: SpentError) -> None:
        self.tally.spent = True
        await self._tell(f"measuring ends here: {error.detail}")

    async def _answer(self, probe: Probe, block: str) -> str:
        """The answer with a block where the proxy puts it."""
        messages = injected(probe.messages, block)
        return await self._model.text(Asked("gate", messages, ANSWER_TOKENS, tools=probe.tools))


def injected(messages: Sequence[Message], block: str) -> list[Message]:
    """The messages with a block where the proxy puts it: behind the client's system text, which a
    conversation begins with, else at the end of the person's message."""
    if not block:
        return list(messages)
    parsed = CHAT.parse(msgspec.json.encode({"messages": messages}))
    begins = sum(each.get("role") == "user" for each in messages) == 1
    place = HEAD if begins and CHAT.has_system(parsed) else len(messages) - 1
    found: list[Message] = msgspec.json.decode(CHAT.inject(parsed, [(place, block)], None))["messages"]
    return found


def _brief(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _BRIEF else f"{line[: _BRIEF - 1]}…"


def _shown(score: float | None) -> str:
    return "unscored" if score is None else f"{score:+.2f}"
