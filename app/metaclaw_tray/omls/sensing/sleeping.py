"""Told by logind before the machine sleeps, with the few seconds it gives, and when it wakes.

A delay inhibitor (org.freedesktop.login1.Manager.Inhibit) makes the machine wait, for `InhibitDelayMaxSec`
(5 s by default) at most, until training has stopped at a step it can go on from.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable

from jeepney import MatchRule, MessageType, message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import new_method_call, unwrap_msg

from metaclaw_tray.omls.sensing.bus import PATIENCE
from metaclaw_tray.omls.sensing.idle import UnavailableError
from metaclaw_tray.omls.sensing.logind import MANAGER, NAME

log = logging.getLogger(__name__)

DELAY = 4.0
"""Seconds that the machine is made to wait at most."""


class SleepWatch:
    """A thread that waits for logind's signal.

    Args:
        sleeps: Called in that thread before the machine sleeps; it returns as soon as all has stopped.
        wakes: Called in that thread after it woke.

    Raises:
        UnavailableError: There is no logind.
    """

    def __init__(self, sleeps: Callable[[], None], wakes: Callable[[], None]) -> None:
        self._sleeps = sleeps
        self._wakes = wakes
        self._ended = threading.Event()
        try:
            self._connection: DBusConnection = open_dbus_connection(bus="SYSTEM", enable_fds=True)
        except (OSError, KeyError, ValueError) as why:
            raise UnavailableError(f"there is no system bus: {why}") from why
        self._rule = MatchRule(
            type="signal", interface=MANAGER.interface, member="PrepareForSleep", path=MANAGER.object_path
        )
        try:
            self._connection.send_and_get_reply(message_bus.AddMatch(self._rule), timeout=PATIENCE)
            (runs,) = unwrap_msg(
                self._connection.send_and_get_reply(message_bus.NameHasOwner(NAME), timeout=PATIENCE)
            )
            if not runs:
                raise OSError("it does not run")
            self._inhibitor: int | None = self._inhibit()
        except (OSError, TimeoutError) as why:
            self._connection.close()
            raise UnavailableError(f"logind does not answer: {why}") from why
        self._thread = threading.Thread(target=self._watch, name="sleep-watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Watch no longer."""
        self._ended.set()
        self._thread.join(PATIENCE)
        self._release()
        self._connection.close()

    def _watch(self) -> None:
        with self._connection.filter(self._rule) as signals:
            while not self._ended.is_set():
                try:
                    (asleep,) = self._connection.recv_until_filtered(signals, timeout=0.5).body
                except TimeoutError:
                    continue
                except (OSError, EOFError) as error:
                    log.info("logind is gone, sleep is told by the clocks alone: %s", error)
                    return
                if asleep:
                    self._sleeps()
                    self._release()
                else:
                    self._inhibitor = self._inhibitor or self._inhibit()
                    self._wakes()

    def _inhibit(self) -> int | None:
        """A descriptor that delays sleep while it is open; None where logind gives none."""
        asked = new_method_call(
            MANAGER,
            "Inhibit",
            "ssss",
            ("sleep", "MetaClaw Tray", "training stops at a step it can go on from", "delay"),
        )
        answer = self._connection.send_and_get_reply(asked, timeout=PATIENCE)
        if answer.header.message_type is MessageType.error:  # not allowed; sleep is told all the same
            return None
        (descriptor,) = unwrap_msg(answer)
        return int(descriptor.to_raw_fd())

    def _release(self) -> None:
        if self._inhibitor is not None:
            os.close(self._inhibitor)
            self._inhibitor = None
