"""The gate: what a skill is worth, measured before it is offered.

Requests that it was not taught on are answered with the skill and without, and the answers are graded blind,
one request after another until the sequential test decides. The person's own exchanges that are used for this
are claimed before the first is asked. Nothing is run: where an exchange has tools, the next message is
compared, with the calls it would make.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec
from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import LearningError
from metaclaw_tray.learning import probes
from metaclaw_tray.learning.about import About
from metaclaw_tray.learning.alike import Fault
from metaclaw_tray.learning.allowance import Allowance, Within
from metaclaw_tray.learning.bench import ANSWER_TOKENS, Arms, Bench, Tell
from metaclaw_tray.learning.evolver import Draft
from metaclaw_tray.learning.grading import Mark
from metaclaw_tray.learning.model import LearningModel
from metaclaw_tray.learning.paraphrase import invented
from metaclaw_tray.learning.probes import SOURCES_SHOWN, Chosen, Origin, Probe
from metaclaw_tray.learning.support import Support
from metaclaw_tray.learning.weighing import Tally
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import evals, holdout, spend
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.forgetting import times_forgotten
from metaclaw_tray.store.outcomes import Outcome
from metaclaw_tray.store.tables_library import GateResult

SYNTHETIC = 8
_GRADINGS = 6  # calls by which a pair is graded, at most: each answer twice alone, then both in two orders
_GRADING_TOKENS = 1000  # of instructions and examples, sent with each of them
_GRADED_TOKENS = 100  # of what is said in one
_INVENTING_TOKENS = 700  # sent and answered for one invented request


@dataclass(frozen=True)
class Measured:
    """What the gate found."""

    outcome: Outcome
    requests: int
    with_skill: float  # mean score of the answers that count, -1 to 1
    without_skill: float
    unscored: int
    reason: str
    model: str
    details: Sequence[dict[str, Any]] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    forgotten: int = 0  # how often something had been forgotten when it began

    @property
    def passed(self) -> bool:
        """Whether it is offered."""
        return self.outcome.offered

    def row(self, session: Session, proposal_id: str, now: datetime) -> GateResult:
        """As it is kept beside the proposal, in the transaction that keeps it. Where something was forgotten
        since it began, it quotes no exchange."""
        quotes = times_forgotten(session) == self.forgotten
        details = [each for each in self.details if quotes or not each["exchange"]]
        figures = self.figures if quotes else {**self.figures, "shown": None}
        return GateResult(
            proposal_id=proposal_id,
            passed=self.passed,
            requests=self.requests,
            with_skill=self.with_skill,
            without_skill=self.without_skill,
            unscored=self.unscored,
            details=details,
            reason=self.reason,
            at=now,
            outcome=self.outcome.value,
            model=self.model,
            judge=self.model,
            figures=figures,
        )


@dataclass(frozen=True)
class Occasion:
    """What a draft is measured for: the run that wrote it, and the kind of failure it was written for."""

    run_id: str
    since: datetime  # what was paid for measuring from here on was paid for this
    kind: str = ""


class Gate:
    """Measures drafts."""

    def __init__(self, store: Store, settings: Callable[[], Settings], clock: Clock) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock

    async def invent(self, model: LearningModel, support: Sequence[Support]) -> list[Probe]:
        """The invented requests that a draft will be measured on. Raises UpstreamError where the model is
        away, LearningError where the budget ends."""
        return [probe async for probe in _invented(model, support)]

    async def measure(
        self,
        model: LearningModel,
        draft: Draft,
        support: Sequence[Support],
        occasion: Occasion,
        tell: Tell,
        synthetic: Sequence[Probe] | None = None,
    ) -> Measured:
        """Replay and grade until it is clear, or there are no more requests. A better version of a skill is
        measured against the one in force. `synthetic` are the invented requests, where they were made before.

        Raises UpstreamError where the model is away, LearningError where the budget does not suffice or ends,
        SkillError where the draft may not be shown.
        """
        arms = Arms.of(draft.name, draft.body, draft.replaces)
        forgotten = await self._store.aread(times_forgotten)
        remark = probes.remark_of(support[0])
        faults = [Fault(occasion.kind, each.said, each.asked or each.request) for each in support]
        chosen = await self._store.aread(lambda db: probes.find(db, draft, faults, remark, self._settings()))
        sources = [probes.source_probe(each) for each in support[:SOURCES_SHOWN]]
        known = [*sources, *chosen.held_out, *chosen.near]
        allowance = await afford(model, self._store, known, SYNTHETIC, occasion.since, tell, arms.tokens)
        chosen = await self._claim(chosen, occasion)
        quoted = [*(each.exchange_id for each in support), *(each.exchange for each in known)]
        held = Within(About(model, quoted), allowance)
        bench = Bench(held, arms, draft.text, tell)
        for probe in sources:
            await bench.replay(probe)
        await bench.replay_until_clear(each_of(chosen.held_out))
        invented_ones = _invented(held, support) if synthetic is None else each_of(synthetic)
        await bench.replay_until_clear(invented_ones)
        await bench.look_for_harm(chosen.near)
        usual = await self._store.aread(evals.usual_model)
        more = {"left_out": chosen.left_out, "evals": kept_probes(bench.tally)}
        return measured(bench.tally, model.name, usual, forgotten, **more)

    async def _claim(self, chosen: Chosen, occasion: Occasion) -> Chosen:
        """Claim the person's own exchanges for measuring, before the first is asked."""
        wanted = [each.exchange for each in (*chosen.held_out, *chosen.near)]
        if not wanted:
            return chosen

        def write(db: Session) -> list[str]:
            return holdout.set_aside(db, wanted, f"gate:{occasion.run_id}", self._clock.now())

        usable = set(await self._store.awrite(write))
        return Chosen(
            tuple(each for each in chosen.held_out if each.exchange in usable),
            tuple(each for each in chosen.near if each.exchange in usable),
            chosen.left_out,
        )


async def afford(
    model: LearningModel,
    store: Store,
    known: Sequence[Probe],
    synthetic: int,
    since: datetime,
    tell: Tell,
    blocks: int,
) -> Allowance:
    """Say what it will take to ask these and so many invented ones, and give just that. What was paid `since`
    was paid for this: it was cut short, and goes on. `blocks` are the tokens that stand in front of each, in
    both arms together. Raises LearningError where the caps do not leave enough."""
    calls, sent, answered = foreseen(known, synthetic, blocks)
    outlay = await model.outlay(calls, sent, answered)
    paid = await store.aread(lambda db: spend.paid_for(db, "gate", since))
    if outlay.usd is not None:
        outlay = replace(outlay, usd=max(0.0, outlay.usd - paid))
    if outlay.usd is None or not outlay.fits:
        price = "an unknown price" if outlay.usd is None else f"up to {outlay.usd:.4f} USD"
        raise LearningError(
            "Measuring would pass the cap",
            f"To measure a skill takes up to {calls} calls and {price}; "
            f"{outlay.left_usd:.4f} USD are left under the caps.",
            "It is measured when they leave enough; or raise budget.day_usd, or choose a cheaper model.",
        )
    price = f"{outlay.usd:.4f} USD" if outlay.usd else "nothing"
    left = f"; {outlay.left_usd:.4f} USD are left under the caps" if outlay.usd else ""
    await tell(f"measuring takes up to {calls} calls and costs {'up to ' if left else ''}{price}{left}")
    return Allowance(calls, outlay.usd)


def measured(tally: Tally, model: str, usual: str, forgotten: int, **more: Any) -> Measured:
    """The result in the person's words."""
    with_skill, without = tally.means()
    reason = tally.reason
    if usual and usual != model:
        reason += f"; measured on {model}, while the agent uses {usual}"
    return Measured(
        outcome=tally.outcome,
        requests=len(tally.replays),
        with_skill=with_skill,
        without_skill=without,
        unscored=sum(each.graded.mark is Mark.UNSCORED for each in tally.replays),
        reason=reason,
        model=model,
        forgotten=forgotten,
        details=[each.told() for each in tally.replays],
        figures={**tally.figures(), "agent_model": usual, **more},
    )


def foreseen(known: Sequence[Probe], synthetic: int, blocks: int = 0) -> tuple[int, int, int]:
    """Calls, tokens sent and tokens answered, at most, for these requests and so many invented ones."""
    longest = max((each.tokens for each in known if each.origin is Origin.SOURCE), default=0)
    sizes = [each.tokens for each in known] + [longest] * synthetic
    calls = (2 + _GRADINGS) * len(sizes) + synthetic
    sent = blocks * len(sizes) + sum(
        2 * size + _GRADINGS * (_GRADING_TOKENS + min(size, _GRADING_TOKENS)) for size in sizes
    )
    answered = len(sizes) * (2 * ANSWER_TOKENS + _GRADINGS * _GRADED_TOKENS)
    return calls, sent + synthetic * _INVENTING_TOKENS, answered + synthetic * _GRADED_TOKENS


def kept_probes(tally: Tally) -> list[dict[str, Any]]:
    """What was asked, to be asked again: of the person's own exchanges the id alone, so that forgetting one
    leaves no word of it here, and the remark of those that taught where it has none of its own."""
    taught = {each.probe.remark for each in tally.replays if each.probe.origin is Origin.SOURCE}
    kept = []
    for probe in (each.probe for each in tally.replays):
        if probe.origin is Origin.SYNTHETIC:
            kept.append(msgspec.to_builtins(probe))
        elif probe.origin is not Origin.SOURCE:
            remark = {"remark": msgspec.to_builtins(probe.remark)} if probe.remark in taught else {}
            kept.append({"origin": probe.origin.value, "exchange": probe.exchange, **remark})
    return kept


async def each_of(found: Sequence[Probe]) -> AsyncIterator[Probe]:
    for probe in found:
        yield probe


async def _invented(model: LearningModel, support: Sequence[Support]) -> AsyncIterator[Probe]:
    """Requests like those that taught, a few of each, made when they are needed."""
    sources = support[:SYNTHETIC]
    for place, source in enumerate(sources):
        share = len(range(place, SYNTHETIC, len(sources)))
        async for request in invented(model, source.request, share):
            yield probes.synthetic_probe(source, request)
