"""What programs have the notification server show: as the bus hears it, and as it stands on screen."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from jeepney import DBusAddress, HeaderFields, new_method_call
from jeepney.io.blocking import open_dbus_connection

from slow.desktop.screen import Screen

POPUP = "^xfce4-notifyd$"
_SERVER = "org.freedesktop.Notifications"
_RULE = f"type='method_call',interface='{_SERVER}',member='Notify'"
_SECONDS = 10.0


def lower_right(of: Screen) -> tuple[int, int] | None:
    """The corner beside which the buttons stand; None while there is no popup, or one that still comes in."""
    found = [_geometry(of) for _ in range(3)]
    if not found[0] or any(each != found[0] for each in found):
        return None
    return found[0]["X"] + found[0]["WIDTH"], found[0]["Y"] + found[0]["HEIGHT"]


@contextmanager
def heard(on: Screen) -> Iterator[list[tuple[str, str]]]:
    """The title and text of each notification of the block, in a list that grows."""
    told: list[tuple[str, str]] = []
    with open_dbus_connection(on.env["DBUS_SESSION_BUS_ADDRESS"]) as connection:
        bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus.Monitoring")
        monitor = new_method_call(bus, "BecomeMonitor", "asu", ([_RULE], 0))
        connection.send_and_get_reply(monitor, timeout=_SECONDS)
        over = threading.Event()

        def listen() -> None:
            while not over.is_set():
                with contextlib.suppress(TimeoutError):
                    message = connection.receive(timeout=0.2)
                    if message.header.fields.get(HeaderFields.member) == "Notify":
                        told.append((str(message.body[3]), str(message.body[4])))

        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield told
        finally:
            over.set()
            thread.join(_SECONDS)


def _geometry(of: Screen) -> dict[str, int]:
    windows = of.windows(POPUP)
    if not windows:
        return {}
    said = of.run("xdotool", "getwindowgeometry", "--shell", windows[0]).split()
    return {name: int(value) for name, value in (line.split("=") for line in said)}
