"""The person's calendars: read every quarter of an hour, kept in the store, answered from memory.

What cannot be read now is answered from what was read last, for two days; after that a calendar counts as
unknown, and that is said. Where the network is away nobody is asked; they are read again when it is back, and
when the machine wakes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import partial

from sqlmodel import Session as Db

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import SecretError
from metaclaw_tray.omls.calendars.asking import Ask, ask_child, silent
from metaclaw_tray.omls.calendars.events import Event
from metaclaw_tray.omls.calendars.frames import Failed, Found, Unchanged
from metaclaw_tray.omls.calendars.questions import AHEAD, question, sentence, understood, zone_name
from metaclaw_tray.omls.calendars.rows import event_of, row_of
from metaclaw_tray.omls.calendars.rules import meetings_of
from metaclaw_tray.omls.gaps import Moment, slept
from metaclaw_tray.omls.scheduler import Meeting
from metaclaw_tray.secrets import SecretVault
from metaclaw_tray.settings.model import Calendar, Schedule
from metaclaw_tray.store import calendars as rows
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables_calendars import CalendarReading

log = logging.getLogger(__name__)

STALE = timedelta(days=2)
"""The age from which what a calendar said counts for nothing."""

_TICK = 30.0  # seconds between looks at whether the machine slept, or the network is back
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=2)  # after failures in a row
_SIGNED_OUT_PAUSE = timedelta(days=1)


@dataclass
class Kept:
    """A calendar as it is in memory."""

    reading: CalendarReading
    events: list[Event] = field(default_factory=list)
    failed: Failed | None = None  # what the last try came to
    failures: int = 0  # in a row
    due: datetime | None = None  # when it is tried next; None: now


def calendar_secret(name: str) -> str:
    """The name under which a calendar's address or permission is kept."""
    return f"calendar:{name}"


class CalendarKeeper:
    """Every calendar the person connected. One for the life of the app.

    Args:
        calendars: As they are set now, by name.
        schedule: The same of the schedule.
        zone: Of the place now.
        online: Whether there is a network; None where that is not known.
        trouble: Told a subject and a sentence, "" where all is well.
        changed: Called when meetings may be others.
        ask: Reads a calendar; tests put another one in.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        vault: SecretVault,
        calendars: Callable[[], Mapping[str, Calendar]],
        schedule: Callable[[], Schedule],
        zone: Callable[[], tzinfo],
        *,
        online: Callable[[], bool | None] = lambda: None,
        trouble: Callable[[str, str], None] = lambda _subject, _sentence: None,
        changed: Callable[[], None] = lambda: None,
        ask: Ask = ask_child,
        chance: random.Random | None = None,
    ) -> None:
        self._store, self._clock, self._vault = store, clock, vault
        self._calendars, self._schedule, self._zone = calendars, schedule, zone
        self._online, self._trouble, self._changed = online, trouble, changed
        self._ask = ask
        self._chance = chance or random.Random()  # noqa: S311 spreads requests, keeps no secret
        self._kept: dict[str, Kept] = {}
        self._loaded = False
        self._version = 0
        self._news = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()
        self._merged: tuple[tuple[object, ...], list[Meeting]] = ((), [])
        self._was_online: bool | None = None
        self._seen: Moment | None = None

    def meetings(self, begin: datetime, end: datetime) -> list[Meeting]:
        """Those that overlap, by their beginning. From memory; of calendars that are not stale."""
        return [each for each in self._all_meetings() if each.span.begin < end and each.span.end > begin]

    def kept(self, name: str) -> Kept | None:
        """What is known of a calendar; None before it was read."""
        return self._kept.get(name)

    def is_stale(self, name: str) -> bool:
        """Whether what it said last is too old to count."""
        found = self._kept.get(name)
        if found is None or found.reading.read_at is None:
            return True
        return abs(self._clock.now() - found.reading.read_at) > STALE

    def settings_changed(self) -> None:
        """A calendar may have come, gone or be another."""
        self._news.set()

    async def run(self) -> None:
        """Keep them fresh until cancelled."""
        while True:
            await self.look()
            try:
                async with asyncio.timeout(_TICK if self._calendars() else None):
                    await self._news.wait()
            except TimeoutError:
                pass  # time to look again
            self._news.clear()

    async def look(self) -> None:
        """Read what is due."""
        await self.load()
        self._notice()
        if self._online() is False:
            self._tell()
            return
        now = self._clock.now()
        for name in list(self._calendars()):
            found = self._kept.get(name)
            if found is None or found.due is None or found.due <= now:
                await self.refresh(name)
        self._tell()

    async def load(self) -> None:
        """Take up what was read in earlier runs, and let go of calendars that are no more."""
        if not self._loaded:
            for name, reading in (await self._store.aread(rows.readings)).items():
                events = await self._store.aread(partial(rows.events, calendar=name))
                self._kept[name] = Kept(reading, [event_of(each) for each in events])
            self._loaded, self._version = True, self._version + 1
        for name in self._kept.keys() - self._calendars().keys():
            await self.forget(name)

    async def refresh(self, name: str) -> Failed | None:
        """Read one now; what went wrong, or None."""
        async with self._one_at_a_time:
            calendar = self._calendars().get(name)
            if calendar is None:
                return None
            found = self._kept.get(name) or Kept(CalendarReading(name=name))
            self._kept[name] = found
            answer = await self._asked(name, calendar, found.reading)
            if isinstance(answer, Failed):
                self._failed(name, found, answer)
            else:
                await self._take(name, found, answer)
            self._tell()
            return found.failed

    async def put(self, name: str, answer: Found) -> None:
        """Keep what was read of a calendar that is new."""
        async with self._one_at_a_time:
            self._kept[name] = Kept(CalendarReading(name=name))
            await self._take(name, self._kept[name], answer)

    async def forget(self, name: str) -> None:
        """Nothing of a calendar is kept any more."""
        self._kept.pop(name, None)
        self._version += 1
        await self._store.awrite(lambda db: rows.drop(db, name))
        self._trouble(f"calendar {name}", "")
        self._changed()

    async def _asked(
        self, name: str, calendar: Calendar, reading: CalendarReading
    ) -> Found | Unchanged | Failed:
        secret: str | None = ""
        if calendar.kind != "file":
            try:
                secret = await self._vault.aget(calendar_secret(name))
            except SecretError as error:
                return Failed(trouble="away", detail=error.detail, remedy=error.remedy)
        if secret is None:
            return Failed(trouble="signed out", detail="Its address or permission is not in the keyring.")
        asked = question(calendar, secret, reading, self._clock.now(), self._zone())
        return understood(await self._ask(asked, silent))

    async def _take(self, name: str, found: Kept, answer: Found | Unchanged) -> None:
        """Keep it, first in the store."""
        now, zone = self._clock.now(), zone_name(self._zone())
        before = found.reading
        reading = CalendarReading(**before.model_dump())
        reading.read_at = now
        if isinstance(answer, Found):
            if answer.account:
                with contextlib.suppress(SecretError):  # what the vault has may still open it
                    await self._vault.aset(calendar_secret(name), answer.account)
            reading.etag, reading.modified, reading.tokens = answer.etag, answer.modified, answer.tokens
            if answer.whole:
                reading.whole_at, reading.until, reading.zone = now, now + AHEAD, zone
                reading.skipped = answer.skipped
        fresh = CalendarReading(**reading.model_dump())

        def keep(db: Db) -> None:
            rows.keep(db, reading)
            if isinstance(answer, Found):
                made = [row_of(name, each) for each in answer.events]
                if answer.whole:
                    rows.replace(db, name, made)
                else:
                    rows.amend(db, name, made, answer.gone)

        await self._store.awrite(keep)
        found.reading = fresh
        if isinstance(answer, Found):
            found.events = _after(found.events, answer)
            self._version += 1
        if found.failures:
            log.info("a calendar is read again calendar=%s", name)
        found.failed, found.failures = None, 0
        found.due = now + timedelta(minutes=self._schedule().calendar_minutes) * self._chance.uniform(
            0.9, 1.1
        )
        self._changed()

    def _failed(self, name: str, found: Kept, failed: Failed) -> None:
        found.failures += 1
        found.failed = failed
        pause = min(_FIRST_PAUSE * 2 ** min(found.failures - 1, 10), _LONGEST_PAUSE)
        if failed.trouble == "signed out":
            pause = _SIGNED_OUT_PAUSE
        pause = max(pause * self._chance.uniform(0.9, 1.1), timedelta(seconds=failed.after))
        found.due = self._clock.now() + pause
        log.info(
            "a calendar was not read calendar=%s trouble=%r failures=%d", name, failed.trouble, found.failures
        )

    def _notice(self) -> None:
        """Everything is due again when the network is back, and when the machine slept or a clock was set."""
        now, monotonic = self._clock.now(), self._clock.monotonic()
        gap = slept(self._seen, now, monotonic) if self._seen is not None else None
        self._seen = Moment(now, monotonic, _TICK)
        online = self._online()
        back = online is True and self._was_online is False
        self._was_online = online
        if gap is not None or back:
            for found in self._kept.values():
                if found.failed is None or found.failed.trouble != "signed out":
                    found.due = None

    def _tell(self) -> None:
        """One sentence for each calendar that needs a hand, and none for what passes by itself."""
        for name in self._calendars():
            found = self._kept.get(name)
            failed = found.failed if found is not None else None
            self._trouble(f"calendar {name}", sentence(name, failed, stale=self.is_stale(name)))

    def _all_meetings(self) -> list[Meeting]:
        schedule, calendars, zone = self._schedule(), self._calendars(), self._zone()
        if not schedule.meetings or not calendars:
            return []
        fresh = tuple(name for name in calendars if name in self._kept and not self.is_stale(name))
        key = (
            self._version,
            fresh,
            zone,
            schedule.meeting_begins_minutes,
            schedule.meeting_ends_minutes,
            tuple(calendars[name] for name in fresh),
        )
        if self._merged[0] != key:
            events = [(each, calendars[name]) for name in fresh for each in self._kept[name].events]
            begins = timedelta(minutes=schedule.meeting_begins_minutes)
            ends = timedelta(minutes=schedule.meeting_ends_minutes)
            self._merged = (key, meetings_of(events, zone, begins, ends))
        return self._merged[1]


def _after(before: list[Event], answer: Found) -> list[Event]:
    if answer.whole:
        return answer.events
    out = {*answer.gone, *(each.uid for each in answer.events)}
    return [*(each for each in before if each.uid not in out), *answer.events]
