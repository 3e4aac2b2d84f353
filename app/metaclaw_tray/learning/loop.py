"""The loop: does the next thing that is due, and says each step.

What is due is read from the store each time, so a program that was killed goes on where it was: a turn keeps
waiting for its verdict until it has one, and a run that was cut short, by a kill, a cap or a model that was
away, is taken up again. Its claims stay whatever comes of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta

from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import KnownError, LearningError, UpstreamError
from metaclaw_tray.learning.about import About
from metaclaw_tray.learning.again import Again
from metaclaw_tray.learning.alike import one_kind
from metaclaw_tray.learning.evidence import pieces_of
from metaclaw_tray.learning.evolving import Done, Evolution, Tell
from metaclaw_tray.learning.gate import Gate
from metaclaw_tray.learning.judge import judge
from metaclaw_tray.learning.model import BusyError, LearningModel, TooSlowError, TurnedDownError
from metaclaw_tray.learning.quiet import Calm, PatientModel, Quiet
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import learning, lessons, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.learning import Ruling
from metaclaw_tray.store.lessons import Cluster

log = logging.getLogger(__name__)

AGENT_WORKS = "an agent is at work; learning goes on when it is done"

_PAUSE_SECONDS = (5.0, 30.0, 120.0, 600.0)  # after a model that did not answer, once, twice …
_LONGEST_PAUSE_SECONDS = 86_400.0  # whatever a busy server asks for: quotas are by the day
_IDLE_SECONDS = 300.0
_LOOK_SECONDS = 30.0  # between two looks at the clock on the wall
_TRIES = 3  # of a verdict that comes not in time or is turned down, before the turn is left unscored


class Learner:
    """Judges, evolves and measures, one thing at a time."""

    def __init__(
        self,
        store: Store,
        settings: Callable[[], Settings],
        model: Callable[[], AbstractAsyncContextManager[LearningModel]],
        clock: Clock,
        is_quiet: Quiet = lambda: True,
        held: Callable[[], str] = str,
    ) -> None:
        """`model` opens the learning model, or raises LearningError with the reason why there is none.
        `is_quiet` says whether no agent has been at work for a while; `held` why the person lets learning
        rest, or nothing."""
        self._store = store
        self._settings = settings
        self._model = model
        self._clock = clock
        gate = Gate(store, settings, clock)
        self._evolution = Evolution(store, settings, gate, clock, self._tell)
        self._again = Again(store, settings, clock)
        self._held = held
        self._calm = Calm(lambda: not held() and is_quiet())
        self._wanted = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._listeners: list[Tell] = []
        self._unanswered: Counter[str] = Counter()
        self._at_work = False
        self._why_not = ""  # the last pass did not end; "" where it did

    @property
    def waiting(self) -> str:
        """Why learning does not go on now; "" where it does, or has nothing to do."""
        return AGENT_WORKS if self._calm.waits else self._why_not

    @property
    def working(self) -> bool:
        """Whether it is at work now."""
        return self._at_work and not self._calm.waits

    def wake(self) -> None:
        """Something may be due."""
        self._wanted.set()

    async def run(self) -> None:
        """Do what is due in quiet moments, whenever something may be, until cancelled."""
        failures = 0
        while True:
            self._wanted.clear()
            try:
                await self._pass()
                failures = 0
            except UpstreamError as error:
                await self._note("waiting", "learning", error)
                pause = _PAUSE_SECONDS[min(failures, len(_PAUSE_SECONDS) - 1)]
                failures += 1
                asked_for = error.seconds if isinstance(error, BusyError) else 0.0
                await self._rest(max(pause, min(asked_for, _LONGEST_PAUSE_SECONDS)))
                continue
            except LearningError as error:
                await self._note("waiting", "learning", error)
            await self._rest(_IDLE_SECONDS, self._wanted)

    async def _rest(self, seconds: float, wanted: asyncio.Event | None = None) -> None:
        """Wait so long, or until something is wanted. The clock on the wall counts too: the other one stops
        while the machine sleeps, and what was due in the night is due in the morning."""
        until, ends = self._clock.now() + timedelta(seconds=seconds), self._clock.monotonic() + seconds
        wanted = wanted or asyncio.Event()
        while True:
            left = min((until - self._clock.now()).total_seconds(), ends - self._clock.monotonic())
            if left <= 0 or wanted.is_set():
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, _LOOK_SECONDS)):
                    await wanted.wait()

    @asynccontextmanager
    async def heard_by(self, listener: Tell) -> AsyncIterator[None]:
        """Tell each step to `listener` too, whoever asked for it, while the block lasts."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    async def work(self) -> Done:
        """Do all that is due now, after what is being done already, and let no agent go before: a person
        asked for it. Raises LearningError where learning waits, UpstreamError where the model is away; what
        was done before stands."""
        self._may_go_on()
        with self._calm.hurried():
            return await self._pass()

    async def _pass(self) -> Done:
        async with self._one_at_a_time:
            done = Done()
            if not await self._store.aread(self._is_anything_due):
                self._why_not = ""
                return done
            self._may_go_on()
            async with self._saying_why(), self._model() as opened, self._being_at_work():
                seconds = self._settings().learning.timeout_seconds
                model = PatientModel(opened, self._calm, self._clock, seconds)
                while self._is_on and (due := await self._store.aread(learning.due_turns)):
                    await self._judge(model, due[0])
                    done.judged += 1
                for run in await self._store.aread(learning.open_runs):
                    if self._is_on:
                        await self._evolution.carry_on(model, run, done)
                tried: set[tuple[str, ...]] = set()
                while self._is_on and (cluster := await self._next_cluster(tried)):
                    tried.add(cluster.exchanges)
                    await self._calm.comes()
                    await self._evolution.start(model, cluster, done)
                while self._is_on and await self._again.measure_next(model, self._tell):
                    await self._calm.comes()
            return done

    def _may_go_on(self) -> None:
        """Raise LearningError where the person lets learning rest."""
        if why := self._held():
            raise LearningError("Learning rests", f"It is {why}.", "`metaclaw-tray learn resume` ends that.")

    @asynccontextmanager
    async def _being_at_work(self) -> AsyncIterator[None]:
        self._at_work = True
        try:
            yield
        finally:
            self._at_work = False

    @asynccontextmanager
    async def _saying_why(self) -> AsyncIterator[None]:
        try:
            yield
        except KnownError as error:
            self._why_not = error.detail
            raise
        else:
            self._why_not = ""

    @property
    def _is_on(self) -> bool:
        """The person may switch learning off, or let it rest, in the middle of a pass."""
        settings = self._settings()
        return settings.learning.enabled and settings.review.policy != "off" and not self._held()

    def _is_anything_due(self, db: Session) -> bool:
        failures = self._settings().learning.failures
        return bool(
            learning.due_turns(db, 1)
            or learning.open_runs(db)
            or lessons.ready_clusters(db, failures, one_kind)
            or self._again.is_due(db)
        )

    async def _next_cluster(self, tried: set[tuple[str, ...]]) -> Cluster | None:
        failures = self._settings().learning.failures
        ready = await self._store.aread(lambda db: lessons.ready_clusters(db, failures, one_kind))
        return next((each for each in ready if each.exchanges not in tried), None)

    async def _judge(self, model: LearningModel, turn_id: str) -> None:
        told = await self._store.aread(lambda db: turns.conversation(db, turn_id))
        try:
            asked = About(model, [told.turn.exchange_id or ""])
            ruling = await judge(asked, told, self._settings().learning.votes)
        except (TooSlowError, TurnedDownError) as error:  # a model that is away is another matter
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
