"""Told by GNOME at the first touch of key or mouse, so that nobody has to ask for it each second.

Mutter's idle monitor fires a *user active watch* once, at the next input (org.gnome.Mutter.IdleMonitor,
AddUserActiveWatch); it says that there was one, never what. The questions of `mutter` go on beside it: a
signal that is lost costs a second.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from jeepney import DBusErrorResponse, MatchRule, Message, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import unwrap_msg

from metaclaw_tray.omls.sensing.bus import PATIENCE
from metaclaw_tray.omls.sensing.idle import UnavailableError
from metaclaw_tray.omls.sensing.mutter import MONITOR

log = logging.getLogger(__name__)

_LOOK = 0.5  # seconds between two looks at whether the watch is still wanted


class ReturnWatch:
    """A thread that waits for the next input while `arm` was called after the last one.

    Args:
        returned: Called in that thread at the first input.

    Raises:
        UnavailableError: GNOME's idle monitor does not answer.
    """

    def __init__(self, returned: Callable[[], None]) -> None:
        self._returned = returned
        self._ended = threading.Event()
        self._wanted = threading.Event()
        try:
            self._connection: DBusConnection = open_dbus_connection(bus="SESSION")
        except (OSError, KeyError, ValueError) as why:
            raise UnavailableError(f"there is no session bus: {why}") from why
        self._rule = MatchRule(type="signal", interface=MONITOR.interface, member="WatchFired")
        try:
            self._ask(message_bus.AddMatch(self._rule))
            self._watch_id = self._add()
        except OSError as why:
            self._connection.close()
            raise UnavailableError(f"GNOME's idle monitor does not answer: {why}") from why
        self._wanted.set()
        self._thread = threading.Thread(target=self._watch, name="return-watch", daemon=True)
        self._thread.start()

    def arm(self) -> None:
        """Tell of the next input. Again and again is once."""
        self._wanted.set()

    def close(self) -> None:
        """Watch no longer."""
        self._ended.set()
        self._wanted.set()
        self._thread.join(PATIENCE)
        self._connection.close()

    def _watch(self) -> None:
        armed = True  # the first watch was added before the thread began
        with self._connection.filter(self._rule) as signals:
            while not self._ended.is_set():
                self._wanted.wait()
                try:
                    if not armed:
                        self._watch_id = self._add()
                        armed = True
                    (fired,) = self._connection.recv_until_filtered(signals, timeout=_LOOK).body
                except TimeoutError:
                    continue
                except (OSError, EOFError) as error:
                    log.info("GNOME tells of returns no longer: %s", error)
                    return
                if fired == self._watch_id:
                    armed = False
                    self._wanted.clear()
                    self._returned()

    def _add(self) -> int:
        (watch_id,) = self._ask(new_method_call(MONITOR, "AddUserActiveWatch"))
        return int(watch_id)

    def _ask(self, message: Message) -> tuple[Any, ...]:
        """The values of the answer. Raises OSError."""
        try:
            return tuple(unwrap_msg(self._connection.send_and_get_reply(message, timeout=PATIENCE)))
        except DBusErrorResponse as why:
            raise OSError(why.name) from why
        except EOFError as why:
            raise OSError("the session bus has gone") from why
