"""The composition root: everything that runs, put together once.

Order of life: settings, store, secrets; then the scribe and the proxy; then what may come later (the embedded
model, learning, commands). Order of death: the proxy drains, sessions end, the scribe stores what is in its
pipe, the store closes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial

from sqlmodel import Session

from metaclaw_tray.admin.consent import SCRIPTED_VARIABLE
from metaclaw_tray.clock import Clock, SystemClock
from metaclaw_tray.errors import LearningError
from metaclaw_tray.learning.client import ChatModel, LearningModel
from metaclaw_tray.learning.loop import Learner
from metaclaw_tray.learning.patience import Turnstile
from metaclaw_tray.omls.calendars.keeping import CalendarKeeper
from metaclaw_tray.omls.job import Job
from metaclaw_tray.omls.scheduler import Scheduler
from metaclaw_tray.omls.sensing import machine
from metaclaw_tray.omls.sensing.senses import SystemSenses
from metaclaw_tray.paths import Paths
from metaclaw_tray.proxy import Anchors, Block, Proxy, ReasoningMemory, Remembered, Thought, TokenTable
from metaclaw_tray.proxy.reasoning import MOST_BYTES
from metaclaw_tray.proxy.sessions import Sessions
from metaclaw_tray.proxy.threads import Thread, Threads
from metaclaw_tray.runtime.builtin import register_builtin
from metaclaw_tray.runtime.changed import Changes
from metaclaw_tray.runtime.connections import Connections
from metaclaw_tray.runtime.embedded import EmbeddedKeeper
from metaclaw_tray.runtime.embedder import EmbedderKeeper
from metaclaw_tray.runtime.library import LibraryKeeper
from metaclaw_tray.runtime.memory import Heap
from metaclaw_tray.runtime.merging import Merging
from metaclaw_tray.runtime.pausing import LearningPause
from metaclaw_tray.runtime.quiet import QuietWatch
from metaclaw_tray.runtime.retention import Retention
from metaclaw_tray.runtime.reviewing import Reviewing
from metaclaw_tray.runtime.scheduling import NothingToTrain, Zone, wishes_of
from metaclaw_tray.runtime.scribe import ScribeKeeper
from metaclaw_tray.runtime.trouble import Troubles, supervise
from metaclaw_tray.runtime.watching import WindowNews, watch
from metaclaw_tray.secrets import SecretVault
from metaclaw_tray.secrets.vault import aopen_vault
from metaclaw_tray.settings import Settings, SettingsFile
from metaclaw_tray.store import agreeing, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.reasoned import reasoned
from metaclaw_tray.store.records import Stored
from metaclaw_tray.store.spend import Caps
from metaclaw_tray.wire.translation.thoughts import known_by

log = logging.getLogger(__name__)

_REMEMBERED = 20_000  # injected blocks, sessions and threads of earlier runs that the proxy takes up
_LASTING = timedelta(days=7)  # and how old they may be
_THOUGHT_TURNS = 5_000  # the last ones, whose answers are searched for what the model thought before them
_READY_SECONDS = 20.0
_LIBRARY_SECONDS = 1.0  # that being ready waits for the library; the proxy serves before
_DRAIN_SECONDS = 25.0


class Runtime:
    """The running program. Made by `running`; the façade and the tests reach everything through it."""

    def __init__(
        self,
        paths: Paths,
        settings_file: SettingsFile,
        store: Store,
        vault: SecretVault,
        clock: Clock,
        job: Job | None = None,
    ) -> None:
        """`job` is what runs in windows; None: nothing does."""
        self.paths = paths
        self.settings_file = settings_file
        self.store = store
        self.vault = vault
        self.clock = clock
        self.allow_scripted = False
        self.changes = Changes()
        self.troubles = Troubles(lambda: self.changes.tell("status"))
        self.tokens = TokenTable()
        self.library = LibraryKeeper(store, paths, clock, self.troubles)
        self.scribe = ScribeKeeper(store.path, clock, self._stored)
        self.embedded = EmbeddedKeeper(paths, clock, self._embedded_changed)
        live = self.library.skills.live
        self.embedder = EmbedderKeeper(
            paths, clock, store, lambda: self.settings, lambda: live.snapshot, live.hints, self.troubles
        )
        self.library.skills.replaced = self.embedder.library_changed
        self.connections = Connections(
            lambda: self.settings, vault, self.embedded, self.tokens, self.troubles
        )
        self.retention = Retention(store, lambda: self.settings, clock, self._let_go)
        self._turnstile = Turnstile(lambda: self.settings.learning.concurrency)
        self.reviewing = Reviewing(store, lambda: self.settings, clock, self.library.refresh, self.troubles)
        quiet = QuietWatch(lambda: self.proxy.counters, lambda: self.settings.learning.quiet_seconds, clock)
        self.pause = LearningPause(store, clock, self._pause_changed)
        self.learner = Learner(
            store, lambda: self.settings, self.learning_model, clock, quiet, held=self.pause.why
        )
        self.merging = Merging(
            store,
            lambda: self.settings,
            self.learning_model,
            clock,
            quiet,
            self.embedder.neighbours,
            held=self.pause.why,
        )
        trained = job or NothingToTrain()
        self.senses = SystemSenses(
            agents=machine.AGENTS, own=machine.own_processes, wants_load=lambda: trained.local
        )
        self.zone = Zone(clock)
        self.calendars = CalendarKeeper(
            store,
            clock,
            vault,
            lambda: self.settings.calendars,
            lambda: self.settings.schedule,
            self.zone,
            online=lambda: self.scheduler.readings.online,
            trouble=self.troubles.set,
            changed=self._calendars_changed,
        )
        self.news = WindowNews(store, clock, lambda: self.changes.tell("training"))
        self.scheduler = Scheduler(
            store,
            clock,
            self.senses,
            self.calendars,
            trained,
            lambda: wishes_of(self.settings.schedule),
            self.zone,
            self._since_the_person_spoke,
            changed=lambda: self.changes.tell("training", "status"),
            opened=self.news.opened,
            closed=self.news.closed,
        )
        self.url = ""
        self.started_at = clock.now()
        self._proxy: Proxy | None = None
        # What the proxy remembers of the record.
        self._memories: list[Anchors | Threads | ReasoningMemory] = []

    @property
    def settings(self) -> Settings:
        return self.settings_file.settings

    @property
    def proxy(self) -> Proxy:
        assert self._proxy is not None, "the proxy starts with `running`"
        return self._proxy

    async def apply(self) -> None:
        """Bring the settings in force to the proxy, the embedded model, learning and retention."""
        self.embedded.want(self.settings.embedded.model)
        self.embedder.settings_changed()
        await self.connections.load()
        self.connections.route(self.proxy)
        self.learner.wake()
        self.retention.settings_changed()
        self.calendars.settings_changed()
        self.scheduler.look_soon()
        self.changes.tell("settings", "status")

    def _person_spoke(self) -> None:
        """They wrote to an agent on this machine: a window closes, at once."""
        self.senses.exchange()
        self.scheduler.person_wrote()

    def _calendars_changed(self) -> None:
        self.scheduler.look_soon()
        self.changes.tell("settings", "training")

    def _since_the_person_spoke(self) -> float:
        """Seconds since a message of theirs last began an exchange."""
        return self.clock.monotonic() - self.proxy.person_at

    def readiness(self) -> str:
        """What is missing to be ready, besides an upstream."""
        if self.scribe.trouble:
            return self.scribe.trouble
        return "" if self.scribe.ready.is_set() else "the scribe is starting"

    def why_learning_waits(self) -> str:
        """What keeps learning from going on, as far as is known; "" where nothing does."""
        if self.pause.on:
            return self.pause.why()
        try:
            self.connections.learning()
        except LearningError as error:
            return error.detail
        return self.learner.waiting

    def trouble(self) -> list[str]:
        """What the person should know or mend now."""
        found = [self.vault.warning, self.scribe.trouble, self.connections.missing, *self.troubles.all()]
        return [each for each in found if each]

    @asynccontextmanager
    async def serving(self, port: int | None) -> AsyncIterator[None]:
        """Serve agents until the block ends. Raises PortTakenError."""
        self._proxy = await self._make_proxy()
        self.proxy.tell_of_person(self._person_spoke)
        bound = await self.proxy.start(self.settings.server.port if port is None else port)
        self.url = f"http://127.0.0.1:{bound}"
        scribe = asyncio.create_task(self.scribe.run(), name="scribe")
        others = [
            asyncio.create_task(supervise(name, service, self.clock, self.troubles), name=name)
            for name, service in (
                ("sessions", self.proxy.tend),
                ("embedded", self.embedded.run),
                ("embedder", self.embedder.run),
                ("library", self.library.run),
                ("pause", self.pause.run),
                ("learning", self.learner.run),
                ("reviewing", self.reviewing.run),
                ("merging", self.merging.run),
                ("built-in skills", partial(register_builtin, self.store, self.clock)),
                ("retention", self.retention.run),
                ("calendars", self.calendars.run),
                ("schedule", partial(watch, self.scheduler, self.senses, self.store)),
                ("memory", Heap().run),
            )
        ]
        try:
            await self.apply()
            await self._scribe_is_ready(scribe)
            await self.library.skills.loaded(_LIBRARY_SECONDS)
            yield
        finally:
            try:
                await self.proxy.drain(_DRAIN_SECONDS)
            finally:
                for task in others:
                    task.cancel()
                await asyncio.gather(*others, return_exceptions=True)
                await self.news.rest()
                self.senses.close()
                await self.scribe.stop()
                await scribe

    async def _make_proxy(self) -> Proxy:
        key = await self.store.aread(turns.node_key)
        anchors, sessions, threads, reasoning = Anchors(), Sessions(), Threads(key), ReasoningMemory()
        since = self.clock.now() - _LASTING

        def remembered(session: Session) -> None:
            anchors.load(
                (
                    each.anchor,
                    Block(
                        each.block,
                        tuple(each.skills),
                        each.tokens,
                        each.generation,
                        each.session_id,
                        each.at.timestamp(),
                    ),
                )
                for each in turns.injections(session, limit=_REMEMBERED, since=since)
            )
            sessions.load(
                Remembered(each.id, each.last_at.timestamp())
                for each in reversed(turns.sessions(session, limit=_REMEMBERED))
            )
            for session_id in turns.observed_sessions(session):
                sessions.observe(session_id, only=True)
            threads.load(
                (each.response_id, Thread(each.agent, each.session_id, each.tip, each.nodes, each.headed))
                for each in turns.threads(session, limit=_REMEMBERED, since=since)
            )
            reasoning.load(
                Thought(each.agent, each.upstream, each.node, known_by(each.message), each.thought)
                for each in reasoned(session, most=MOST_BYTES // 2, limit=_THOUGHT_TURNS, since=since)
            )

        await self.store.aread(remembered)
        self._memories = [anchors, threads, reasoning]
        return Proxy(
            settings=lambda: self.settings,
            tokens=self.tokens,
            skills=self.library.skills,
            tee=self.scribe,
            clock=self.clock,
            key=key,
            readiness=self.readiness,
            anchors=anchors,
            sessions=sessions,
            threads=threads,
            reasoning=reasoning,
        )

    async def _scribe_is_ready(self, scribe: asyncio.Task[None]) -> None:
        ready = asyncio.create_task(self.scribe.ready.wait(), name="scribe-ready")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_READY_SECONDS):
                await asyncio.wait({ready, scribe}, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()

    @asynccontextmanager
    async def learning_model(self, *, seconds: float | None = None) -> AsyncIterator[LearningModel]:
        """The model that learning may ask now, each call for so many seconds, or for as long as the settings
        say. Raises LearningError where there is none."""
        target = self.connections.learning()

        def make() -> ChatModel:
            return ChatModel(
                target,
                self.store,
                self.clock,
                self._caps,
                seconds=seconds or self.settings.learning.timeout_seconds,
                turnstile=self._turnstile,
            )

        model = await asyncio.to_thread(make)  # an HTTP client takes long to make
        try:
            yield model
        finally:
            await model.aclose()

    def _caps(self) -> Caps:
        """As they are set now: a cap that is lowered holds for the next call."""
        return Caps(self.settings.budget.day_usd, self.settings.budget.month_usd)

    def _stored(self, stored: Stored) -> None:
        self.changes.tell("turns")
        self.embedder.turns_stored(stored.turns)
        if stored.judgeable:
            self.learner.wake()

    def _let_go(self, nodes: Collection[bytes]) -> None:
        """What left the store is remembered by nobody."""
        for memory in self._memories:
            memory.let_go(nodes)

    def _pause_changed(self) -> None:
        self.learner.wake()
        self.changes.tell("learning", "status")

    def _embedded_changed(self) -> None:
        if self._proxy is not None:
            self.connections.route(self._proxy)
            self.learner.wake()


def _hold(file: SettingsFile, store: Store, clock: Clock) -> str:
    """Hold the settings file to what the person agreed to; what is wrong with the record of that, or ""."""
    now, found = clock.now(), file.settings

    def settle(db: Session) -> str:
        wrong = agreeing.begin(db, found, now)
        agreeing.follow(db, file.hold(agreeing.agreed(db)), now)
        return wrong

    wrong = store.write(settle)
    for held in file.held:
        log.warning("%s", held.sentence)
    return wrong


@asynccontextmanager
async def open_runtime(
    paths: Paths, environ: Mapping[str, str], clock: Clock | None = None, job: Job | None = None
) -> AsyncIterator[Runtime]:
    """Open settings, store and secrets; `job` is what runs in windows, None: nothing does. Raises
    SettingsError, StoreError, SecretError with the remedy."""
    clock = clock or SystemClock()
    settings_file = await asyncio.to_thread(SettingsFile, paths.config_file)
    store, vault = await asyncio.gather(
        asyncio.to_thread(Store.open, paths.store_file, clock), aopen_vault(paths, settings_file.settings)
    )
    wrong = await asyncio.to_thread(_hold, settings_file, store, clock)
    runtime = Runtime(paths, settings_file, store, vault, clock, job)
    runtime.troubles.set("agreed", wrong)
    runtime.allow_scripted = environ.get(SCRIPTED_VARIABLE) == "1"
    try:
        yield runtime
    finally:
        await asyncio.to_thread(store.close)
