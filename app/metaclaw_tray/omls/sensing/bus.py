"""Questions over D-Bus with a short patience, by jeepney."""

from __future__ import annotations

from typing import Any

from jeepney import DBusAddress, DBusErrorResponse, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import unwrap_msg

from metaclaw_tray.omls.sensing.idle import UnavailableError

PATIENCE = 2.0
"""Seconds that a service of the desktop may take."""

_PROPERTIES = "org.freedesktop.DBus.Properties"


class Bus:
    """One connection to a message bus.

    Raises:
        UnavailableError: There is no such bus.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        try:
            self._connection: DBusConnection = open_dbus_connection(bus=kind)
        except (OSError, KeyError, ValueError) as why:
            raise UnavailableError(f"there is no {kind.lower()} bus: {why}") from why

    def call(
        self, address: DBusAddress, method: str, signature: str | None = None, body: tuple[Any, ...] = ()
    ) -> tuple[Any, ...]:
        """The values of the answer.

        Raises:
            OSError: No answer in time, an error for an answer, or the bus has gone.
        """
        message = new_method_call(address, method, signature, body)
        try:
            return tuple(unwrap_msg(self._connection.send_and_get_reply(message, timeout=PATIENCE)))
        except DBusErrorResponse as why:
            raise OSError(f"{method}: {why.name}") from why
        except (TimeoutError, EOFError, ConnectionError) as why:
            raise OSError(f"{method}: no answer of the {self._kind.lower()} bus") from why

    def property(self, address: DBusAddress, name: str) -> Any:
        """The value of a property. Raises OSError."""
        asked = DBusAddress(address.object_path, address.bus_name, _PROPERTIES)
        ((_, value),) = self.call(asked, "Get", "ss", (address.interface, name))
        return value

    def close(self) -> None:
        self._connection.close()
