"""A command's end of the admin socket. Blocking: a command has nothing else to do."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from typing import TypeVar, cast

import msgspec

from metaclaw_tray.admin.api import Verb, answer_type
from metaclaw_tray.admin.instance import is_held
from metaclaw_tray.admin.peer import peer_of
from metaclaw_tray.admin.protocol import (
    Challenge,
    Done,
    Failed,
    Progress,
    RemoteError,
    Typed,
    read_line,
    to_line,
)
from metaclaw_tray.errors import KnownError, NotRunningError
from metaclaw_tray.files import in_words
from metaclaw_tray.paths import Paths

R = TypeVar("R")

_PATIENCE_SECONDS, _PAUSE_SECONDS = 15.0, 0.05


class AdminClient:
    """Asks the app that has this home. Each call is a connection of its own."""

    def __init__(self, paths: Paths, *, patience: float = _PATIENCE_SECONDS) -> None:
        """`patience` is how many seconds it waits for an app that does not listen yet."""
        self._paths = paths
        self._patience = patience
        self._path = paths.socket_file
        self._home = paths.home

    def running(self) -> bool:
        """Whether an app answers here."""
        try:
            self._connect().close()
        except NotRunningError:
            return False
        return True

    def call(
        self,
        verb: Verb[R],
        *,
        on_progress: Callable[[str], None] = lambda _text: None,
        on_challenge: Callable[[Challenge], str] = lambda _challenge: "",
    ) -> R:
        """The answer to a verb. Raises NotRunningError, or the error that the app gave.

        `on_challenge` shows its text and returns what the person typed.
        """
        with self._connect() as connection, connection.makefile("rb") as stream:
            try:
                connection.sendall(to_line(verb))
                while True:
                    line = stream.readline()
                    if not line.endswith(b"\n"):
                        raise _ended()
                    match read_line(line):
                        case Progress(text):
                            on_progress(text)
                        case Challenge() as challenge:
                            connection.sendall(to_line(Typed(on_challenge(challenge))))
                        case Failed() as problem:
                            raise RemoteError(problem)
                        case Done(value):
                            return cast(R, msgspec.json.decode(value, type=answer_type(type(verb))))
            except ConnectionError as error:
                raise _ended() from error
            except msgspec.DecodeError as error:
                raise KnownError(
                    "The app's answer was not understood",
                    f"{error}.",
                    "If the app was updated, restart it: it may be older or newer than this command.",
                ) from error

    def _connect(self) -> socket.socket:
        """A connection. An app that has the home but does not listen is waited for: it starts, or it ends."""
        until = time.monotonic() + self._patience
        while True:
            try:
                return self._connect_now()
            except NotRunningError:
                if not is_held(self._paths):
                    raise
            if time.monotonic() > until:
                raise KnownError(
                    "The app does not answer yet",
                    f"It has {self._home}, but it is still starting, or already ending.",
                    "Try again in a moment.",
                )
            time.sleep(_PAUSE_SECONDS)

    def _connect_now(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(os.fspath(self._path))
            owner = peer_of(connection).uid
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError) as error:
            connection.close()
            raise NotRunningError(
                "The app is not running",
                f"Nothing answers for {self._home}.",
                "Start it: `metaclaw-tray serve`.",
            ) from error
        except OSError as error:
            connection.close()
            raise KnownError("The app cannot be reached", f"{self._path}: {in_words(error)}.", "") from error
        if owner != os.getuid():
            connection.close()
            raise KnownError(
                "The app cannot be trusted",
                f"{self._path} is held by another user (uid {owner}).",
                "Run the command as the user who runs the app.",
            )
        return connection


def _ended() -> KnownError:
    return KnownError(
        "The app ended before it answered",
        "The connection closed; what was asked may or may not have been done.",
        "See `metaclaw-tray status` and `metaclaw-tray ledger list`.",
    )
