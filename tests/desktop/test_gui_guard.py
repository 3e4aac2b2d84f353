"""What the window's thread must never do is seen where the window's own code does it, and nowhere else."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import CodeType

import pytest

from metaclaw_tray.desktop import theme
from support.gui_guard import guard

Work = Callable[[str], None]

_heard: list[str] = []
guard(_heard.append)


@pytest.fixture(autouse=True)
def nothing_waits_on_the_gui_thread() -> None:
    """Here it does, on purpose."""
    _heard.clear()


def as_the_window(source: str) -> Work:
    """Code that stands, as far as its frames say, in a file of the window's."""
    code: CodeType = compile(f"def work(path):\n    {source}\n", theme.__file__, "exec")
    scope = {"sqlite3": sqlite3, "socket": socket, "subprocess": subprocess, "sys": sys, "Path": Path}
    exec(code, scope)
    made = scope["work"]
    assert callable(made)
    return made


FORBIDDEN = [
    "sqlite3.connect(':memory:').close()",
    "socket.socket().bind(('127.0.0.1', 0))",
    "subprocess.run([sys.executable, '-c', ''])",
    "Path(path, 'written').write_text('')",
    "open('/etc/hostname').close()",
    "list(Path(path).iterdir())",
]


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
@pytest.mark.parametrize("source", FORBIDDEN)
def test_what_may_take_long_is_seen(source: str, tmp_path: Path) -> None:
    as_the_window(source)(str(tmp_path))
    assert any("theme.py:2 work" in each for each in _heard)


@pytest.mark.parametrize("source", FORBIDDEN)
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_another_thread_may_do_it(source: str, tmp_path: Path) -> None:
    thread = threading.Thread(target=as_the_window(source), args=(str(tmp_path),))
    thread.start()
    thread.join()
    assert _heard == []


def test_resources_of_ours_may_be_read_and_a_test_may_do_what_it_likes(tmp_path: Path) -> None:
    theme.style_sheet(theme.DARK)
    (tmp_path / "written").write_text("by the test itself")
    assert _heard == []
