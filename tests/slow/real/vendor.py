"""A vendor on loopback that speaks every dialect, plays its plays, and remembers what it saw and said."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any

from slow.real.answers import EVENTS, WHOLE, framed
from slow.real.plays import Repertoire, Step
from slow.real.reading import READERS

KEY = "sk-the-vendors-own"
"""The key that opens it. Whatever else is shown to it is a fault of the app."""

_DIALECTS = {"/v1/messages": "messages", "/v1/chat/completions": "chat", "/v1/responses": "responses"}
_COUNT = "/v1/messages/count_tokens"
_PAUSE_SECONDS = 30.0  # a hang guard


@dataclass
class Served:
    """One request, and what was said to it."""

    path: str
    headers: list[tuple[str, str]]
    body: bytes
    dialect: str
    step: Step | None
    answer: bytes = b""
    whole: bool = False  # all of the answer was taken

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Refusal:
    """An answer that is none."""

    status: int
    retry_after: str = ""  # seconds; "" where it is not said


class Pause:
    """One answer stops in the middle: `reached` says so, and `go_on` ends it. `cut`: it breaks off there."""

    def __init__(self, results: int, *, cut: bool = False) -> None:
        self.results = results  # of tools, that the request brings
        self.reached = threading.Event()
        self.go_on = threading.Event()
        self.cut = cut


class Vendor:
    """Serves until it is closed. `served` is in the order in which requests came."""

    def __init__(self) -> None:
        self.plays = Repertoire()
        self.served: list[Served] = []
        self.pause: Pause | None = None
        self.refusals: list[Refusal] = []  # of the next turns, one each
        self._lock = threading.Lock()
        vendor = self

        class Handler(_Handler):
            def vendor(self) -> Vendor:
                return vendor

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="vendor", daemon=True
        )
        self._thread.start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        if self.pause is not None:
            self.pause.go_on.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def refusal(self) -> Refusal | None:
        """How this turn is refused, if it is."""
        with self._lock:
            return self.refusals.pop(0) if self.refusals else None

    def take(self, served: Served) -> Pause | None:
        """Remember a request; gives the pause that is meant for its answer."""
        with self._lock:
            self.served.append(served)
            pause = self.pause
            if pause is None or pause.reached.is_set() or served.step is None:
                return None
            asked = READERS[served.dialect](served.json)
            if not asked.tools or max(asked.results, default=0) != pause.results:
                return None
            pause.reached.set()
            return pause

    def turns(self) -> list[Served]:
        """What was asked and answered, less what only counts."""
        return [served for served in self.served if served.step is not None]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def vendor(self) -> Vendor:
        raise NotImplementedError

    def log_message(self, *_: Any) -> None:
        """Say nothing of what is served."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        path, dialect = self.path, _DIALECTS.get(self.path.partition("?")[0], "")
        headers = [(name, value) for name, value in self.headers.items()]
        if not dialect:
            counts = path.partition("?")[0] == _COUNT
            self.vendor().take(Served(path, headers, body, "", None))
            self._say(200 if counts else 404, {"input_tokens": len(body) // 4} if counts else {"error": {}})
            return
        asked = READERS[dialect](json.loads(body))
        if (refusal := self.vendor().refusal()) is not None:
            after = {"retry-after": refusal.retry_after} if refusal.retry_after else {}
            error = {"message": "Not now.", "type": "overloaded_error"}
            self._say(refusal.status, {"type": "error", "error": error}, after)
            return
        step = self.vendor().plays.step(asked)
        served = Served(path, headers, body, dialect, step)
        pause = self.vendor().take(served)
        whole = WHOLE[dialect](step, asked.model, hashlib.sha256(body).hexdigest()[:20])
        if not asked.stream:
            served.answer = self._say(200, whole)
            served.whole = True
            return
        pieces = list(framed(dialect, EVENTS[dialect](whole)))
        with suppress(ConnectionError):
            with self._stream():
                for place, piece in enumerate(pieces):
                    if pause is not None and place == len(pieces) // 2:
                        if pause.cut:
                            raise ConnectionAbortedError
                        pause.go_on.wait(_PAUSE_SECONDS)
                    served.answer += piece
                    self._chunk(piece)
            served.whole = True
        self.close_connection = not served.whole

    def _say(self, status: int, value: Any, headers: Mapping[str, str] = MappingProxyType({})) -> bytes:
        body = json.dumps(value).encode()
        self.send_response(status)
        for name, said in headers.items():
            self.send_header(name, said)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return body

    @contextmanager
    def _stream(self) -> Iterator[None]:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        yield
        self.wfile.write(b"0\r\n\r\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()
