"""What a screen reader finds in our windows, and pressing it by its name (AT-SPI, over its own bus)."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from jeepney import DBusAddress, Properties, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from slow.desktop.screen import Screen, until

LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
_ACCESSIBLE, _ACTION = "org.a11y.atspi.Accessible", "org.a11y.atspi.Action"
_ROOT = "/org/a11y/atspi/accessible/root"
_STATES_SHOWING = 1 << 25
_SECONDS = 10.0


@dataclass(frozen=True)
class Thing:
    """One accessible object."""

    owner: str
    path: str
    role: str
    name: str


class Reader:
    """A screen reader of few words. Programs that should be read take `env` with them."""

    env: ClassVar = {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "NO_AT_BRIDGE": ""}

    def __init__(self, connection: DBusConnection) -> None:
        self._connection = connection

    def things(self) -> Iterator[Thing]:
        """All that the programs of this screen show now."""
        for owner, path in self._children("org.a11y.atspi.Registry", _ROOT):
            yield from self._below(owner, path)

    def find(self, name: str, role: str = "") -> Thing | None:
        """What shows now under this name; a role such as `button` chooses among several."""
        for each in self.things():
            if each.name == name and role in each.role and self._shows(each):
                return each
        return None

    def press(self, name: str, role: str = "button") -> None:
        """Press it, when it is there."""
        thing = until(lambda: self.find(name, role), f"{role} {name!r}")
        self._call(thing.owner, thing.path, _ACTION, "DoAction", "i", (0,))

    def _below(self, owner: str, path: str) -> Iterator[Thing]:
        try:
            yield Thing(owner, path, self._role(owner, path), str(self._get(owner, path, "Name")))
            children = self._children(owner, path)
        except _GoneError:
            return
        for child_owner, child in children:
            yield from self._below(child_owner, child)

    def _shows(self, thing: Thing) -> bool:
        with suppress(_GoneError):
            (states,) = self._call(thing.owner, thing.path, _ACCESSIBLE, "GetState")
            return bool(states[0] & _STATES_SHOWING)
        return False

    def _role(self, owner: str, path: str) -> str:
        return str(self._call(owner, path, _ACCESSIBLE, "GetRoleName")[0])

    def _children(self, owner: str, path: str) -> list[tuple[str, str]]:
        return list(self._call(owner, path, _ACCESSIBLE, "GetChildren")[0])

    def _get(self, owner: str, path: str, name: str) -> Any:
        return self._answer(Properties(DBusAddress(path, owner, _ACCESSIBLE)).get(name))[0][1]

    def _call(
        self, owner: str, path: str, face: str, method: str, sig: str = "", body: tuple[Any, ...] = ()
    ) -> Any:
        address = DBusAddress(path, owner, face)
        return self._answer(new_method_call(address, method, sig or None, body))

    def _answer(self, message: Any) -> Any:
        try:
            reply = self._connection.send_and_get_reply(message, timeout=_SECONDS)
        except TimeoutError as error:
            raise _GoneError from error
        if reply.header.message_type.name == "error":
            raise _GoneError(str(reply.body))
        return reply.body


class _GoneError(Exception):
    """It was there a moment ago."""


@contextmanager
def reader(screen: Screen) -> Iterator[Reader]:
    """A reader on this screen while the block lasts."""
    nowhere = subprocess.DEVNULL
    launcher = subprocess.Popen(
        [str(LAUNCHER), "--launch-immediately"],
        env={**screen.env, "NO_AT_BRIDGE": ""}, stdin=nowhere, stdout=nowhere, stderr=nowhere,
    )  # fmt: skip
    try:
        with open_dbus_connection(until(lambda: _bus(screen), "the bus of accessibility")) as connection:
            yield Reader(connection)
    finally:
        launcher.terminate()
        launcher.wait(_SECONDS)


def _bus(screen: Screen) -> str:
    """The address of the bus; "" while there is none."""
    with open_dbus_connection(screen.env["DBUS_SESSION_BUS_ADDRESS"]) as connection:
        address = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        reply = connection.send_and_get_reply(new_method_call(address, "GetAddress"), timeout=_SECONDS)
    return str(reply.body[0]) if reply.header.message_type.name != "error" else ""
