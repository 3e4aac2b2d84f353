"""When training may run, as it is shown: now and why, the next window, the windows there were, the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from metaclaw_tray.admin import api
from metaclaw_tray.admin.server import Call, Handlers
from metaclaw_tray.clock import Clock
from metaclaw_tray.omls.hours import next_sleep, sleep_around
from metaclaw_tray.omls.readings import Manual, Readings, known
from metaclaw_tray.omls.rules import PRESENT_AFTER_EXCHANGE
from metaclaw_tray.omls.scheduler import Scheduler
from metaclaw_tray.omls.sensing.sensed import Sensed
from metaclaw_tray.omls.table import Kind
from metaclaw_tray.runtime.watching import WORDS
from metaclaw_tray.store import schedule as rows
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables_schedule import TrainingWindow


class ScheduleDesk:
    """What decides when training may run, as far as it is shown. `titles` says whether meetings are named."""

    def __init__(self, scheduler: Scheduler, store: Store, clock: Clock) -> None:
        self._scheduler = scheduler
        self._store = store
        self._clock = clock

    def handlers(self) -> Handlers:
        return {api.ListScheduleEntries: self._log}

    async def schedule(self) -> api.Schedule:
        """What is decided now, by what, and what is expected."""
        scheduler = self._scheduler
        window = None
        if scheduler.window:
            found = await self._store.aread(lambda db: rows.windows(db, 1))
            window = _row(found[0]) if found else None
        coming = scheduler.next_window()
        unready = "unready" in scheduler.decision.vetoes
        return api.Schedule(
            state="open" if scheduler.decision.open else "none" if unready else "closed",
            why_not=sentence(scheduler.why_not()),
            window=window,
            next=None
            if coming is None
            else api.NextWindow(
                kind=WORDS[coming.kind],
                at=coming.span.begin,
                until=coming.span.end,
                why=_NEXT[coming.kind],
                confidence=coming.confidence,
            ),
            signals=list(_signals(scheduler.readings, scheduler.sensed)),
        )

    async def windows(self, limit: int) -> Sequence[api.WindowRow]:
        """The windows there were, the latest first."""
        return [_row(each) for each in await self._store.aread(lambda db: rows.windows(db, limit))]

    async def spans(self, begin: datetime, end: datetime) -> Sequence[api.DaySpan]:
        """Sleep hours, meetings, idle and training between two moments; also what is expected of the rest."""
        away, opened = await self._store.aread(
            lambda db: (rows.absences(db, begin), rows.windows_between(db, begin, end))
        )
        found = [
            api.DaySpan(kind="idle", begin=max(each.begin_at, begin), end=min(each.end_at, end))
            for each in away
            if each.begin_at < end
        ]
        now = self._clock.now()
        found += [
            api.DaySpan(
                kind="training",
                begin=max(each.opened_at, begin),
                end=min(each.closed_at or now, end),
                words=sentence(each.why_opened),
            )
            for each in opened
            if each.trained_seconds > 0
        ]
        found += [
            api.DaySpan(kind="meeting", begin=each.span.begin, end=each.span.end, words=each.title)
            for each in self._scheduler.meetings(begin, end)
        ]
        found += self._nights(begin, end)
        return [each for each in found if each.end > each.begin]

    def _nights(self, begin: datetime, end: datetime) -> list[api.DaySpan]:
        wishes, zone = self._scheduler.wishes, self._scheduler.zone
        nights, at = [], begin
        night = sleep_around(at, wishes.hours, zone) or next_sleep(at, wishes.hours, zone)
        while night is not None and night.begin < end:
            nights.append(api.DaySpan(kind="sleep", begin=max(night.begin, begin), end=min(night.end, end)))
            night = next_sleep(max(night.end - timedelta(microseconds=1), night.begin), wishes.hours, zone)
        return nights

    async def _log(self, verb: api.ListScheduleEntries, _call: Call) -> list[api.ScheduleEntryRow]:
        return [
            api.ScheduleEntryRow(
                at=each.at, open=each.open, kind=each.kind, vetoes=each.vetoes, words=sentence(each.words)
            )
            for each in await self._store.aread(lambda db: rows.entries(db, verb.limit))
        ]


_NEXT = {
    Kind.MANUAL: "You start it.",
    Kind.MEETING: "You have a meeting then.",
    Kind.SLEEP: "Your sleep hours begin then.",
    Kind.LOCKED: "You are usually away then.",
    Kind.IDLE: "You are usually away then.",
}


def _row(window: TrainingWindow) -> api.WindowRow:
    return api.WindowRow(
        id=window.id,
        kind=WORDS.get(window.kind, "idle"),
        opened_at=window.opened_at,
        closed_at=window.closed_at,
        why_opened=sentence(window.why_opened),
        why_closed=sentence(window.why_closed),
        title=window.title,
        trained_minutes=window.trained_seconds / 60,
        job=window.job,
    )


def sentence(words: str) -> str:
    """Words of the scheduler, which have neither a capital nor a full stop, as a sentence."""
    return words[:1].upper() + words[1:] + "." if words else ""


def _signals(readings: Readings, sensed: Sensed) -> Iterable[api.Signal]:
    """Each thing that decides, as it was read last."""
    yield _input(readings, sensed)
    if readings.locked is not None:
        yield _signal("lock", readings.locked, "The screen is locked.", "The screen is not locked.")
    yield _against(
        "call",
        readings.occupied,
        "You are in a call, or something keeps the screen awake.",
        "No call, and nothing keeps the screen awake.",
        "It cannot be told whether you are in a call.",
    )
    if readings.sleep is not None:
        yield api.Signal(name="sleep", says="These are your sleep hours.", stands="for")
    if readings.meeting is not None:
        yield api.Signal(name="calendar", says="You are in a meeting.", stands="for")
    exchange = known(readings.exchange)
    spoke = exchange is not None and exchange < PRESENT_AFTER_EXCHANGE
    says = "You have just written to an agent." if spoke else "You have not written to an agent just now."
    if sensed.agents:
        says = f"{says} Running now: {', '.join(sensed.agents)}."
    yield api.Signal(name="agents", says=says, stands="against" if spoke else "neutral")
    yield _power(readings)
    yield _against(
        "network",
        None if readings.online is None else not readings.online or bool(readings.metered),
        "The network costs by volume." if readings.online else "There is no network.",
        "There is a network that does not cost by volume.",
        "It cannot be told whether there is a network.",
    )
    if readings.manual is not Manual.NOTHING:
        started = readings.manual is Manual.START
        says = "You started training." if started else "You stopped training."
        yield api.Signal(name="manual", says=says, stands="for" if started else "against")
    if readings.unready:
        yield api.Signal(name="training", says=sentence(readings.unready), stands="against")


def _input(readings: Readings, sensed: Sensed) -> api.Signal:
    idle = known(readings.idle)
    if idle is None:
        says = "It cannot be seen here whether you are at the computer."
        return api.Signal(name="input", says=says, stands="unknown")
    minutes = int(idle // 60)
    ago = "less than a minute" if minutes < 1 else "a minute" if minutes == 1 else f"{minutes} minutes"
    says = f"Key or mouse were last touched {ago} ago (told by {sensed.way})."
    return api.Signal(name="input", says=says, stands="neutral")


def _power(readings: Readings) -> api.Signal:
    if readings.mains is None:
        return api.Signal(name="power", says="It cannot be told what powers the computer.", stands="unknown")
    if readings.mains:
        return api.Signal(name="power", says="The computer runs on mains power.", stands="neutral")
    charge = known(readings.battery)
    left = f", {charge:.0f} % left" if charge is not None else ""
    return api.Signal(name="power", says=f"The computer runs on battery{left}.", stands="against")


def _signal(name: str, holds: bool, yes: str, no: str) -> api.Signal:
    return api.Signal(name=name, says=yes if holds else no, stands="for" if holds else "neutral")


def _against(name: str, holds: bool | None, yes: str, no: str, unknown: str) -> api.Signal:
    if holds is None:
        return api.Signal(name=name, says=unknown, stands="unknown")
    return api.Signal(name=name, says=yes if holds else no, stands="against" if holds else "neutral")
