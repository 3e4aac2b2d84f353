"""The library in memory and in its folder, kept equal to what the store says."""

from __future__ import annotations

import asyncio
import logging
import time

from sqlmodel import Session

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import KnownError
from metaclaw_tray.ids import new_id
from metaclaw_tray.paths import Paths
from metaclaw_tray.proxy.injection import Choice
from metaclaw_tray.runtime.trouble import Troubles
from metaclaw_tray.skills.folder import materialise, reconcile
from metaclaw_tray.skills.live import LiveLibrary, build_snapshot
from metaclaw_tray.skills.review import propose_outside
from metaclaw_tray.store import library
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables import Notice

log = logging.getLogger(__name__)

_LOOK_SECONDS = 60.0


class Skills:
    """What the proxy asks: the live library, by the proxy's clock reading."""

    def __init__(self) -> None:
        self.live = LiveLibrary(Choice)

    @property
    def generation(self) -> int:
        return self.live.generation

    def choose(
        self, query: str, exclude: frozenset[str], slots: int, tokens: int, deadline: float
    ) -> Choice | None:
        return self.live.choose(query, exclude, slots, tokens, deadline - time.monotonic())


class LibraryKeeper:
    """Brings a decision to where it counts: first the memory of the hot path, then the folder."""

    def __init__(self, store: Store, paths: Paths, clock: Clock, troubles: Troubles) -> None:
        self._store = store
        self._paths = paths
        self._clock = clock
        self._troubles = troubles
        self._one_at_a_time = asyncio.Lock()
        self.skills = Skills()

    async def refresh(self) -> None:
        """Serve what the store says now, and write it to the folder. Never raises for a folder it cannot
        write: the approved skills serve all the same."""
        async with self._one_at_a_time:
            generation, versions = await self._store.aread(library.active_library)
            snapshot = await asyncio.to_thread(build_snapshot, generation, versions)
            self.skills.live.replace(snapshot)
            self._troubles.replace(
                "skill ",
                {
                    name: f"The skill {name} is not put in front of the model: {why}"
                    for name, why in snapshot.left_out.items()
                },
            )
            known = await self._store.aread(library.known_digests)
            try:
                notes = await asyncio.to_thread(materialise, self._paths.skills_dir, versions, known)
            except KnownError as error:
                self._troubles.set("skills folder", " ".join(error.lines()))
                return
            self._troubles.set("skills folder", "; ".join(notes))

    async def look_outside(self) -> list[str]:
        """Turn what somebody changed in the folder into proposals; gives their ids."""
        async with self._one_at_a_time:
            _, versions = await self._store.aread(library.active_library)
            known = await self._store.aread(library.known_digests)
            changes = await asyncio.to_thread(reconcile, self._paths.skills_dir, versions, known)
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
        """Look at the folder once a minute, until cancelled."""
        while True:
            await self.look_outside()
            await asyncio.sleep(_LOOK_SECONDS)
