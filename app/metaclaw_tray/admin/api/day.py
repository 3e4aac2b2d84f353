"""One day as the person asks about it: what happened, what came of it, when it was."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Row, Verb
from metaclaw_tray.admin.api.schedule import NextWindow

SpanKind = Literal["sleep", "meeting", "idle", "activity", "learning", "training"]
ChangeWord = Literal["proposed", "approved", "rejected", "refused", "nothing", "failed"]


class DaySpan(Row, frozen=True):
    """A stretch of the day. Activity and learning are told by the record; the others by whoever decides when
    training may run, and there are none while nobody does."""

    kind: SpanKind
    begin: datetime
    end: datetime
    words: str = ""  # the agents, what learning did, a meeting's title, why training ran
    count: int = 0  # exchanges that began in it


class AgentDay(Row, frozen=True):
    agent: str
    exchanges: int


class NoteDay(Row, frozen=True):
    """A skill that stood in front of exchanges of that day."""

    skill: str
    exchanges: int


class DayChange(Row, frozen=True):
    """Something that learning came to, or that the person decided about it."""

    what: ChangeWord
    skill: str  # what a run was about, where it came to no skill
    at: datetime
    op: str = ""  # create, update, retire, outside
    why: str = ""
    proposal: str = ""  # its id, where there is one


class DayFault(Row, frozen=True):
    """What went wrong, as often as it did."""

    kind: str  # failed, cut, gone, lost: of answers; else as of `NoticeRow`
    count: int
    at: datetime  # the last time
    reason: str = ""  # of the last time
    subject: str = ""


class LearningCost(Row, frozen=True):
    purpose: str  # judge, evolver, gate …
    calls: int
    usd: float


class Waiting(Row, frozen=True):
    """What waits for the person now, besides proposals."""

    kind: Literal["trouble", "agreement"]  # an agreement: a change that is in force after their yes only
    text: str  # with its remedy
    keys: list[str] = field(default_factory=list)  # settings that were changed by hand and are not in force


class Day(Row, frozen=True):
    """A day by the clock on the wall."""

    date: str  # 2026-03-03
    begin: datetime
    end: datetime  # the next midnight
    now: datetime | None  # where it is today
    earlier: bool  # whether the record goes back before it
    exchanges: int
    agents: list[AgentDay]  # the busiest first
    carried: int  # exchanges that a note stood in front of
    notes: list[NoteDay]  # the most frequent first
    judged: int  # answers with a verdict
    good: int  # of these: they helped
    bad: int  # of these: they did not
    corrected: int  # exchanges in which the person corrected, or gave a thumb down
    praised: int  # exchanges with a thumb up or thanks
    changes: list[DayChange]  # oldest first
    faults: list[DayFault]
    learning_usd: float  # what learning cost in it
    costs: list[LearningCost]  # the dearest first
    counted_usd: float | None  # what counts against the cap, whose days are those of UTC; None on other days
    limit_usd: float
    spans: list[DaySpan]  # by their beginning
    waiting: list[Waiting] = field(default_factory=list)  # today only
    next_window: NextWindow | None = None  # today only
    training: Literal["none", "off", "on"] = "none"  # none: no training is set up
    why_not_training: str = ""  # in one sentence
    learning_model: str = ""  # that learning may call; "": none is chosen, so it waits


class ShowDay(Verb[Day], frozen=True, tag="day.show"):
    """What happened on a day, and today what waits. Raises UsageError for what is no date or lies ahead."""

    date: str = ""  # as 2026-03-03; "" is today
