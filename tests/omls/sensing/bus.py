"""A message bus of the test's own, and services on it that answer what the test says."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from jeepney import DBusAddress, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.low_level import HeaderFields, Message

Answer = tuple[str, tuple[Any, ...]] | str
"""A signature and its values, or the name of an error."""

needs_bus = pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="needs dbus-daemon")


@contextmanager
def bus() -> Iterator[str]:
    """A message bus; its address. It is both the session's and the system's for whoever asks meanwhile."""
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True
    )
    assert daemon.stdout is not None
    address = daemon.stdout.readline().strip()
    names = ("DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, address))
    try:
        yield address
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        daemon.stdout.close()
        daemon.terminate()
        daemon.wait(30)


class Service:
    """Owns a name and answers calls by a table from (path, method) to an answer, or what makes one of the
    call's own values. Properties stand under (path, name)."""

    def __init__(self, name: str, answers: dict[tuple[str, str], Answer | Callable[..., Answer]]) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self._connection: DBusConnection = open_dbus_connection(bus="SESSION", enable_fds=True)
        self._connection.send_and_get_reply(message_bus.RequestName(name), timeout=10)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def emit(self, path: str, interface: str, name: str, signature: str, *values: Any) -> None:
        """Send a signal."""
        self._connection.send(new_signal(DBusAddress(path, interface=interface), name, signature, values))

    def close(self) -> None:
        self._ended.set()
        self._thread.join(10)
        self._connection.close()

    def _serve(self) -> None:
        while not self._ended.is_set():
            try:
                call = self._connection.receive(timeout=0.05)
            except TimeoutError:
                continue
            except (OSError, EOFError):
                return
            if call.header.message_type is MessageType.method_call:
                with contextlib.suppress(OSError):
                    self._connection.send(self._answer(call))

    def _answer(self, call: Message) -> Message:
        path, method = call.header.fields[HeaderFields.path], call.header.fields[HeaderFields.member]
        values = call.body
        wanted = values[1] if method == "Get" else method
        self.asked.append(wanted)
        answer = self.answers.get((path, wanted), "org.freedesktop.DBus.Error.UnknownMethod")
        if callable(answer):
            answer = answer(*values)
        if isinstance(answer, str):
            return new_error(call, answer)
        signature, result = answer
        if method == "Get":
            return new_method_return(call, "v", ((signature, result[0]),))
        return new_method_return(call, signature, result)


@contextmanager
def service(name: str, answers: dict[tuple[str, str], Answer | Callable[..., Answer]]) -> Iterator[Service]:
    made = Service(name, answers)
    try:
        yield made
    finally:
        made.close()
