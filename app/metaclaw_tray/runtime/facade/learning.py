"""Learning as a person meets it: thumbs, a pass on demand, and what it does or waits for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.server import Call
from metaclaw_tray.learning import labelled
from metaclaw_tray.learning.again import Again
from metaclaw_tray.learning.agreement import measure_judge
from metaclaw_tray.learning.alike import one_kind
from metaclaw_tray.learning.evolving import Done
from metaclaw_tray.learning.feedback import take_feedback, take_report
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade.agreed import asker
from metaclaw_tray.runtime.facade.spending import show_spend
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import learning, lessons, library, spend, turns
from metaclaw_tray.store.offering import offered
from metaclaw_tray.store.settling import record

_FLUSH_SECONDS = 3.0
_REPORTED = "It came from a program, without a terminal: it is kept as such, and judges and teaches nothing."
_JUDGE_PATIENCE = 5  # times what one call of learning may take


class LearningDesk:
    """Answers the verbs of learning."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def feedback(self, verb: api.GiveFeedback, call: Call) -> api.Said:
        runtime = self._runtime
        # A person's is the strongest evidence there is, and its words may become a rule.
        speaker = await call.speaker("give feedback")
        who = replace(await asker(call), channel=speaker)
        by_person = speaker != "program"
        await runtime.scribe.flush(_FLUSH_SECONDS)

        def write(db: Db) -> str:
            exchange, up, now = turns.exchange(db, verb.exchange), verb.thumb == "up", runtime.clock.now()
            if by_person:
                take_feedback(db, exchange, up, verb.note.strip(), now)
            else:
                take_report(db, exchange, up, verb.note.strip(), now)
            record(db, "feedback", exchange.id, who, now, after={"thumb": verb.thumb})
            return f"{exchange.agent}, {exchange.started_at:%Y-%m-%d %H:%M} UTC"

        which = await runtime.store.awrite(write)
        runtime.learner.wake()
        said = f"Thumb {verb.thumb} for the exchange of {which}."
        return api.Said(text=said if by_person else f"{said} {_REPORTED}")

    async def now(self, _verb: api.LearnNow, call: Call) -> api.LearnOutcome:
        await self._runtime.scribe.flush(_FLUSH_SECONDS)
        async with self._runtime.learner.heard_by(call.progress):
            done = await self._runtime.learner.work()
        await self._runtime.reviewing.settle()
        waiting = await self._runtime.store.aread(lambda db: offered(db, self._runtime.clock.now()))
        settings = self._runtime.settings
        notes = await self._runtime.store.aread(lambda db: [*done.notes, *_why_no_more(db, done, settings)])
        return api.LearnOutcome(judged=done.judged, proposals=waiting, notes=notes)

    async def measure_skill(self, verb: api.MeasureSkill, call: Call) -> api.SkillMeasured:
        runtime = self._runtime
        version = await runtime.store.aread(lambda db: library.version_of(db, verb.name))
        again = Again(runtime.store, lambda: runtime.settings, runtime.clock)
        async with runtime.learning_model() as model:
            found = await again.measure(model, version, call.progress)
        return api.SkillMeasured(
            name=version.name,
            version=version.version,
            outcome=found.outcome.value,
            reason=found.reason,
            model=found.model,
            requests=found.requests,
            wins=found.figures["wins"],
            losses=found.figures["losses"],
            ties=found.figures["ties"],
        )

    async def measure_judge(self, verb: api.MeasureJudge, call: Call) -> api.JudgeMeasured:
        runtime, limit = self._runtime, verb.limit or None
        begun, since = runtime.clock.monotonic(), runtime.clock.now()
        # Nobody's turn waits for this, so a slow model may take its time.
        patience = _JUDGE_PATIENCE * runtime.settings.learning.timeout_seconds
        async with runtime.learning_model(seconds=patience) as model:
            found = await measure_judge(
                model,
                labelled.judged_turns(verb.split)[:limit],
                labelled.counterfactuals(verb.split)[: limit * 2 if limit else None],
                runtime.settings.learning.votes,
                call.progress,
            )
        calls, usd = await runtime.store.aread(lambda db: spend.since(db, since))
        return api.JudgeMeasured(
            model=model.name,
            split=verb.split,
            items=found.items,
            scored=found.scored,
            agreed=found.agreed,
            good=found.good,
            false_failures=found.false_failures,
            bad=found.bad,
            missed=found.missed,
            stepped=found.stepped,
            named=found.named,
            retested=found.retested,
            same=found.same,
            pairs=found.pairs,
            apart=found.apart,
            unscored=found.unscored,
            wrong=found.wrong,
            words=found.words,
            usd=usd,
            calls=calls,
            seconds=runtime.clock.monotonic() - begun,
            left_out=found.left_out,
            stopped=found.stopped,
        )

    async def status(self) -> api.LearnStatus:
        why_not = self._runtime.why_learning_waits()

        def read(db: Db) -> api.LearnStatus:
            scored, unscored = learning.count_verdicts(db)
            last = learning.last_run(db)
            return api.LearnStatus(
                ready=not why_not,
                why_not=why_not,
                judging=learning.count_due(db),
                judged=scored,
                unscored=unscored,
                clusters=_gathering(db),
                last_run=f"{last.state}: {last.reason}" if last else "",
                last_run_at=last.started_at if last else None,
            )

        return await self._runtime.store.aread(read)

    async def spend(self, verb: api.ShowSpend) -> api.Spend:
        runtime = self._runtime
        await runtime.scribe.flush(_FLUSH_SECONDS)
        now, settings = runtime.clock.now(), runtime.settings
        return await runtime.store.aread(lambda db: show_spend(db, verb, settings, now))


def _why_no_more(db: Db, done: Done, settings: Settings) -> list[str]:
    """In a sentence why a pass came to no proposal, where nothing else says it."""
    if done.proposals or done.notes:
        return []
    if not settings.learning.enabled:
        return ["Nothing was learnt: learning is off (`metaclaw-tray config set learning.enabled true`)."]
    if settings.review.policy == "off":
        return ["Nothing was learnt: `review.policy` is off."]
    if left := learning.count_due(db):
        return [f"It ended before all was judged: {left} still wait."]
    gathered = "; ".join(_gathering(db))
    if not gathered:
        return ["Nothing went wrong that has not taught already, so there is nothing to write."]
    wanted = settings.learning.failures
    return [
        f"Nothing was written: it takes a standing instruction, or {wanted} of one kind. So far {gathered}."
    ]


def _gathering(db: Db) -> list[str]:
    """What gathers, and what has to wait and for what, a line for each kind."""
    lines = [f"{kind}: {count}" for kind, count in lessons.gathering(db, one_kind).items()]
    held = Counter(
        (f"“{lesson.instruction}”" if lesson.instruction else lesson.kind or "a failure", why)
        for lesson, why in lessons.held_back(db, one_kind)
    )
    return lines + [f"{what}: {count}, not now: {why}" for (what, why), count in held.items()]
