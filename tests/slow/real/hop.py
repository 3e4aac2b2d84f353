"""A hop between a client and the app that keeps what goes by in both directions.

It changes nothing but the Host header, by which the app knows that it was meant.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from support.http1 import Request, RequestReader, ResponseReader

_HOST = re.compile(rb"(\r\nhost: *)[^\r]*", re.I)


@dataclass
class Passed:
    """One request of the client, and what came back."""

    request: Request
    status: int = 0
    headers: dict[bytes, bytes] = field(default_factory=dict)
    body: bytes = b""
    done: bool = False


class Hop:
    """Listens until it is closed; each connection is handed on to the app."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._to = (parts.hostname or "", parts.port or 80)
        self._path = parts.path
        self.passed: list[Passed] = []
        self._open: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._begin(self._accept)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}{self._path}"

    def close(self) -> None:
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self._threads:
            thread.join()

    def _begin(self, run: object, *args: object) -> None:
        thread = threading.Thread(target=run, args=args, name="hop", daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                app = socket.create_connection(self._to)
            except OSError:
                return
            self._open += [client, app]
            waiting: list[Passed] = []
            self._begin(self._requests, client, app, waiting)
            self._begin(self._answers, app, client, waiting)

    def _requests(self, client: socket.socket, app: socket.socket, waiting: list[Passed]) -> None:
        reader, held = RequestReader(), b""
        for data in _received(client):
            held += data
            for request in reader.feed(data):  # one at a time: a client here waits for its answer
                passed = Passed(request)
                self.passed.append(passed)
                waiting.append(passed)
                with suppress(OSError):
                    app.sendall(
                        _HOST.sub(b"\\g<1>%s:%d" % (self._to[0].encode(), self._to[1]), held, count=1)
                    )
                held = b""
        _end(app)

    def _answers(self, app: socket.socket, client: socket.socket, waiting: list[Passed]) -> None:
        reader = ResponseReader()
        for data in _received(app):
            passed = waiting[0]
            passed.body += reader.feed(data)
            passed.status, passed.headers, passed.done = reader.status, reader.headers, reader.done
            if reader.done:
                waiting.pop(0)
                reader = ResponseReader()
            with suppress(OSError):
                client.sendall(data)
        _end(client)


def _received(from_: socket.socket) -> Iterator[bytes]:
    while True:
        try:
            data = from_.recv(65536)
        except OSError:
            return
        if not data:
            return
        yield data


def _end(to: socket.socket) -> None:
    with suppress(OSError):
        to.shutdown(socket.SHUT_WR)
