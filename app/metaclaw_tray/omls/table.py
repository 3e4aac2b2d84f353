"""The table that decides: each signal that the person is away, and each veto against training.

A row says when it holds, what ends it, and the words for it. `decision` walks them and knows no other rule.

| signal | holds while | ended by |
| --- | --- | --- |
| manual | the person pressed *Start now* | Stop, or the job's end |
| meeting | a calendar says so, less the buffers | its end, the person's message (a touched key, if set) |
| sleep | sleep hours, and no input for a few minutes | input, the person's message, a call, their end |
| locked | the screen is locked | unlocking, the person's message |
| idle | no input for the time set | input, the person's message, a call |

A person's message counts as presence for two minutes; it is a veto of its own. In sleep hours and when idle,
a call or something that keeps the screen awake is presence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from metaclaw_tray.omls.readings import Manual, Readings, known
from metaclaw_tray.omls.rules import BATTERY_MARGIN, LOAD_MARGIN, PRESENT_AFTER_EXCHANGE, Rules


class Kind(StrEnum):
    """Of a window: the first signal of the table that holds."""

    MANUAL = "manual"
    MEETING = "meeting"
    SLEEP = "sleep"
    LOCKED = "locked"
    IDLE = "idle"


class Ending(StrEnum):
    """What ends a window of some kind, besides vetoes."""

    STOP = "stop"
    INPUT = "input"
    EXCHANGE = "exchange"
    UNLOCKING = "unlocking"
    CALL = "call"
    HOURS = "hours"  # what the calendar or the clock says is over


@dataclass(frozen=True)
class Look:
    """What a row is asked about: readings, the person's rules, whether a window is open, and until when it
    would last by the signals that hold (for vetoes; None where nothing says)."""

    readings: Readings
    rules: Rules
    open: bool = False
    until: datetime | None = None


@dataclass(frozen=True)
class Signal:
    """Something that says that the person is away, and until when."""

    kind: Kind
    words: str
    ended_by: tuple[Ending, ...]
    holds: Callable[[Look], bool]
    until: Callable[[Readings], datetime | None]


@dataclass(frozen=True)
class Veto:
    """Something that forbids training now.

    Attributes:
        overruled: Whether *Start now* goes over it.
        settles: Whether it may come and go quickly, so that its end must last a while before a window opens.
    """

    name: str
    words: str
    holds: Callable[[Look], bool]
    overruled: bool = True
    settles: bool = False


def _idle_for(look: Look, seconds: float) -> bool:
    idle = known(look.readings.idle)
    return idle is not None and idle >= seconds


def _in_meeting(look: Look) -> bool:
    meeting = look.readings.meeting
    if meeting is None or not meeting.holds(look.readings.at):
        return False
    return not look.rules.input_ends_meeting or _idle_for(look, look.rules.sleep_idle)


def _asleep(look: Look) -> bool:
    readings = look.readings
    if readings.sleep is None or not readings.sleep.holds(readings.at) or readings.occupied is not False:
        return False
    if known(readings.idle) is None:
        return readings.sleep_trusted
    return _idle_for(look, look.rules.sleep_idle)


def _idle(look: Look) -> bool:
    return look.readings.occupied is False and _idle_for(look, look.rules.idle)


SIGNALS: tuple[Signal, ...] = (
    Signal(
        Kind.MANUAL,
        "you started it",
        ended_by=(Ending.STOP,),
        holds=lambda look: look.readings.manual is Manual.START,
        until=lambda _: None,
    ),
    Signal(
        Kind.MEETING,
        "you are in a meeting",
        ended_by=(Ending.EXCHANGE, Ending.HOURS),
        holds=_in_meeting,
        until=lambda readings: readings.meeting.end if readings.meeting else None,
    ),
    Signal(
        Kind.SLEEP,
        "these are your sleep hours",
        ended_by=(Ending.INPUT, Ending.EXCHANGE, Ending.CALL, Ending.HOURS),
        holds=_asleep,
        until=lambda readings: readings.sleep.end if readings.sleep else None,
    ),
    Signal(
        Kind.LOCKED,
        "the screen is locked",
        ended_by=(Ending.UNLOCKING, Ending.EXCHANGE),
        holds=lambda look: look.readings.locked is True,
        until=lambda readings: readings.forecast,
    ),
    Signal(
        Kind.IDLE,
        "nobody has touched the computer",
        ended_by=(Ending.INPUT, Ending.EXCHANGE, Ending.CALL),
        holds=_idle,
        until=lambda readings: readings.forecast,
    ),
)


def _on_battery(look: Look) -> bool:
    return not look.rules.on_battery and look.readings.mains is not True


def _drained(look: Look) -> bool:
    if look.readings.mains is True or not look.rules.on_battery:
        return False  # the row before says the rest
    battery = known(look.readings.battery)
    return battery is None or battery < look.rules.battery_floor + (0 if look.open else BATTERY_MARGIN)


def _loaded(look: Look) -> bool:
    if not look.readings.local:
        return False
    load = known(look.readings.load)
    return load is None or load > look.rules.load + (LOAD_MARGIN if look.open else 0)


def _metered(look: Look) -> bool:
    return not (look.readings.local or look.rules.on_metered) and look.readings.metered is not False


def _just_spoke(look: Look) -> bool:
    exchange = known(look.readings.exchange)
    return exchange is None or exchange < PRESENT_AFTER_EXCHANGE


def _too_short(look: Look) -> bool:
    if look.open:
        return False
    return look.until is None or look.until - look.readings.at < max(look.rules.minimum, timedelta())


VETOES: tuple[Veto, ...] = (
    Veto(
        "stopped",
        "you stopped training",
        lambda look: look.readings.manual is Manual.STOP,
        overruled=False,
    ),
    Veto(
        "unready",
        "training cannot run",  # the readings say why
        lambda look: bool(look.readings.unready),
        overruled=False,
    ),
    Veto(
        "stepped",
        "the computer has just woken, or its clock was set",
        lambda look: look.readings.stepped,
        overruled=False,  # for one look, or while the machine is about to sleep
        settles=True,
    ),
    Veto("exchange", "you have just written to an agent", _just_spoke),
    Veto(
        "offline",
        "there is no network",
        lambda look: not look.readings.local and look.readings.online is not True,
        overruled=False,
        settles=True,
    ),
    Veto("metered", "the network costs by volume", _metered, settles=True),
    Veto("battery", "the computer runs on battery", _on_battery, settles=True),
    Veto("drained", "the battery is low", _drained, settles=True),
    Veto("load", "the computer is busy", _loaded, settles=True),
    Veto("short", "you will likely be back too soon", _too_short),
)
