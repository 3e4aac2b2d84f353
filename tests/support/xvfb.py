"""An X display without a screen, for what asks X itself; a whole desktop is `slow.desktop.screen`."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_SECONDS = 60.0  # a hang guard

needs_x = pytest.mark.skipif(not all(map(shutil.which, ("Xvfb", "xdotool"))), reason="needs Xvfb and xdotool")


@contextmanager
def display() -> Iterator[str]:
    """The name of a display of its own while the block lasts."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24", "-noreset", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], _SECONDS)
        number = os.read(reading, 16).decode().strip() if ready else ""
        assert number, "Xvfb did not start"
        yield f":{number}"
    finally:
        os.close(reading)
        server.terminate()
        server.wait(_SECONDS)


def move_mouse(name: str, pixels: int = 5) -> None:
    """As a hand would."""
    subprocess.run(
        ["xdotool", "mousemove_relative", "--", str(pixels), str(pixels)],
        env={**os.environ, "DISPLAY": name},
        check=True,
        timeout=_SECONDS,
    )
