"""All senses together, each asked as often as it is worth, in one thread of their own."""

from __future__ import annotations

import asyncio
import logging
import platform
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

from metaclaw_tray.omls.sensing import machine
from metaclaw_tray.omls.sensing.idle import IdleChain, Opening, UnavailableError
from metaclaw_tray.omls.sensing.presence import Presence, presence_here
from metaclaw_tray.omls.sensing.sensed import Sensed

log = logging.getLogger(__name__)

PATIENCE = 3.0
"""Seconds after which a look is given up: everything that had not answered is unknown."""

T = TypeVar("T")


def ways() -> list[tuple[str, Opening]]:
    """The ways of telling idleness that this system may have, the best first."""
    system = platform.system()
    if system == "Windows":
        from metaclaw_tray.omls.sensing.windows import WindowsIdle

        return [("Windows", WindowsIdle)]
    if system == "Darwin":
        from metaclaw_tray.omls.sensing.macos import MacIdle

        return [("macOS", MacIdle)]
    from metaclaw_tray.omls.sensing.logind import LogindIdle
    from metaclaw_tray.omls.sensing.mutter import MutterIdle
    from metaclaw_tray.omls.sensing.x11 import X11Idle

    return [("GNOME", MutterIdle), ("X11", X11Idle), ("logind", LogindIdle)]


class Sometimes(Generic[T]):
    """A question that is asked again only after some seconds; in between its last answer holds."""

    def __init__(self, ask: Callable[[], T], seconds: float, monotonic: Callable[[], float]) -> None:
        self._ask = ask
        self._seconds = seconds
        self._monotonic = monotonic
        self._at = float("-inf")
        self._answer: T | None = None

    def __call__(self) -> T | None:
        """The answer; None where the question failed."""
        if self._monotonic() - self._at >= self._seconds:
            self._at = self._monotonic()
            try:
                self._answer = self._ask()
            except (OSError, UnavailableError) as error:
                log.debug("a sense does not answer: %s", error)
                self._answer = None
        return self._answer


class SystemSenses:
    """The senses of this machine.

    Args:
        chain: How idleness is told.
        presence: What else tells of the person: the lock, calls, films.
        agents: Names of the agents' programs.
        own: Process ids whose load is our own.
        wants_load: Whether anybody needs to know the load; it costs most of all.
    """

    def __init__(
        self,
        chain: IdleChain | None = None,
        presence: Presence | None = None,
        agents: Collection[str] = (),
        own: Callable[[], Collection[int]] = tuple,
        wants_load: Callable[[], bool] = lambda: False,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.chain = chain or IdleChain(ways())
        presence = presence or presence_here()
        self._presence = presence
        self._wants_load = wants_load
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="senses")
        self._pending: asyncio.Future[Sensed] | None = None
        self._occupied = Sometimes(presence.occupied, 10, monotonic)
        # Who pulls the plug is there, and asking is cheap.
        self._power = Sometimes(lambda: machine.power(machine.battery()), 1, monotonic)
        self._network = Sometimes(presence.network, 10, monotonic)
        self._agents = Sometimes(lambda: machine.agents_running(agents), 60, monotonic)
        self._load = Sometimes(lambda: machine.load_of_others(own()), 5, monotonic)

    async def look(self) -> Sensed:
        """What is seen now. A sense that hangs makes everything unknown until it answers again."""
        if self._pending is None or self._pending.done():
            self._pending = asyncio.get_running_loop().run_in_executor(self._thread, self._look)
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(self._pending)
        except TimeoutError:
            log.warning("the senses do not answer: way=%s", self.chain.name)
            return Sensed(way=self.chain.name)

    def exchange(self) -> None:
        """The person has written to an agent on this machine: who is believed to be away is not."""
        self.chain.exchange()

    def close(self) -> None:
        """Let go of displays and buses; a sense that hangs is left behind."""
        self._thread.submit(self._close)
        self._thread.shutdown(wait=False)

    def _look(self) -> Sensed:
        mains, charge = self._power() or (None, None)
        online, metered = self._network() or (None, None)
        return Sensed(
            idle=self.chain.seconds_since_input(),
            locked=self._presence.locked(),
            occupied=self._occupied(),
            mains=mains,
            battery=charge,
            online=online,
            metered=metered,
            load=self._load() if self._wants_load() else None,
            way=self.chain.name,
            agents=self._agents() or (),
        )

    def _close(self) -> None:
        self.chain.close()
        self._presence.close()
