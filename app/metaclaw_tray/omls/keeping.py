"""What the scheduler writes down as rows, and what it reads from them: the habits of the last weeks."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta, tzinfo

from sqlmodel import Session as Db

from metaclaw_tray.omls.absences import Absences
from metaclaw_tray.omls.decision import Decision
from metaclaw_tray.omls.forecast import MEMORY, Habits
from metaclaw_tray.omls.readings import Span
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.words import why_open
from metaclaw_tray.store import schedule as rows
from metaclaw_tray.store.engine import Store

log = logging.getLogger(__name__)

_MINUTE = timedelta(minutes=1)
_KEPT = timedelta(days=400)  # what was decided, and absences
_REFRESH = timedelta(minutes=30)  # of habits


class Keeping:
    """Windows, decisions, absences and the way of telling idleness, in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._window_kept: datetime | None = None
        self._absences = Absences()
        self._habits_at: datetime | None = None
        self._way = ""
        self.habits: Habits | None = None

    async def begin(self) -> None:
        """Windows that an earlier run left open end when they were last seen open."""
        await self._store.awrite(lambda db: rows.close_left_open(db, "the program ended"))

    async def open_window(self, decision: Decision, title: str) -> str:
        """A window has opened; its id."""
        kind = decision.reasons[0]
        window = await self._store.awrite(
            lambda db: rows.open_window(
                db,
                kind,
                decision.at,
                away_since=decision.away_since,
                expected_end=decision.expected_end,
                why=why_open(kind),
                title=title,
            )
        )
        self._window_kept = decision.at
        log.info("a window opens: kind=%s window=%s", kind, window)
        return window

    async def window_goes_on(self, window: str, now: datetime, seconds: float, job: str) -> None:
        """It is still open; kept once a minute."""
        if self._window_kept is not None and now - self._window_kept < _MINUTE:
            return
        await self._store.awrite(lambda db: rows.window_goes_on(db, window, now, seconds, job))
        self._window_kept = now

    async def close_window(self, window: str, now: datetime, why: str, seconds: float, job: str) -> None:
        """It has closed."""
        await self._store.awrite(lambda db: rows.close_window(db, window, now, why, seconds, job))
        log.info("a window closes: window=%s trained_seconds=%d", window, seconds)

    async def note(self, decision: Decision, words: str) -> None:
        """What is decided has changed."""
        await self._store.awrite(
            lambda db: rows.note(
                db,
                decision.at,
                is_open=decision.open,
                kind=decision.kind or "",
                vetoes=list(decision.vetoes),
                words=words,
            )
        )

    async def looked(self, now: datetime, idle: float | None, rules: Rules, way: str) -> None:
        """What was seen at a look, and by which way, where that is news."""
        away = self._absences.seen(now, idle, rules)
        if away is not None:
            await self._absent("idle", away)
        if way not in (self._way, "nothing"):
            self._way = way
            await self._store.awrite(lambda db: rows.set_idle_way(db, way))

    async def machine_slept(self, gap: timedelta, now: datetime) -> None:
        """Nobody was at a machine that slept."""
        if gap > _MINUTE:
            await self._absent("asleep", Span(now - gap, now))

    async def known_habits(self, now: datetime, zone: tzinfo) -> Habits:
        """Those of the last weeks, read again now and then."""
        fresh = self._habits_at is not None and timedelta() <= now - self._habits_at < _REFRESH
        if self.habits is None or not fresh:
            kept = await self._store.aread(lambda db: rows.absences(db, now - MEMORY))
            spans = [Span(each.begin_at, each.end_at) for each in kept]
            since = min((span.begin for span in spans), default=now)
            self.habits, self._habits_at = Habits(spans, zone, now, since), now
        return self.habits

    async def _absent(self, kind: str, away: Span) -> None:
        def keep(db: Db) -> None:
            rows.absent(db, kind, away.begin, away.end)
            rows.let_go(db, away.end - _KEPT)

        await self._store.awrite(keep)
