"""Told by GNOME at the first touch of key or mouse, so that nobody has to ask for it each second.

Mutter's idle monitor (org.gnome.Mutter.IdleMonitor) fires an *idle watch* each time nothing was touched for a
while, and a *user active watch* once, at the next input; it says that there was one, never what. The
questions of `mutter` go on beside it: a signal that is lost costs a second.
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
_STILL = 30_000  # milliseconds without input after which the next one is told


class ReturnWatch:
    """A thread that waits for the first input after each time that nothing was touched for half a minute.

    Args:
        returned: Called in that thread.

    Raises:
        UnavailableError: GNOME's idle monitor does not answer.
    """

    def __init__(self, returned: Callable[[], None]) -> None:
        self._returned = returned
        self._ended = threading.Event()
        try:
            self._connection: DBusConnection = open_dbus_connection(bus="SESSION")
        except (OSError, KeyError, ValueError) as why:
            raise UnavailableError(f"there is no session bus: {why}") from why
        self._rule = MatchRule(type="signal", interface=MONITOR.interface, member="WatchFired")
        try:
            self._ask(message_bus.AddMatch(self._rule))
            self._still = self._add(new_method_call(MONITOR, "AddIdleWatch", "t", (_STILL,)))
            self._active: int | None = self._next_input()  # they may be away already
        except OSError as why:
            self._connection.close()
            raise UnavailableError(f"GNOME's idle monitor does not answer: {why}") from why
        self._thread = threading.Thread(target=self._watch, name="return-watch", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Watch no longer."""
        self._ended.set()
        self._thread.join(PATIENCE)
        self._connection.close()

    def _watch(self) -> None:
        with self._connection.filter(self._rule) as signals:
            while not self._ended.is_set():
                try:
                    (fired,) = self._connection.recv_until_filtered(signals, timeout=_LOOK).body
                    if fired == self._still and self._active is None:
                        self._active = self._next_input()
                except TimeoutError:
                    continue
                except (OSError, EOFError) as error:
                    log.info("GNOME tells of returns no longer: %s", error)
                    return
                if fired == self._active:
                    self._active = None
                    self._returned()

    def _next_input(self) -> int:
        return self._add(new_method_call(MONITOR, "AddUserActiveWatch"))

    def _add(self, call: Message) -> int:
        (watch_id,) = self._ask(call)
        return int(watch_id)

    def _ask(self, message: Message) -> tuple[Any, ...]:
        """The values of the answer. Raises OSError."""
        try:
            return tuple(unwrap_msg(self._connection.send_and_get_reply(message, timeout=PATIENCE)))
        except DBusErrorResponse as why:
            raise OSError(why.name) from why
        except EOFError as why:
            raise OSError("the session bus has gone") from why
