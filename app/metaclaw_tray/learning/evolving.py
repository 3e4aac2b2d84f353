"""A run of the evolver: from the claim on what teaches to a proposal, or a reason why there is none.

The run's row and its claims are one transaction, before the evolver sees anything. What it comes to is one
transaction too: proposal, gate result and the end of the run. So a program that is killed anywhere between
goes on with the run that is open, claims nothing twice and proposes nothing twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import KnownError, LearningError, SkillError, UpstreamError
from metaclaw_tray.learning.about import About
from metaclaw_tray.learning.alike import adds_nothing, body_of
from metaclaw_tray.learning.evolver import Draft, draft_skill
from metaclaw_tray.learning.gate import Gate, Measured, Occasion
from metaclaw_tray.learning.model import LearningModel, TurnedDownError, UnusableAnswerError
from metaclaw_tray.learning.probes import Probe
from metaclaw_tray.learning.support import Support, support_of
from metaclaw_tray.learning.triggering import Requests, made_findable, unfindable
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.review import check_learnt_text
from metaclaw_tray.store import corrections, decisions, holdout, learning, library, turns
from metaclaw_tray.store.claims import ClaimConflictError
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.forgetting import FORGOTTEN
from metaclaw_tray.store.lessons import Cluster
from metaclaw_tray.store.tables import Run, RunState
from metaclaw_tray.store.tables_library import ProposalOp, ProposalState

Tell = Callable[[str], Awaitable[None]]
"""Told each step in a sentence for the person."""

_ALL = 10_000  # proposals that are remembered, so that nothing is said a second time
_PATIENCE = timedelta(days=3)  # with a run whose model is away
_GOOD = 200  # requests that went well, for which a new skill should not be found
_TRIES = 3  # of a run of which the model turns a request down, before others have to wait for it no longer


@dataclass
class Done:
    """What one pass over all that was due came to."""

    judged: int = 0
    proposals: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Evolution:
    """Starts runs and carries them on."""

    def __init__(
        self, store: Store, settings: Callable[[], Settings], gate: Gate, clock: Clock, tell: Tell
    ) -> None:
        self._store = store
        self._settings = settings
        self._gate = gate
        self._clock = clock
        self._tell = tell
        self._turned_down: Counter[str] = Counter()  # by run

    async def start(self, model: LearningModel, cluster: Cluster, done: Done) -> None:
        """Claim what teaches, then carry the run on."""
        try:
            run = await self._store.awrite(
                lambda db: learning.start_run(db, cluster, model.name, self._clock.now())
            )
        except ClaimConflictError as error:
            done.notes.append(f"not learnt from: {error}")
            return
        count = len(cluster.exchanges)
        await self._tell(
            f"claimed {count} exchange{'s' if count > 1 else ''} as support, for ever: run …{run.id[-6:]}"
        )
        await self.carry_on(model, run, done)

    async def carry_on(self, model: LearningModel, run: Run, done: Done) -> None:
        """The draft, the checks, the gate, and what is offered or refused.

        Where the model is away or the budget ends, the run stays open and is taken up again later. Raises
        UpstreamError and LearningError then.
        """
        try:
            await self._write_and_measure(model, run, done)
        except (UnusableAnswerError, SkillError) as error:
            await self._give_up(run, error, done)
        except (UpstreamError, LearningError) as error:
            if isinstance(error, TurnedDownError):
                self._turned_down[run.id] += 1
            late = self._clock.now() - run.started_at > _PATIENCE
            if late or self._turned_down[run.id] >= _TRIES:
                await self._give_up(run, error, done)
            raise

    async def _write_and_measure(self, model: LearningModel, run: Run, done: Done) -> None:
        cluster = await self._store.aread(lambda db: learning.cluster_of(db, run))
        model = About(model, cluster.exchanges)
        support = await self._store.aread(lambda db: _supports(db, cluster))
        known = await self._store.aread(lambda db: library.active_library(db)[1])
        written = await self._store.aread(_written_before)
        taken = await self._store.aread(_names_taken)
        draft = await draft_skill(model, cluster, support, known, written, taken)
        if isinstance(draft, str):
            await self._end(run.id, RunState.NOTHING, draft)
            await self._tell(f"nothing was written: {draft}")
            done.notes.append(draft)
        elif draft.refusal:
            await self._refuse(run.id, cluster, draft, done)
        else:
            await self._tell(f"a skill was written: “{draft.name}”. Now it is measured.")
            occasion = Occasion(run.id, run.started_at, cluster.kind)
            synthetic = await self._gate.invent(model, support)
            draft = await self._made_findable(model, draft, support, synthetic)
            if draft.refusal:
                await self._refuse(run.id, cluster, draft, done)
                return
            measured = await self._gate.measure(model, draft, support, occasion, self._tell, synthetic)
            await self._offer(run.id, cluster, draft, measured, done)

    async def _made_findable(
        self, model: LearningModel, draft: Draft, support: Sequence[Support], synthetic: Sequence[Probe]
    ) -> Draft:
        """The draft with phrases by which it is found, refused where it is not found for what taught it."""
        if draft.op == ProposalOp.RETIRE:
            return draft
        good = await self._store.aread(_went_well)
        requests = Requests(
            [each.asked or each.request for each in support], [each.request for each in synthetic], good
        )
        active = await self._store.aread(lambda db: library.active_library(db)[1])
        slots = max(1, self._settings().injection.per_exchange)
        draft, reach = await made_findable(model, draft, requests, active, slots)
        await self._tell(f"it is {reach}")
        return draft if reach.enough else replace(draft, refusal=unfindable(reach))

    async def _refuse(self, run_id: str, cluster: Cluster, draft: Draft, done: Done) -> None:
        """Keep what was turned away, for the person to read; once, however often it is written again."""

        def write(db: Session) -> None:
            self._check_open(db, run_id)
            now = self._clock.now()
            if not adds_nothing(draft.body, _refused_before(db)):
                state, reason = ProposalState.REFUSED, draft.refusal
                self._propose(db, run_id, cluster, draft, state, reason, now)
            learning.end_run(db, run_id, RunState.REFUSED, draft.refusal, now)

        await self._store.awrite(write)
        await self._tell(f"“{draft.name}” was refused: {draft.refusal}")
        done.notes.append(f"“{draft.name}” was refused: {draft.refusal}")

    async def _offer(
        self, run_id: str, cluster: Cluster, draft: Draft, measured: Measured, done: Done
    ) -> None:
        def write(db: Session) -> str:
            self._check_open(db, run_id)
            now = self._clock.now()
            if draft.op != ProposalOp.RETIRE:
                check_learnt_text(draft.text, draft.name)
            passed = measured.passed
            state = ProposalState.PENDING if passed else ProposalState.REFUSED
            reason = "" if passed else measured.reason
            proposal_id = self._propose(db, run_id, cluster, draft, state, reason, now)
            learning.add_gate_result(db, measured.row(db, proposal_id, now))
            ended = RunState.PROPOSED if passed else RunState.REFUSED
            learning.end_run(db, run_id, ended, measured.reason, now)
            return proposal_id

        proposal_id = await self._store.awrite(write)
        await self._tell(
            f"gate: {measured.reason} ({measured.without_skill:+.2f} without, "
            f"{measured.with_skill:+.2f} with it): {'offered for review' if measured.passed else 'refused'}"
        )
        if measured.passed:
            done.proposals.append(proposal_id)
        else:
            done.notes.append(f"“{draft.name}” was refused: {measured.reason}")

    def _propose(
        self,
        db: Session,
        run_id: str,
        cluster: Cluster,
        draft: Draft,
        state: ProposalState,
        reason: str,
        now: datetime,
    ) -> str:
        return decisions.propose(
            db,
            op=draft.op,
            skill=draft.name,
            text=draft.text,
            why=draft.why,
            now=now,
            exchanges=cluster.exchanges,
            run_id=run_id,
            state=state,
            reason=reason,
            taint=draft.taint,
        )

    async def _give_up(self, run: Run, error: KnownError, done: Done) -> None:
        await self._end(run.id, RunState.FAILED, error.detail)
        await self._tell(f"the run failed: {error.detail}")
        done.notes.append(error.detail)

    async def _end(self, run_id: str, state: RunState, reason: str) -> None:
        await self._store.awrite(lambda db: learning.end_run(db, run_id, state, reason, self._clock.now()))

    @staticmethod
    def _check_open(db: Session, run_id: str) -> None:
        if not learning.is_open(db, run_id):
            raise _forgotten()


def _supports(db: Session, cluster: Cluster) -> list[Support]:
    """What teaches, once for each request: one that was corrected again and again is told by the last time,
    with all that the person said."""
    behind = corrections.requests_behind(db, cluster.exchanges)
    return list({behind.get(each, each): _support(db, each) for each in cluster.exchanges}.values())


def _support(db: Session, exchange_id: str) -> Support:
    """What of an exchange is shown to evolver and gate: the last answer, what the person said to it, and the
    answer that followed, if that one was taken well."""
    made = turns.turns_of(db, exchange_id)
    if not made:
        raise _forgotten()
    judged = next((each for each in reversed(made) if each.next_turn_id), made[-1])
    following = judged.next_turn_id
    taken = following is not None and learning.score_of(db, following) == 1
    accepted = turns.conversation(db, following).answer if taken and following else None
    return support_of(
        exchange_id,
        corrections.conversation_about(db, judged.id),
        accepted,
        learning.note_of(db, exchange_id),
        turns.turn(db, judged.id).skills,
    )


def _went_well(db: Session) -> list[str]:
    """What the person asked of late and was answered well."""
    return [each.words for each in holdout.candidates(db) if each.score == 1][-_GOOD:]


def _forgotten() -> SkillError:
    """The person forgot, in the middle of a run, what it learns from."""
    return SkillError("Nothing to learn from", FORGOTTEN)


def _names_taken(db: Session) -> set[str]:
    """Names that a new skill may not have: those of all skills, and of what waits for the person."""
    waiting = {view.proposal.skill for view in library.proposals(db, limit=_ALL)}
    return {view.name for view in library.skills(db)} | waiting


def _written_before(db: Session) -> list[str]:
    """Texts that were proposed before and not approved: not to be offered a second time."""
    states = (ProposalState.PENDING, ProposalState.REJECTED)
    return [view.proposal.text for view in library.proposals(db, states, _ALL) if view.proposal.text]


def _refused_before(db: Session) -> list[str]:
    """The bodies of what was turned away before anything was measured."""
    refused = library.proposals(db, (ProposalState.REFUSED,), _ALL)
    return [body_of(view.proposal.text) for view in refused if view.proposal.text and view.gate is None]
