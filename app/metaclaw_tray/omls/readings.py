"""What was read of the person and the machine at one moment."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


@dataclass(frozen=True)
class Span:
    """From `begin` until before `end`; both aware."""

    begin: datetime
    end: datetime

    def holds(self, moment: datetime) -> bool:
        return self.begin <= moment < self.end

    @property
    def length(self) -> timedelta:
        return self.end - self.begin


class Manual(StrEnum):
    """What the person asked for by hand; it holds until they ask for something else or its end is reached."""

    NOTHING = "nothing"
    START = "start"
    STOP = "stop"


@dataclass(frozen=True)
class Readings:
    """One look. None, and a number that is none (NaN), is *unknown*: it never opens a window.

    Attributes:
        at: The moment by the wall clock, aware.
        idle: Seconds since keyboard or mouse were last touched.
        locked: Whether the screen is locked.
        occupied: Whether the person is in a call (microphone or camera in use) or something keeps the screen
            awake, such as a film: present though idle.
        sleep: The sleep hours that `at` lies in.
        sleep_trusted: Whether the person said that sleep hours count even where idleness cannot be seen.
        meeting: The calendar's time without the person that `at` lies in, buffers taken off.
        exchange: Seconds since the person's own message last began an exchange with an agent; infinity where
            none did. Heartbeats, timers and what agents do on their own are no presence.
        mains: Whether the machine runs on mains power; a machine without a battery does.
        battery: Charge in percent; 100 without a battery.
        online: Whether there is a network.
        metered: Whether the network costs by volume.
        load: Share of the processors that others use, 0 to 1 and above; counts for local engines only.
        local: Whether the engine runs on this machine.
        manual: What the person asked for by hand.
        forecast: Until when the person will likely be away, by their habits.
        stepped: Whether the machine slept, or its clock was set, since the look before.
        unready: Why training cannot run at all, as a sentence without its full stop; "" where it can.
    """

    at: datetime
    idle: float | None = None
    locked: bool | None = None
    occupied: bool | None = None
    sleep: Span | None = None
    sleep_trusted: bool = False
    meeting: Span | None = None
    exchange: float | None = None
    mains: bool | None = None
    battery: float | None = None
    online: bool | None = None
    metered: bool | None = None
    load: float | None = None
    local: bool = False
    manual: Manual = Manual.NOTHING
    forecast: datetime | None = None
    stepped: bool = False
    unready: str = ""


def known(value: float | None) -> float | None:
    """A number of seconds, percent or share to rely on: None where it is unknown, no number, or negative."""
    if value is None or math.isnan(value) or value < 0:
        return None
    return value
