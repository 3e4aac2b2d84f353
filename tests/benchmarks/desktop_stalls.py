"""What the window weighs with 10,000 skills in its list, and how long it stands still while agents stream.

    python -m benchmarks.desktop_stalls [--skills N] [--streams N]

The window is this process; its app, the model and the agents are others, as they are for a person. Every page
is opened and all that can be scrolled in it is scrolled to its end and back, in steps of a wheel. A tick is
due every 5 ms: the longest gap between two of them is the longest time in which nothing could have been drawn
or pressed, and stands beside the longest one while nothing is done, which is the machine's own.
Goals: under 220 MB, and no stall over 50 ms. Figures are printed, nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "" if os.environ.get("DISPLAY") else "offscreen")

import msgspec
import psutil
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication

from metaclaw_tray.admin.window import FromWindow, ToWindow
from metaclaw_tray.child import ChildPipe
from metaclaw_tray.desktop.application import Desk
from metaclaw_tray.desktop.page import Page
from support.processes import ScriptedLlm, environment

_TICK_MS = 5
_STEPS = 60  # of a wheel, to the end of what is scrolled
_FRAME_MS = 16
_IDLE_MS = 3_000  # with an open page and nothing to do: what the machine itself costs
_SETTLE_SECONDS = 120.0
_FLUSH_SECONDS = 5.0


class Ticks:
    """How late each tick came, in milliseconds, by what was going on."""

    def __init__(self, doing: str) -> None:
        self.worst: dict[str, float] = {}
        self.work: dict[str, float] = {}  # and the processor time that the thread took for itself meanwhile
        self.doing = doing
        self._last, self._spent = time.perf_counter(), time.thread_time()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(_TICK_MS)

    def _tick(self) -> None:
        now, spent = time.perf_counter(), time.thread_time()
        late, work = (now - self._last) * 1e3 - _TICK_MS, (spent - self._spent) * 1e3
        self.worst[self.doing] = max(self.worst.get(self.doing, 0.0), late)
        self.work[self.doing] = max(self.work.get(self.doing, 0.0), work)
        self._last, self._spent = now, spent


def settle(desk: Desk) -> None:
    """Wait until what was asked is answered."""
    end = time.monotonic() + _SETTLE_SECONDS
    QTest.qWait(100)
    while desk.bridge.is_waiting and time.monotonic() < end:
        QTest.qWait(20)


def scroll(page: Page) -> None:
    """All that can be scrolled in a page, down and up."""
    for area in page.findChildren(QAbstractScrollArea):
        bar = area.verticalScrollBar()
        if not area.isVisible() or bar.maximum() == 0:
            continue
        for step in (*range(_STEPS + 1), *range(_STEPS, -1, -1)):
            bar.setValue(bar.maximum() * step // _STEPS)
            QTest.qWait(_FRAME_MS)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what the window weighs and how it stalls.")
    parser.add_argument("--skills", type=int, default=10_000)
    parser.add_argument("--streams", type=int, default=8)
    asked = parser.parse_args()
    app, model = QApplication(["metaclaw-tray"]), ScriptedLlm()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        filling = [sys.executable, "-m", "benchmarks.desktop_home", str(home), str(asked.skills), model.url]
        subprocess.run(filling, env=environment(), check=True)  # apart: what it loads is not the window's
        os.environ["METACLAW_TRAY_HOME"] = str(home)
        other = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.desktop_app", str(home), str(asked.streams)],
            env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert other.stdin
        assert other.stdout
        pipe: ChildPipe[ToWindow, FromWindow] = ChildPipe(
            other.stdout, other.stdin, msgspec.msgpack.Decoder(ToWindow)
        )
        begun = time.process_time()
        desk = Desk(app, pipe)
        desk.bridge.closed.disconnect()
        desk.window.removeEventFilter(desk.first_steps)
        desk.start()
        desk.window.open_page("skills")
        settle(desk)
        said = {"processor time to the first page, s": time.process_time() - begun}
        said["window with the skills listed, MB"] = psutil.Process().memory_info().rss / 1e6
        ticks = Ticks("nothing")
        QTest.qWait(_IDLE_MS)
        for page in desk.window.pages:
            ticks.doing = page.name
            desk.window.open_page(page.name)
            settle(desk)
            scroll(page)
        said["window after every page, MB"] = psutil.Process().memory_info().rss / 1e6
        said |= {f"longest stall, {name}, ms": late for name, late in ticks.worst.items()}
        said |= {f"longest work at once, {name}, ms": work for name, work in ticks.work.items()}
        said["longest stall of all, ms"] = max(ticks.worst.values())
        for name, value in said.items():
            sys.stdout.write(f"{name:40} {value:8.1f}\n")
        sys.stdout.write(f"load of the machine meanwhile: {os.getloadavg()[0]:.1f}\n")
        sys.stdout.flush()
        desk.window.removeEventFilter(desk)
        desk.window.close()
        desk.bridge.flush(_FLUSH_SECONDS)
        other.stdin.close()
        other.wait(_SETTLE_SECONDS)
    model.stop()
    sys.stdout.flush()
    os._exit(0)  # threads of the bridge would wait for ever


if __name__ == "__main__":
    main()
