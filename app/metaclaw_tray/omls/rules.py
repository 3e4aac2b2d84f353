"""The limits that decisions are made by: what the person set, and what is fixed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

PRESENT_AFTER_EXCHANGE = 120.0
"""Seconds after a message of the person to an agent in which they count as present."""

SETTLE = timedelta(seconds=30)
"""How long power, network and load must be well before a window opens again after they were not; and how long
after sleep, or a step of the clock, none opens."""

BATTERY_MARGIN = 5.0
"""Percent above the floor that a battery needs before a closed window opens."""

LOAD_MARGIN = 0.15
"""How far above its limit the load of others may rise before an open window closes."""

REACTION = timedelta(seconds=5)
"""From the person's return until the job has stopped, at most (promise 6)."""


@dataclass(frozen=True)
class Rules:
    """What the person set, in the units of the decision.

    Attributes:
        idle: Seconds without input after which the person is away.
        sleep_idle: The same in sleep hours, where less is needed.
        minimum: The shortest window worth opening.
        on_battery: Whether training may run on battery, down to `battery_floor` percent.
        on_metered: Whether it may use a network that costs by volume.
        load: Share of the processors that others may use while a local engine trains.
        input_ends_meeting: Whether a touched key ends a window in a meeting too (typing notes does not).
    """

    idle: float = 15 * 60.0
    sleep_idle: float = 5 * 60.0
    minimum: timedelta = timedelta(minutes=10)
    on_battery: bool = False
    battery_floor: float = 50.0
    on_metered: bool = False
    load: float = 0.5
    input_ends_meeting: bool = False
