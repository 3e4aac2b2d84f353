"""A skill's evals, run again: when its text or the model has changed, or when the person asks.

A skill that once helped may stop helping when a better model comes; then the person is told. Nothing is
withdrawn by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import LearningError, SkillError
from metaclaw_tray.learning import probes
from metaclaw_tray.learning.about import About
from metaclaw_tray.learning.allowance import Within
from metaclaw_tray.learning.bench import Arms, Bench, Tell
from metaclaw_tray.learning.gate import Measured, afford, each_of, measured
from metaclaw_tray.learning.model import LearningModel
from metaclaw_tray.learning.probes import Origin, Probe, Remark
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.markdown import read_skill
from metaclaw_tray.store import claims, evals, learning
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables import ClaimUse
from metaclaw_tray.store.tables_library import SkillVersion

NOTICE = "measured"
"""The kind of notice that says that a skill in force does not help any more."""


class NothingToMeasureError(LearningError):
    """No request is kept that the skill could be measured on."""


class Again:
    """Measures skills in force on what they were measured on before."""

    def __init__(self, store: Store, settings: Callable[[], Settings], clock: Clock) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._passed_over: set[tuple[str, int, str]] = set()  # that could not be measured, and on which model

    def is_due(self, session: Session) -> bool:
        """Whether a learnt skill in force was not measured yet on the model that learning asks now."""
        settings = self._settings()
        model = settings.learning.model or settings.embedded.model
        return bool(model and self._waiting(session, model))

    async def next_due(self, model: str) -> SkillVersion | None:
        """A learnt skill in force whose text was not measured on this model yet; None where there is none."""
        waiting = await self._store.aread(lambda db: self._waiting(db, model))
        return waiting[0] if waiting else None

    async def measure_next(self, model: LearningModel, tell: Tell) -> bool:
        """Measure one skill that is due; False where none is. Raises LearningError where the budget does not
        suffice, UpstreamError where the model is away."""
        version = await self.next_due(model.name)
        if version is None:
            return False
        await tell(f"“{version.name}” was not measured on {model.name} as it is now. It is measured again.")
        try:
            result = await self.measure(model, version, tell)
        except (NothingToMeasureError, SkillError) as error:
            self._passed_over.add((version.name, version.version, model.name))
            await tell(f"not measured: {error.detail}")
            return True
        await tell(f"“{version.name}”: {result.reason}")
        return True

    def _waiting(self, session: Session, model: str) -> list[SkillVersion]:
        return [
            each
            for each in evals.to_measure(session, model)
            if (each.name, each.version, model) not in self._passed_over
        ]

    async def measure(self, model: LearningModel, version: SkillVersion, tell: Tell) -> Measured:
        """Run the evals of a version and keep what came of it; the person is told where it helps no more.

        Raises NothingToMeasureError, LearningError where the budget does not suffice, UpstreamError where the
        model is away, SkillError where the skill may not be shown.
        """
        await self._store.awrite(evals.adopt)
        limit = self._settings().learning.replay_tokens
        found = await self._store.aread(lambda db: kept_for(db, version, limit))
        if not any(each.origin.counts for each in found):
            raise NothingToMeasureError(
                "There is nothing to measure it on",
                f"“{version.name}” has no requests that it was measured on and that are still kept.",
                "Only skills that were learnt here have some.",
            )
        body = read_skill(version.text, version.name).body
        arms = Arms.of(version.name, body)
        allowance = await afford(model, self._store, found, 0, self._clock.now(), tell, arms.tokens)
        bench = Bench(Within(about(model, found), allowance), arms, version.text, tell)
        await bench.replay_until_clear(each_of([each for each in found if each.origin.counts]))
        await bench.look_for_harm([each for each in found if each.origin is Origin.NEAR])
        usual = await self._store.aread(evals.usual_model)
        result = measured(bench.tally, model.name, usual, forgotten=0)
        await self._store.awrite(lambda db: self._keep(db, version, result))
        return result

    def _keep(self, session: Session, version: SkillVersion, result: Measured) -> None:
        now, before = self._clock.now(), evals.standing(session, version.name, version.version)
        row = evals.measurement(
            version.name,
            version.version,
            result.outcome,
            result.model,
            result.reason,
            result.figures,
            now,
        )
        evals.add_measurement(session, row)
        if not result.outcome.offered and (before is None or before.outcome.offered):
            learning.add_notice(session, NOTICE, version.name, f"it helps no more: {result.reason}", now)


def about(model: LearningModel, found: Sequence[Probe]) -> About:
    """The model, asked about what these quote: the person's own exchanges, and those that invented ones were
    made of."""
    return About(model, [name for each in found for name in (each.exchange, each.group)])


def kept_for(session: Session, version: SkillVersion, limit: int) -> list[Probe]:
    """The requests that a version was measured on and that are still kept, of at most `limit` tokens each."""
    found = (_probe(session, each) for each in evals.probes_of(session, version.name, version.version))
    return [probe for probe in found if probe is not None and probe.tokens <= limit]


def _probe(session: Session, kept: dict[str, Any]) -> Probe | None:
    """One probe; None where the exchange that it asks again is no longer kept."""
    if kept["origin"] == Origin.SYNTHETIC:
        return msgspec.convert(kept, Probe)
    exchange = kept["exchange"]
    if claims.use_of(session, exchange) is not ClaimUse.HOLDOUT_SKILL:
        return None
    return probes.told(session, exchange, Origin(kept["origin"]), _remark(kept))


def _remark(kept: dict[str, Any]) -> Remark:
    return msgspec.convert(kept.get("remark", {}), Remark)
