"""The library in memory and in its folder, kept equal to what the store says."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence

from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import KnownError
from metaclaw_tray.ids import new_id
from metaclaw_tray.paths import Paths
from metaclaw_tray.proxy.injection import Choice, NotReadyError
from metaclaw_tray.runtime.trouble import Troubles
from metaclaw_tray.skills.folder import materialising, reconcile
from metaclaw_tray.skills.live import LiveLibrary, Snapshot, next_snapshot
from metaclaw_tray.skills.review import propose_outside
from metaclaw_tray.skills.stamps import Stamps
from metaclaw_tray.skills.trials import RunningTrial, Trials, previous
from metaclaw_tray.store import effects, library, trials
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.records import OfTrial
from metaclaw_tray.store.tables import Notice

log = logging.getLogger(__name__)

_LOOK_SECONDS = 60.0
_FOLDER_SECONDS = 3.0  # that a decision waits for its files; thousands of them are written on behind it
_LAST_STEP = object()


class Skills:
    """What the proxy asks: the live library, by the proxy's clock reading."""

    def __init__(self) -> None:
        self.live = LiveLibrary(Choice)
        self.trials = Trials()
        self.replaced: Callable[[], None] = lambda: None  # told after each replacement
        self._loaded = asyncio.Event()

    @property
    def generation(self) -> int:
        return self.live.generation

    def replace(self, snapshot: Snapshot) -> None:
        """Serve this snapshot from now on."""
        self.live.replace(snapshot)
        self._loaded.set()
        self.replaced()

    async def loaded(self, seconds: float) -> None:
        """Wait until there is a library, at most so long."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._loaded.wait()

    def choose(
        self,
        query: str,
        exclude: frozenset[str],
        slots: int,
        tokens: int,
        deadline: float,
        session_id: str = "",
        instead: frozenset[str] = frozenset(),
    ) -> Choice | None:
        if not self._loaded.is_set():
            raise NotReadyError
        before = self.trials.stand_ins(instead, query)
        exclude |= instead - before.keys()
        seconds = deadline - time.monotonic()
        return self.live.choose(query, exclude, slots, tokens, seconds, session_id, before)

    def withhold(
        self, skills: Sequence[str], session_id: str, anchor: bytes, at: float, *, remember: bool
    ) -> list[OfTrial]:
        return self.trials.withhold(skills, session_id, anchor, at, remember=remember)


class LibraryKeeper:
    """Brings a decision to where it counts: first the memory of the hot path, then the folder.

    `run` loads the library, while the proxy serves already, and is the only one that touches the folder.
    """

    def __init__(self, store: Store, paths: Paths, clock: Clock, troubles: Troubles) -> None:
        self._store = store
        self._paths = paths
        self._clock = clock
        self._troubles = troubles
        self._one_at_a_time = asyncio.Lock()
        self._decided = asyncio.Event()  # something that the folder does not show yet
        self._shown: list[asyncio.Future[None]] = []  # who waits for the folder to show it
        self._stamps = Stamps()
        self.skills = Skills()

    async def refresh(self) -> None:
        """Serve what the store says now; then have it written to the folder, and wait for that a little.
        Never raises for a folder that cannot be written: the approved skills serve all the same."""
        await self._load()
        shown = asyncio.get_running_loop().create_future()
        self._shown.append(shown)
        self._decided.set()
        await asyncio.wait([shown], timeout=_FOLDER_SECONDS)

    async def _load(self) -> None:
        """Bring what changed in the store to the hot path."""
        async with self._one_at_a_time:
            before = self.skills.live.snapshot
            change, going_on = await self._store.aread(
                lambda db: (library.library_since(db, before.generation), _running(db))
            )
            snapshot = await asyncio.to_thread(
                next_snapshot, before, change.generation, change.gone, change.come, change.scoped
            )
            self.skills.replace(snapshot)
            self.skills.trials.replace(going_on)
        self._troubles.replace(
            "skill ",
            {
                name: f"The skill {name} is not put in front of the model: {why}"
                for name, why in snapshot.left_out.items()
            },
        )

    async def _show(self) -> None:
        """Write the library to the folder, step by step: who is cancelled waits for one step."""
        versions = (await self._store.aread(lambda db: library.library_since(db, 0))).come
        known = await self._store.aread(library.known_digests)
        notes: list[str] = []
        steps = materialising(self._paths.skills_dir, versions, known, notes, self._stamps)
        try:
            while await asyncio.to_thread(next, steps, _LAST_STEP) is not _LAST_STEP:
                pass
        except KnownError as error:
            self._troubles.set("skills folder", " ".join(error.lines()))
        else:
            self._troubles.set("skills folder", "; ".join(notes))

    async def look_outside(self) -> list[str]:
        """Turn what somebody changed in the folder into proposals; gives their ids."""
        versions = (await self._store.aread(lambda db: library.library_since(db, 0))).come
        known = await self._store.aread(library.known_digests)
        changes = await asyncio.to_thread(reconcile, self._paths.skills_dir, versions, known, self._stamps)
        unusable = [f"{change.name}: {change.why}" for change in changes if not change.is_proposal]
        self._troubles.set("changed outside", "; ".join(unusable))
        wanted = [change for change in changes if change.is_proposal]
        if not wanted:
            return []

        def write(session: Session) -> list[str]:
            now = self._clock.now()
            before = {view.proposal.id for view in library.proposals(session)}
            made = [each for each in propose_outside(session, wanted, now) if each not in before]
            for proposal_id in made:
                session.add(
                    Notice(
                        id=new_id(now),
                        kind="outside_change",
                        subject=proposal_id,
                        reason="the skills folder was changed from outside; the approved text keeps serving",
                        at=now,
                    )
                )
            return made

        return await self._store.awrite(write)

    async def run(self) -> None:
        """Load the library, show it, and look at its folder once a minute, until cancelled."""
        await self._load()
        self._decided.set()
        while True:
            if self._decided.is_set():  # and only then: what somebody took away is not put back unasked
                self._decided.clear()
                waiting, self._shown = self._shown, []
                await self._show()
                for shown in waiting:
                    shown.set_result(None)
            await self.look_outside()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._decided.wait()


def _running(db: Session) -> list[RunningTrial]:
    """The trials that go on, each with the version that stands where the tried one is kept back."""
    found = []
    for trial, arms in trials.running(db):
        against = effects.tried_against(db, trial)
        before = None
        if against:
            versions = (library.version_of(db, trial.skill, each) for each in (against, trial.version))
            before = previous(*versions)
        found.append(RunningTrial(trial.id, trial.skill, trial.version, trial.sessions, arms, before))
    return found
