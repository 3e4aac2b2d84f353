"""A text in place of skills in force, measured against them: a short form, or one of two that say the same.

Nobody asked for other answers, so the best that can be found is that they are as good, at fewer tokens. What
the skills themselves were measured on is asked, and the person's own exchanges that the new text would stand
in front of; one arm has the new text, the other one the texts that it is to replace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.learning import probes
from metaclaw_tray.learning.again import about, kept_for
from metaclaw_tray.learning.allowance import Within
from metaclaw_tray.learning.bench import Arms, Bench, Tell
from metaclaw_tray.learning.evolver import Draft
from metaclaw_tray.learning.gate import Measured, afford, each_of, measured
from metaclaw_tray.learning.grading import Mark
from metaclaw_tray.learning.model import LearningModel
from metaclaw_tray.learning.probes import NEAR_MOST, Origin, Probe, Remark
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.block import Note, render_block
from metaclaw_tray.skills.markdown import read_skill
from metaclaw_tray.skills.tokens import estimate_tokens
from metaclaw_tray.store import evals, holdout
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.forgetting import times_forgotten
from metaclaw_tray.store.outcomes import Outcome
from metaclaw_tray.store.tables_library import ProposalOp, SkillVersion

MOST = 24
"""Requests that count, at most: where both texts do the same, all of them are asked."""


@dataclass(frozen=True)
class Rewrite:
    """A text that is to stand in place of others."""

    name: str
    text: str  # the whole SKILL.md
    why: str
    replaced: tuple[SkillVersion, ...]  # the one of this name first

    @property
    def body(self) -> str:
        return read_skill(self.text, self.name, self.name).body

    @property
    def bodies_before(self) -> list[str]:
        return [read_skill(each.text, each.name, each.name).body for each in self.replaced]

    @property
    def tokens(self) -> tuple[int, int]:
        """About how many the new text takes, and those that it replaces together."""
        return estimate_tokens(self.body), sum(map(estimate_tokens, self.bodies_before))


@dataclass(frozen=True)
class Compared:
    """What came of measuring one, and whether it is offered."""

    measured: Measured
    offered: bool
    told: str  # in a sentence


class Rewrites:
    """Measures rewritten texts."""

    def __init__(self, store: Store, settings: Callable[[], Settings], clock: Clock) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock

    async def find(self, rewrite: Rewrite) -> list[Probe]:
        """What it can be measured on, those that count first: of the person's own the newest, then invented
        ones. Empty where nothing of the kind is kept."""
        await self._store.awrite(evals.adopt)
        return await self._store.aread(lambda db: self._found(db, rewrite))

    async def measure(
        self, model: LearningModel, rewrite: Rewrite, found: Sequence[Probe], tell: Tell
    ) -> Compared | None:
        """Replay and grade until it is clear, or there are no more; None where no pair could be judged.

        Raises LearningError where the budget does not suffice, UpstreamError where the model is away,
        SkillError where a text may not be shown.
        """
        before = [
            Note(each.name, body) for each, body in zip(rewrite.replaced, rewrite.bodies_before, strict=True)
        ]
        arms = Arms(render_block([Note(rewrite.name, rewrite.body)]), render_block(before))
        forgotten = await self._store.aread(times_forgotten)
        allowance = await afford(model, self._store, found, 0, self._clock.now(), tell, arms.tokens)
        usable = await self._store.awrite(lambda db: self._claim(db, rewrite, found))
        bench = Bench(Within(about(model, usable), allowance), arms, rewrite.text, tell)
        await bench.replay_until_clear(each_of([each for each in usable if each.origin.counts]))
        for probe in usable:
            if probe.origin is Origin.NEAR and not bench.tally.harms:
                await bench.replay(probe)
        if all(each.graded.mark is Mark.UNSCORED for each in bench.tally.replays):
            return None
        usual = await self._store.aread(evals.usual_model)
        tokens, tokens_before = rewrite.tokens
        more: dict[str, Any] = {
            "evals": await self._store.aread(lambda db: _evals(db, rewrite, usable)),
            "against": [f"{each.name}@{each.version}" for each in rewrite.replaced],
            "tokens": tokens,
            "tokens_before": tokens_before,
        }
        result = measured(bench.tally, model.name, usual, forgotten, **more)
        return _compared(result, rewrite)

    def _found(self, session: Session, rewrite: Rewrite) -> list[Probe]:
        settings = self._settings()
        kept = [
            probe
            for each in rewrite.replaced
            for probe in kept_for(session, each, settings.learning.replay_tokens)
        ]
        draft = Draft(ProposalOp.UPDATE, rewrite.name, rewrite.text, rewrite.body, rewrite.why)
        others = probes.find(session, draft, (), Remark(), settings)
        told = [each for each in others.held_out if each.remark.said]  # by nothing else an answer is graded
        return _chosen([*kept, *told, *others.near])

    def _claim(self, session: Session, rewrite: Rewrite, found: Sequence[Probe]) -> list[Probe]:
        """Those that may be asked; the person's own exchanges are claimed for it first."""
        wanted = [each.exchange for each in found if each.exchange]
        usable = holdout.set_aside(session, wanted, f"gate: a new text of {rewrite.name}", self._clock.now())
        return [each for each in found if not each.exchange or each.exchange in usable]


def _evals(session: Session, rewrite: Rewrite, asked: Sequence[Probe]) -> list[dict[str, Any]]:
    """What the new text is to be measured on again: all that those before it were, and what is new."""
    kept = [
        each
        for version in rewrite.replaced
        for each in evals.probes_of(session, version.name, version.version)
    ]
    known = {each["exchange"] for each in kept}
    new = [each for each in asked if each.exchange and each.exchange not in known]
    return [*kept, *({"origin": each.origin.value, "exchange": each.exchange} for each in new)]


def _chosen(found: Sequence[Probe]) -> list[Probe]:
    """Each request once, as many as are asked; the person's own that count first, then those near."""
    once: dict[str, Probe] = {}
    for each in found:
        once.setdefault(each.exchange or each.request, each)
    own, invented, near = (
        [each for each in once.values() if each.origin is origin]
        for origin in (Origin.HELD_OUT, Origin.SYNTHETIC, Origin.NEAR)
    )
    return [*[*own, *invented][:MOST], *near[: 2 * NEAR_MOST]]


def _compared(result: Measured, rewrite: Rewrite) -> Compared:
    tokens, before = rewrite.tokens
    offered = result.outcome.offered or (result.outcome is Outcome.SAME and tokens < before)
    named = " and ".join(f"{each.name}@{each.version}" for each in rewrite.replaced)
    told = f"Measured against {named}, at about {tokens} tokens instead of {before}: {result.reason}"
    if result.outcome is Outcome.SAME and not offered:
        told += "; it is no shorter either"
    return Compared(replace(result, reason=told), offered, f"{told}.")
