"""Killed with -9 in the middle of a call of learning: what it may have cost counts in full."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from sqlmodel import select

from metaclaw_tray.errors import LearningError
from metaclaw_tray.store import spend
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables import Spend
from support.clock import FakeClock

pytestmark = pytest.mark.slow

CAP = 0.05
_CALLS = """
import asyncio, sys
from pathlib import Path
import httpx
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.errors import LearningError
from metaclaw_tray.learning.client import Asked, ChatModel, Target
from metaclaw_tray.settings import Upstream
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.spend import Caps

class Here(httpx.AsyncHTTPTransport):
    async def handle_async_request(self, request):
        request.url = request.url.copy_with(host="127.0.0.1", port=int(sys.argv[2]))
        return await super().handle_async_request(request)

async def main():
    upstream = Upstream(base_url="http://m.invalid/v1", input_usd_per_million=1, output_usd_per_million=200)
    store = Store.open(Path(sys.argv[1]), SystemClock())
    caps = Caps(float(sys.argv[3]), 5.0)
    model = ChatModel(Target("up", upstream, "m"), store, SystemClock(), lambda: caps, seconds=60,
                      transport=Here())
    try:
        await model.text(Asked("judge", [{"role": "user", "content": "well?"}], max_tokens=100))
    except LearningError:
        sys.exit(7)

asyncio.run(main())
"""
_REFUSED = 7


class Silent(ThreadingHTTPServer):
    """Takes requests and never answers."""

    daemon_threads = True

    def __init__(self) -> None:
        self.arrived = threading.Semaphore(0)
        self.count = 0
        self.over = threading.Event()
        silent = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                silent.count += 1
                silent.arrived.release()
                silent.over.wait()

        super().__init__(("127.0.0.1", 0), Handler)


@pytest.fixture
def silent() -> Iterator[Silent]:
    server = Silent()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.over.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_calls_that_a_kill_cut_short_count_until_the_cap_is_reached(tmp_path: Path, silent: Silent) -> None:
    path = tmp_path / "store.sqlite3"
    Store.open(path, FakeClock()).close()
    command = [sys.executable, "-c", _CALLS, str(path), str(silent.server_address[1]), str(CAP)]
    for _ in range(2):  # each may cost a little more than 0.02
        call = subprocess.Popen(command)
        assert silent.arrived.acquire(timeout=60)
        call.kill()
        call.wait()
    assert subprocess.run(command, check=False, timeout=60).returncode == _REFUSED
    assert silent.count == 2  # what is over the cap is not sent
    store = Store.open(path, FakeClock())
    made = store.read(lambda db: list(db.exec(select(Spend))))
    assert [each.settled_usd for each in made] == [None, None]
    spent = store.read(lambda db: spend.spent_today(db, datetime.now(UTC)))
    assert spent == pytest.approx(sum(each.reserved_usd for each in made))
    assert 0.04 < spent < CAP
    with pytest.raises(LearningError):
        store.write(
            lambda db: spend.reserve(
                db, "judge", "up", "m", CAP - spent + 1e-6, spend.Caps(CAP, 5.0), datetime.now(UTC)
            )
        )
    store.close()
