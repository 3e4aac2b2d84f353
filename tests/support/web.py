"""A small web server on this machine, for what is fetched from addresses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """What is answered: `endless` goes on sending the body until nobody listens, `silent` sends nothing."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    endless: bool = False
    silent: bool = False


@dataclass
class Web:
    """`give` answers a path; `asked` has each path with its headers, in lower case."""

    give: Callable[[str, dict[str, str]], Answer] = lambda _path, _headers: Answer(404)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    url: str = ""
    over: threading.Event = field(default_factory=threading.Event)


@contextmanager
def web() -> Iterator[Web]:
    made = Web()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            made.asked.append((self.path, headers))
            answer = made.give(self.path, headers)
            if answer.silent:
                made.over.wait(60)
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            if not answer.endless:
                self.send_header("Content-Length", str(len(answer.body)))
            self.end_headers()
            try:
                self.wfile.write(answer.body)
                while answer.endless and not made.over.is_set():
                    self.wfile.write(answer.body)
            except OSError:
                pass  # nobody listens any more

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.over.set()
        server.shutdown()
        server.server_close()
        thread.join()
