"""When training may run: the windows there were, the one that is open, the next one, and why not now."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Row, Verb

WindowKind = Literal["meeting", "idle", "sleep", "asked"]


class WindowRow(Row, frozen=True):
    """A span in which training was allowed, or is."""

    id: str
    kind: WindowKind
    opened_at: datetime
    closed_at: datetime | None  # None: it is open
    why_opened: str  # a sentence
    why_closed: str = ""
    title: str = ""  # of the meeting, where the person allows it
    trained_minutes: float = 0.0
    job: str = ""  # that ran in it


class NextWindow(Row, frozen=True):
    """A forecast."""

    kind: WindowKind
    at: datetime
    until: datetime | None = None
    why: str = ""  # a sentence
    confidence: float | None = None  # 0 to 1, how often such forecasts came true; None: not known yet


class Signal(Row, frozen=True):
    """One thing that decides, as it is read now."""

    name: str  # input, calendar, sleep, power, network, load, agents, caps, prompts …
    says: str  # a sentence
    stands: Literal["for", "against", "neutral", "unknown"]


class Schedule(Row, frozen=True):
    """What the scheduler knows and decides now."""

    state: Literal["none", "closed", "open"]  # none: nothing is set up that could use a window
    why_not: str = ""  # why none is open, in one sentence
    window: WindowRow | None = None  # that is open
    next: NextWindow | None = None
    signals: list[Signal] = field(default_factory=list)


class ShowSchedule(Verb[Schedule], frozen=True, tag="schedule.show"):
    pass


class ScheduleEntryRow(Row, frozen=True):
    """A change of what is decided, or a window that did not open though the person was away."""

    at: datetime
    open: bool
    kind: str  # what says that the person is away; "" where nothing does
    vetoes: list[str]  # what forbade it
    words: str  # a sentence


class ListScheduleEntries(Verb[list[ScheduleEntryRow]], frozen=True, tag="schedule.log"):
    """The latest first."""

    limit: int = 50


class ListWindows(Verb[list[WindowRow]], frozen=True, tag="windows.list"):
    """The latest first."""

    limit: int = 50
