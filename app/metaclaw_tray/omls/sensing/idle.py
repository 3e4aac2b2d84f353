"""How long ago keyboard or mouse were last touched: the seam, and the chain that takes what answers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from metaclaw_tray.omls.readings import known

log = logging.getLogger(__name__)

SUSPICIOUS_EXCHANGES = 3
"""Messages of the person after which a detector that never saw any input is no longer believed."""


class IdleDetector(Protocol):
    """One way to know. `name` is for the person; `cost` says what a question takes, in milliseconds."""

    name: str
    cost: float

    def seconds_since_input(self) -> float | None:
        """Seconds; None where it cannot be told now. Raises OSError where this way is gone."""
        ...

    def close(self) -> None: ...


class UnavailableError(Exception):
    """This way does not work here; its words say why."""


class Nothing:
    """Where no way works: unknown, which is never idle."""

    name = "nothing"
    cost = 0.0

    def seconds_since_input(self) -> float | None:
        return None

    def close(self) -> None:
        pass


Opening = Callable[[], IdleDetector]
"""Begins to use one way. Raises UnavailableError."""


class IdleChain:
    """Takes the first way that answers and stays with it; when it stops answering, they are all tried again.

    A detector that tells of ever longer idleness while the person writes to agents, and that has never seen a
    key or a mouse, is wrong (a compositor without events, a screen nobody uses): until it sees one, it counts
    as unknown.

    Args:
        ways: Names and openings, the best first.
        preferred: The one that worked in an earlier run; it is tried first.
    """

    def __init__(self, ways: Sequence[tuple[str, Opening]], preferred: str = "") -> None:
        self._ways = sorted(ways, key=lambda way: way[0] != preferred)
        self._detector: IdleDetector = Nothing()
        self._open = False
        self._longest = 0.0
        self._moved = False
        self._exchanges = 0
        self.failures: dict[str, str] = {}

    @property
    def name(self) -> str:
        """Of the way in use; `nothing` where none works."""
        return self._detector.name

    @property
    def believed(self) -> bool:
        return self._moved or self._exchanges < SUSPICIOUS_EXCHANGES

    def exchange(self) -> None:
        """The person has written to an agent that runs on this machine."""
        self._exchanges += 1

    def seconds_since_input(self) -> float | None:
        """Seconds since the last input; None is unknown."""
        if not self._open:
            self._pick()
        seconds = self._ask()
        if seconds is None:
            return None
        if seconds < self._longest:
            self._moved = True
        self._longest = seconds
        return seconds if self.believed else None

    def close(self) -> None:
        self._detector.close()
        self._detector, self._open = Nothing(), False

    def _ask(self) -> float | None:
        try:
            return known(self._detector.seconds_since_input())
        except OSError as error:
            log.info("idleness is no longer told: way=%s reason=%s", self.name, error)
            self.failures[self.name] = str(error)
            self.close()
            return None

    def _pick(self) -> None:
        """Open the first way that gives a number. Where none does, the next question tries again."""
        for name, opening in self._ways:
            try:
                detector = opening()
            except UnavailableError as error:
                self.failures[name] = str(error)
                continue
            try:
                answered = known(detector.seconds_since_input()) is not None
            except OSError as error:
                self.failures[name] = str(error)
                answered = False
            if answered:
                self._detector, self._open = detector, True
                self._longest, self._moved, self._exchanges = 0.0, False, 0
                self.failures.pop(name, None)
                log.info("idleness is told: way=%s", name)
                return
            detector.close()
