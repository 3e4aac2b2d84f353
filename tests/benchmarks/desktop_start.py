"""How long it takes from `metaclaw-tray` to an app that serves and an open window, and what both weigh.

    python -m benchmarks.desktop_start [--times N]

With a display (as inside `tray_under_xvfb.sh`) it measures the real window; without one, the window of the
plugin that draws nowhere. Figures are printed, nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from support.processes import Home, environment

_GUARD_SECONDS = 60.0
_LOOK_SECONDS = 0.01
_OPEN = "the window is open"  # what the app writes into its log


def measure(folder: Path) -> dict[str, float]:
    """One start in a home of its own: seconds to each milestone, and megabytes resident."""
    home = Home(folder)
    config = folder / "config" / "config.toml"
    config.write_text(config.read_text() + "[server]\nport = 0\n")
    extra = {} if os.environ.get("DISPLAY") else {"QT_QPA_PLATFORM": "offscreen"}
    begun = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "metaclaw_tray"],
        env=environment({**home.env, **extra}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert process.stdout
        process.stdout.readline()
        found = {"serves, s": time.monotonic() - begun}
        while not any(_OPEN in each.read_text("utf-8") for each in (folder / "logs").glob("*.log")):
            if time.monotonic() - begun > _GUARD_SECONDS:
                raise TimeoutError("the window never opened")
            time.sleep(_LOOK_SECONDS)
        found["window open, s"] = time.monotonic() - begun
        app = psutil.Process(process.pid)
        window = next(each for each in app.children() if each.cmdline()[-1:] == ["window"])
        for name, each in (("app", app), ("window", window)):
            spent = each.cpu_times()
            found[f"{name}, CPU s"] = spent.user + spent.system  # the same on a machine that is busy
        found["app, MB"] = app.memory_info().rss / 1e6
        found["window, MB"] = window.memory_info().rss / 1e6
        return found
    finally:
        process.terminate()
        process.wait(_GUARD_SECONDS)
        assert process.stdout
        process.stdout.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how fast the app and its window start.")
    parser.add_argument("--times", type=int, default=5)
    rows = []
    for _ in range(parser.parse_args().times):
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measure(Path(folder) / "home"))
    for name in rows[0]:
        values = [row[name] for row in rows]
        sys.stdout.write(f"{name:16} median {statistics.median(values):7.2f}   worst {max(values):7.2f}\n")


if __name__ == "__main__":
    main()
