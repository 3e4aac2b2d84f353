"""Skills by meaning, behind the hot path: hints for the next exchange, and phrases for what was just saved.

The embedder is started when there is something to embed and let go after some idle minutes. What it finds is
written into the live library's table of hints; nobody waits for it, and without it skills are found by words.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence

import psutil

from metaclaw_tray.clock import Clock
from metaclaw_tray.embedder.client import Embedder, EmbedderEndedError
from metaclaw_tray.embedder.likeness import TELLING, hints
from metaclaw_tray.errors import KnownError
from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime.neighbours import Neighbours
from metaclaw_tray.runtime.phrasing import Phrasing, known
from metaclaw_tray.runtime.trouble import Troubles
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.fields import Entry
from metaclaw_tray.skills.hints import SKILLS, HintTable
from metaclaw_tray.skills.live import Snapshot
from metaclaw_tray.skills.query import asking
from metaclaw_tray.skills.words import terms
from metaclaw_tray.store.asked import asked_in
from metaclaw_tray.store.engine import Store

log = logging.getLogger(__name__)

_RESTARTS, _WITHIN_SECONDS = 3, 600.0
_MINUTE = 60.0  # seconds
_WAITING_TURNS = 256  # that nothing was made of yet; of more, the oldest are too old to give a hint
_TROUBLE = "skills by meaning"  # another subject than the service, whose trouble passes by itself


class EmbedderKeeper:
    """Runs the embedder while the settings want it and there is work for it.

    `settings` and `snapshot` give what is in force now; `command` stands in for this program in tests.
    """

    def __init__(
        self,
        paths: Paths,
        clock: Clock,
        store: Store,
        settings: Callable[[], Settings],
        snapshot: Callable[[], Snapshot],
        table: HintTable,
        troubles: Troubles,
        *,
        command: Sequence[str] | None = None,
    ) -> None:
        self._vectors_file = paths.vectors_file
        self._clock = clock
        self._store = store
        self._settings = settings
        self._snapshot = snapshot
        self._table = table
        self._troubles = troubles
        self._command = command
        self._phrasing = Phrasing(store, clock)
        self._news = asyncio.Event()
        self._turns: deque[str] = deque(maxlen=_WAITING_TURNS)
        self._versions: dict[str, int] | None = None  # of the skills when last looked at
        self._saved: dict[str, int] = {}  # those that are looked for phrases for
        self._neighbours = Neighbours()
        self._known: dict[str, Entry] = {}  # to the child that runs
        self._deaths: deque[float] = deque()
        self._unable_until = 0.0  # by the clock's monotonic reading
        self._pid: int | None = None

    @property
    def enabled(self) -> bool:
        return self._settings().embedder.enabled

    def turns_stored(self, turn_ids: Sequence[str]) -> None:
        """These turns were recorded: what was said in them may mean skills for what comes next."""
        if self.enabled and turn_ids and self._snapshot().skills:
            self._turns.extend(turn_ids)
            self._news.set()

    def library_changed(self) -> None:
        """The library in memory is another. What was saved since the last time may lack phrases."""
        versions = {name: skill.version for name, skill in self._snapshot().skills.items()}
        before, self._versions = self._versions, versions
        if before is None or not self.enabled:
            return
        saved = {name: version for name, version in versions.items() if before.get(name) != version}
        if saved:
            self._saved |= saved
            self._news.set()

    def neighbours(self) -> dict[tuple[str, str], float]:
        """The pairs of active skills that mean much the same, as far as they were looked at; the others are
        looked at from now on."""
        if not self.enabled:
            return {}
        self._neighbours.want(self._snapshot().index.entries)
        if self._neighbours.has_work:
            self._news.set()
        return self._neighbours.pairs()

    def settings_changed(self) -> None:
        """Begin or end by the settings in force now; where it could not run, try again."""
        self._unable_until = 0.0
        self._deaths.clear()
        self._troubles.set(_TROUBLE, "")
        if not self.enabled:
            self._forget()
        self._news.set()

    def told(self) -> str:
        """How it is, in a few words for the status. Asks the system for the memory of a process."""
        if not self.enabled:
            return "off (`metaclaw-tray config set embedder.enabled true`)"
        if self._resting():
            return "not running: it failed, see trouble"
        if self._pid is None:
            return "on; it starts when something is said"
        try:
            memory = psutil.Process(self._pid).memory_info().rss // 2**20
        except psutil.Error:
            return "on; its process has just ended"
        return f"on, {memory} MB, {len(self._known)} skills, process {self._pid}"

    async def run(self) -> None:
        """Serve until cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            if not self._has_work() or self._resting():
                continue
            try:
                async with Embedder.start(self._vectors_file, command=self._command) as embedder:
                    self._pid, self._known = embedder.pid, {}
                    log.info("the embedder runs pid=%d", embedder.pid)
                    await self._serve(embedder)
            except EmbedderEndedError as error:
                self._count_death(str(error))
            except KnownError as error:  # there is no model
                self._unable_until = self._clock.monotonic() + _WITHIN_SECONDS
                self._troubles.set(_TROUBLE, " ".join(error.lines()))
                self._forget()
            finally:
                self._pid, self._known = None, {}

    async def _serve(self, embedder: Embedder) -> None:
        """Do what there is to do, until there was nothing for long enough."""
        while self.enabled:
            while self._has_work():
                await self._learn(embedder)
                await self._hint(embedder)
                await self._phrase(embedder)
                if self._neighbours.has_work:
                    await self._neighbours.look(embedder)
            self._troubles.set(_TROUBLE, "")
            try:
                async with asyncio.timeout(self._settings().embedder.idle_minutes * _MINUTE):
                    await self._news.wait()
            except TimeoutError:
                log.info("the embedder is let go: nothing to do pid=%d", embedder.pid)
                return
            self._news.clear()

    async def _learn(self, embedder: Embedder) -> None:
        """Bring the library to the child, at the cost of what changed."""
        now = {entry.name: entry for entry in self._snapshot().index.entries}
        come = [known(entry) for name, entry in now.items() if self._known.get(name) != entry]
        gone = self._known.keys() - now.keys()
        if come or gone:
            await embedder.learn(come, sorted(gone))
            self._known = now

    async def _hint(self, embedder: Embedder) -> None:
        turns = list(self._turns)
        self._turns.clear()  # whatever comes of them: a text that ends the child is not tried again
        for asked in await self._store.aread(lambda db: asked_in(db, turns)) if turns else ():
            words = asking(asked.words)
            if len(set(terms(words))) >= TELLING:  # else it goes on with what was said before
                self._table.put(asked.session_id, hints(await embedder.nearest(words, SKILLS)))

    async def _phrase(self, embedder: Embedder) -> None:
        """Look for phrases for one of the skills that were saved."""
        name = next(iter(self._saved), None)
        if name is None:
            return
        version = self._saved.pop(name)
        entry = self._known.get(name)
        if entry is not None:
            await self._phrasing.propose(embedder, entry, version)

    def _has_work(self) -> bool:
        return self.enabled and bool(self._turns or self._saved or self._neighbours.has_work)

    def _resting(self) -> bool:
        now = self._clock.monotonic()
        while self._deaths and now - self._deaths[0] > _WITHIN_SECONDS:
            self._deaths.popleft()
        return len(self._deaths) > _RESTARTS or now < self._unable_until

    def _count_death(self, how: str) -> None:
        log.warning("the embedder ended how=%s", how)
        self._deaths.append(self._clock.monotonic())
        if self._resting():
            self._troubles.set(
                _TROUBLE,
                f"The embedder failed {len(self._deaths)} times within ten minutes ({how}); until it is "
                "tried again, skills are found by words alone.",
            )
            self._forget()
        else:
            self._news.set()

    def _forget(self) -> None:
        self._turns.clear()
        self._saved.clear()
        self._neighbours.forget()
        self._table.clear()
