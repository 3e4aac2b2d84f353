"""Keeping the record no longer and no larger than the person wants it, and forgetting what they name.

Turns go in batches with a pause between them, so that the scribe, which writes all the time, gets its turn.
What was said yes to and cut short, by a kill or a full disk, is taken up again at the next start and every
hour.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from datetime import timedelta
from pathlib import Path

from sqlmodel import Session as Db

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import StoreError
from metaclaw_tray.settings import Retention as Kept
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import decisions, forgetting, indexing, leaving, migrations, retention
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.forgetting import Gone, Promise
from metaclaw_tray.store.kept import drop_old as drop_old_answers
from metaclaw_tray.store.leaving import Which

log = logging.getLogger(__name__)

Tell = Callable[[str], Awaitable[None]]
"""Told each step in a sentence for the person."""

BATCH, _FEWEST, _MOST = 500, 100, 4000
"""Turns that leave in one transaction: at first, and within which bounds that is adapted."""

_LONG_SECONDS = 0.5  # that the scribe may have to wait
_PAUSE_SECONDS = 0.03  # SQLite asks for a lock that was held that long at least every 25 ms at first
_EVERY_SECONDS = 3600.0
_SMALL_BATCH = 200  # where the size decides: not many more than needed
_MEGABYTE = 1024 * 1024


class Retention:
    """The one that takes turns out of the store while the program runs."""

    def __init__(
        self,
        store: Store,
        settings: Callable[[], Settings],
        clock: Clock,
        let_go: Callable[[Collection[bytes]], None],
    ) -> None:
        """`let_go` is told the nodes that left the store and that the proxy may remember."""
        self._store = store
        self._settings = settings
        self._clock = clock
        self._let_go = let_go
        self._one_at_a_time = asyncio.Lock()
        self._batch = BATCH
        self._woken = asyncio.Event()
        self._tidied_by: Kept | None = None  # the settings that were in force at the last look

    def settings_changed(self) -> None:
        """Look again now, if it is to be kept otherwise than at the last look."""
        if self._settings().retention != self._tidied_by:
            self._woken.set()

    async def forget(self, which: Which, who: Actor, tell: Tell) -> tuple[Gone, Promise]:
        """Forget these turns and every trace of them in the files of the store.

        Gives what went and what was promised; nothing is done where no turn is meant. Raises StoreError where
        the file cannot be written: what has left by then is gone, the rest follows.
        """
        async with self._one_at_a_time:
            await self._finish_what_was_promised()
            made = await self._store.aread(lambda db: forgetting.weigh(db, which))
            if not made.turns:
                return Gone(), made

            def begin(db: Db) -> None:
                forgetting.promise(db, made)
                after = {"turns": made.turns}
                decisions.record(db, "forget", f"{made.turns} turns", who, self._clock.now(), after=after)

            await self._store.awrite(begin)
            return await self._keep(made, tell), made

    async def tidy(self) -> None:
        """Take out what was promised, is older, or is more than what is kept. Raises StoreError."""
        async with self._one_at_a_time:
            await self._finish_what_was_promised()
            await self._store.awrite(lambda db: drop_old_answers(db, self._clock.now()))
            kept = self._tidied_by = self._settings().retention
            if kept.days:
                before = self._clock.now() - timedelta(days=kept.days)
                await self._while_there_are(
                    lambda db: retention.expired(db, before, self._batch), f"older than {kept.days} days"
                )
                await self._store.awrite(lambda db: retention.drop_old(db, before))
                copies = migrations.copies(self._store.path).items()
                await asyncio.to_thread(_remove, [copy for copy, made in copies if made < before])
            if kept.size_mb:
                limit = kept.size_mb * _MEGABYTE

                def too_much(db: Db) -> list[str]:
                    return retention.oldest(db, _SMALL_BATCH) if retention.used_bytes(db) > limit else []

                await self._while_there_are(
                    too_much,
                    f"the record grew over {kept.size_mb} MB: the sessions not used for longest went",
                )

    async def run(self) -> None:
        """Look once an hour and whenever the settings change, until cancelled."""
        while True:
            self._woken.clear()
            await self.tidy()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_EVERY_SECONDS):
                    await self._woken.wait()

    async def _finish_what_was_promised(self) -> None:
        promised = await self._store.aread(forgetting.promised)
        if promised is None:
            return
        gone = await self._keep(promised, _to_nobody)
        reason = "what was to be forgotten had been cut short, and is forgotten now"
        await self._store.awrite(
            lambda db: retention.note_removed(db, "forgotten", reason, gone.turns, self._clock.now())
        )

    async def _keep(self, promised: Promise, tell: Tell) -> Gone:
        turns = await self._store.aread(lambda db: leaving.chosen(db, promised.which))
        gone, place = Gone(), 0
        while batch := turns[place : place + self._batch]:
            gone.add(await self._take(batch, learnt=True))
            place += len(batch)
            if place < len(turns):
                await tell(f"{place} of {len(turns)} turns are out")
        if promised.since is not None:
            await asyncio.to_thread(_remove, migrations.copies_since(self._store.path, promised.since))
        await tell("writing the file anew, so that no trace is left between its pages")
        try:
            await self._purge_index()
            await self._store.arewrite()
        except StoreError as error:
            raise StoreError(
                "Traces may be left in the file",
                f"The turns are out of every table, but the file could not be written anew: {error.detail}",
                "It is tried again every hour and at the next start; `metaclaw-tray notices` will say so. "
                + error.remedy,
            ) from error
        await self._store.awrite(forgetting.kept_promise)
        await self._store.awrite(forgetting.settle)
        return gone

    async def _purge_index(self) -> None:
        """Write the index of searching anew, some pages at a time, so that the scribe gets its turn."""
        more = await self._store.awrite(lambda db: indexing.purge(leaving.raw(db), first=True))
        while more:
            await asyncio.sleep(_PAUSE_SECONDS)
            more = await self._store.awrite(lambda db: indexing.purge(leaving.raw(db), first=False))

    async def _while_there_are(self, some: Callable[[Db], list[str]], reason: str) -> None:
        removed = 0
        while turns := await self._store.aread(some):
            taken = await self._take(turns, learnt=False)
            removed += taken.turns
            if not taken.turns:
                break  # a turn that cannot leave must not be asked for without end
        if removed:
            await self._store.awrite(forgetting.settle)
            await self._store.acut_journal()
            log.info("retention removed turns=%d reason=%r", removed, reason)
            await self._store.awrite(
                lambda db: retention.note_removed(db, "retention", reason, removed, self._clock.now())
            )

    async def _take(self, turns: Sequence[str], *, learnt: bool) -> Gone:
        begun = self._clock.monotonic()
        gone = await self._store.awrite(
            lambda db: forgetting.forget(db, turns, self._clock.now(), learnt=learnt)
        )
        seconds = self._clock.monotonic() - begun
        if seconds > _LONG_SECONDS:
            self._batch = max(self._batch // 2, _FEWEST)
        elif seconds < _LONG_SECONDS / 3 and len(turns) >= self._batch:
            self._batch = min(self._batch * 2, _MOST)
        if gone.nodes:
            self._let_go(gone.nodes)
        await asyncio.sleep(_PAUSE_SECONDS)
        return gone


def _remove(copies: Iterable[Path]) -> None:
    """Remove copies of the file that were made before updates and hold what must not be kept."""
    for copy in copies:
        copy.unlink(missing_ok=True)


async def _to_nobody(_text: str) -> None:
    pass
