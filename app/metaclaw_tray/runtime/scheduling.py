"""What the scheduler is made of: the settings as it takes them, the zone of the place, and what it drives."""

from __future__ import annotations

from datetime import UTC, timedelta, tzinfo

import tzlocal

from metaclaw_tray.clock import Clock
from metaclaw_tray.omls.hours import Hours, hours_of
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.scheduler import Wishes
from metaclaw_tray.settings.model import Schedule

NO_TRAINING = "no training is set up"

_ZONE_SECONDS = 300.0


def wishes_of(settings: Schedule) -> Wishes:
    """What the person set, as the scheduler takes it."""
    hours: Hours = {day: hours_of(text) for day, text in settings.sleep.items()}
    idle = settings.idle_minutes * 60.0
    return Wishes(
        rules=Rules(
            idle=idle,
            sleep_idle=min(idle, Rules.sleep_idle),
            minimum=timedelta(minutes=settings.minimum_minutes),
            on_battery=settings.on_battery,
            battery_floor=float(settings.battery_percent),
            on_metered=settings.on_metered,
            load=settings.load_percent / 100,
            input_ends_meeting=settings.meeting_ends_by_input,
        ),
        hours=hours,
        sleep_trusted=settings.sleep_unseen,
        enabled=settings.enabled,
    )


class Zone:
    """The zone of the place, as the system has it; read again every few minutes, for who travels. UTC where
    the system says none."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._read_at = float("-inf")
        self._zone: tzinfo = UTC

    def __call__(self) -> tzinfo:
        if self._clock.monotonic() - self._read_at >= _ZONE_SECONDS:
            self._read_at = self._clock.monotonic()
            try:
                self._zone = tzlocal.reload_localzone()
            except (LookupError, OSError, ValueError):  # a name that no table has, or no name at all
                self._zone = UTC
        return self._zone


class NothingToTrain:
    """No training is set up: windows are decided and shown, and nothing runs in them."""

    local = False
    set_up = False
    name = ""

    def unready(self) -> str:
        return NO_TRAINING

    async def run(self, window_id: str) -> None:
        """It is never asked: no window opens."""

    async def pause(self) -> None:
        """Nothing runs."""
