"""What the senses found at one look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Sensed:
    """Of the person and the machine; meanings and units as in `omls.readings.Readings`.

    `way` names how idleness was told, and `agents` the agents' programs that run.
    """

    idle: float | None = None
    locked: bool | None = None
    occupied: bool | None = None
    mains: bool | None = None
    battery: float | None = None
    online: bool | None = None
    metered: bool | None = None
    load: float | None = None
    way: str = "nothing"
    agents: tuple[str, ...] = ()


class Senses(Protocol):
    """Looks at the person and the machine."""

    async def look(self) -> Sensed:
        """Never raises, and never takes longer than a second or two: what does not answer is unknown."""
        ...

    def exchange(self) -> None:
        """The person has written to an agent that runs on this machine."""
        ...
