"""The loop: does the next thing that is due, and says each step.

What is due is read from the store each time, so a program that was killed goes on where it was: a turn keeps
waiting for its verdict until it has one, and a run that was cut short, by a kill, a cap or a model that was
away, is taken up again. Its claims stay whatever comes of it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import KnownError, LearningError, SkillError, UpstreamError
from metaclaw_tray.learning.client import LearningModel, TooSlowError, UnusableAnswerError
from metaclaw_tray.learning.evidence import pieces_of
from metaclaw_tray.learning.evolver import Draft, Support, draft_skill, support_of
from metaclaw_tray.learning.gate import Gate, Measured, Occasion
from metaclaw_tray.learning.judge import judge
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.review import check_learnt_text
from metaclaw_tray.store import decisions, learning, library, turns
from metaclaw_tray.store.claims import ClaimConflictError
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.forgetting import FORGOTTEN
from metaclaw_tray.store.learning import Cluster, Ruling
from metaclaw_tray.store.tables import ProposalOp, ProposalState, Run, RunState

log = logging.getLogger(__name__)

Tell = Callable[[str], Awaitable[None]]
"""Told each step in a sentence for the person."""

_PAUSE_SECONDS = (5.0, 30.0, 120.0, 600.0)  # after a model that did not answer, once, twice …
_IDLE_SECONDS = 300.0
_PATIENCE = timedelta(days=3)  # with a run whose model is away
_TRIES = 3  # of a verdict that the model does not answer in time, before the turn is left unscored


@dataclass
class Done:
    """What one pass over all that was due came to."""

    judged: int = 0
    proposals: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Learner:
    """Judges, evolves and measures, one thing at a time."""

    def __init__(
        self,
        store: Store,
        settings: Callable[[], Settings],
        model: Callable[[], AbstractAsyncContextManager[LearningModel]],
        clock: Clock,
    ) -> None:
        """`model` opens the learning model, or raises LearningError with the reason why there is none."""
        self._store = store
        self._settings = settings
        self._model = model
        self._clock = clock
        self._gate = Gate(store, settings, clock)
        self._wanted = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._listeners: list[Tell] = []
        self._unanswered: Counter[str] = Counter()
        self.waiting = ""  # why the last pass did not end; "" where it did

    def wake(self) -> None:
        """Something may be due."""
        self._wanted.set()

    async def run(self) -> None:
        """Do what is due whenever something may be, until cancelled."""
        failures = 0
        while True:
            self._wanted.clear()
            try:
                await self.work()
                failures = 0
            except UpstreamError as error:
                await self._note("waiting", "learning", error)
                pause = _PAUSE_SECONDS[min(failures, len(_PAUSE_SECONDS) - 1)]
                failures += 1
                await asyncio.sleep(pause)
                continue
            except LearningError as error:
                await self._note("waiting", "learning", error)
            try:
                async with asyncio.timeout(_IDLE_SECONDS):
                    await self._wanted.wait()
            except TimeoutError:
                continue

    @asynccontextmanager
    async def heard_by(self, listener: Tell) -> AsyncIterator[None]:
        """Tell each step to `listener` too, whoever asked for it, while the block lasts."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    async def work(self) -> Done:
        """Do all that is due now, after what is being done already. Raises LearningError where learning
        waits, UpstreamError where the model is away; what was done before stands."""
        async with self._one_at_a_time:
            done = Done()
            if not await self._store.aread(self._is_anything_due):
                self.waiting = ""
                return done
            async with self._saying_why(), self._model() as model:
                while self._is_on and (due := await self._store.aread(learning.due_turns)):
                    await self._judge(model, due[0])
                    done.judged += 1
                for run in await self._store.aread(learning.open_runs):
                    if self._is_on:
                        await self._carry_on(model, run, done)
                tried: set[tuple[str, ...]] = set()
                while self._is_on and (cluster := await self._next_cluster(tried)):
                    tried.add(cluster.exchanges)
                    await self._evolve(model, cluster, done)
            return done

    @asynccontextmanager
    async def _saying_why(self) -> AsyncIterator[None]:
        try:
            yield
        except KnownError as error:
            self.waiting = error.detail
            raise
        else:
            self.waiting = ""

    @property
    def _is_on(self) -> bool:
        """The person may switch learning off in the middle of a pass."""
        return self._settings().learning.enabled

    def _is_anything_due(self, db: Session) -> bool:
        failures = self._settings().learning.failures
        return bool(
            learning.due_turns(db, 1) or learning.open_runs(db) or learning.ready_clusters(db, failures)
        )

    async def _next_cluster(self, tried: set[tuple[str, ...]]) -> Cluster | None:
        failures = self._settings().learning.failures
        ready = await self._store.aread(lambda db: learning.ready_clusters(db, failures))
        return next((each for each in ready if each.exchanges not in tried), None)

    async def _judge(self, model: LearningModel, turn_id: str) -> None:
        told = await self._store.aread(lambda db: turns.conversation(db, turn_id))
        try:
            ruling = await judge(model, told, self._settings().learning.votes)
        except TooSlowError as error:  # a model that is away is another matter: the turn stays due
            self._unanswered[turn_id] += 1
            if self._unanswered[turn_id] < _TRIES:
                raise
            ruling = Ruling(None, (), f"tried {_TRIES} times: {error.detail}")
        self._unanswered.pop(turn_id, None)
        exchange_id = told.turn.exchange_id
        assert exchange_id is not None, "only turns of an exchange wait for a verdict"

        def write(db: Session) -> None:
            if not learning.is_due(db, turn_id):
                return
            now = self._clock.now()
            guilty = _at_fault(db, turn_id, ruling.step)
            learning.add_verdict(db, turn_id, exchange_id, ruling, model.name, now, guilty)
            learning.add_evidence(db, exchange_id, pieces_of(ruling, told), now, turn_id)
            if ruling.score is None:
                learning.add_notice(db, "unscored", turn_id, ruling.reason, now)

        await self._store.awrite(write)
        votes = ", ".join(map(_signed, ruling.votes)) or "none"
        score = "unscored" if ruling.score is None else _signed(ruling.score)
        await self._tell(f"verdict {score} on turn …{turn_id[-6:]} (votes {votes}): {ruling.reason}")
        if ruling.instruction:
            await self._tell(f"a standing instruction: “{ruling.instruction}”")

    async def _evolve(self, model: LearningModel, cluster: Cluster, done: Done) -> None:
        """Start a run: its row and its claims are one transaction, before the evolver sees anything."""
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
        await self._carry_on(model, run, done)

    async def _carry_on(self, model: LearningModel, run: Run, done: Done) -> None:
        """The draft, the checks, the gate, and what is offered or refused.

        Where the model is away or the budget ends, the run stays open and is taken up again later.
        """
        try:
            await self._write_and_measure(model, run, done)
        except (UnusableAnswerError, SkillError) as error:
            await self._give_up(run, error, done)
        except (UpstreamError, LearningError) as error:
            if self._clock.now() - run.started_at > _PATIENCE:
                await self._give_up(run, error, done)
            raise

    async def _write_and_measure(self, model: LearningModel, run: Run, done: Done) -> None:
        cluster = await self._store.aread(lambda db: learning.cluster_of(db, run))
        support = await self._store.aread(lambda db: [_support(db, each) for each in cluster.exchanges])
        known = await self._store.aread(lambda db: library.active_library(db)[1])
        written = await self._store.aread(_written_before)
        taken = await self._store.aread(_names_taken)
        draft = await draft_skill(model, cluster, support, known, written, taken)
        if isinstance(draft, str):
            await self._end(run.id, RunState.NOTHING, draft)
            await self._tell(f"nothing was written: {draft}")
            done.notes.append(draft)
            return
        await self._tell(f"a skill was written: “{draft.name}”. Now it is measured.")
        occasion = Occasion(run.id, run.started_at, cluster.kind)
        measured = await self._gate.measure(model, draft, support, occasion, self._tell)
        await self._offer(run.id, cluster, draft, measured, done)

    async def _give_up(self, run: Run, error: KnownError, done: Done) -> None:
        await self._end(run.id, RunState.FAILED, error.detail)
        await self._tell(f"the run failed: {error.detail}")
        done.notes.append(error.detail)

    async def _offer(
        self, run_id: str, cluster: Cluster, draft: Draft, measured: Measured, done: Done
    ) -> None:
        def write(db: Session) -> str:
            if not learning.is_open(db, run_id):
                raise _forgotten()
            now = self._clock.now()
            check_learnt_text(draft.text, draft.name)
            proposal_id = decisions.propose(
                db,
                op=draft.op,
                skill=draft.name,
                text=draft.text,
                why=draft.why,
                now=now,
                exchanges=cluster.exchanges,
                run_id=run_id,
                state=ProposalState.PENDING if measured.passed else ProposalState.REFUSED,
                reason="" if measured.passed else measured.reason,
            )
            learning.add_gate_result(db, measured.row(proposal_id, now))
            state = RunState.PROPOSED if measured.passed else RunState.REFUSED
            learning.end_run(db, run_id, state, measured.reason, now)
            return proposal_id

        proposal_id = await self._store.awrite(write)
        await self._tell(
            f"gate: {measured.reason} ({measured.without_skill:+.2f} without, {measured.with_skill:+.2f} with "
            f"it): {'offered for review' if measured.passed else 'refused'}"
        )
        if measured.passed:
            done.proposals.append(proposal_id)
        else:
            done.notes.append(f"“{draft.name}” was refused: {measured.reason}")

    async def _end(self, run_id: str, state: RunState, reason: str) -> None:
        await self._store.awrite(lambda db: learning.end_run(db, run_id, state, reason, self._clock.now()))

    async def _tell(self, text: str) -> None:
        for listener in tuple(self._listeners):
            await listener(text)

    async def _note(self, kind: str, subject: str, error: KnownError) -> None:
        log.info("learning waits reason=%s", error.title)  # a detail may quote what was sent
        await self._store.awrite(
            lambda db: learning.add_notice(db, kind, subject, error.detail, self._clock.now())
        )


def _signed(score: int) -> str:
    return f"{score:+d}" if score else "0"


def _at_fault(db: Session, turn_id: str, step: int) -> str | None:
    """The earlier turn whose answer is the one at fault; None where it is this turn's own, or not known."""
    answers = turns.answered_by(db, turn_id) if step else []
    return answers[step - 1] if 0 < step < len(answers) else None


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
        exchange_id, turns.conversation(db, judged.id), accepted, learning.note_of(db, exchange_id)
    )


def _forgotten() -> SkillError:
    """The person forgot, in the middle of a run, what it learns from."""
    return SkillError("Nothing to learn from", FORGOTTEN)


def _names_taken(db: Session) -> set[str]:
    """Names that a new skill may not have: those of all skills, and of what waits for the person."""
    waiting = {view.proposal.skill for view in library.proposals(db)}
    return {view.name for view in library.skills(db)} | waiting


def _written_before(db: Session) -> list[str]:
    """Texts that were proposed before and not approved: not to be offered a second time."""
    states = (ProposalState.PENDING, ProposalState.REJECTED)
    return [
        view.proposal.text for view in library.proposals(db, states) if view.proposal.op != ProposalOp.RETIRE
    ]
