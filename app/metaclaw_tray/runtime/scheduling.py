"""What the scheduler needs of the settings, and the zone of the place."""

from __future__ import annotations

from datetime import UTC, timedelta, tzinfo

import tzlocal

from metaclaw_tray.omls.hours import Hours, hours_of
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.scheduler import Wishes
from metaclaw_tray.settings.model import Schedule


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


def zone_here() -> tzinfo:
    """The zone of the place, as the system has it now; UTC where it says none."""
    try:
        return tzlocal.reload_localzone()
    except (LookupError, OSError, ValueError):  # a name that no table has, or no name at all
        return UTC
