"""What the window's thread must never do: wait for a disk, a socket, another program or the keyring.

An audit hook (PEP 578) sees each such call. It counts where the window's own code stands behind it on the GUI
thread; what a test does for itself there does not. Nothing of Qt is needed here, so that a process under test
can load it before anything else.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

_ROOT = Path(__file__).parents[2]
_WINDOW = str(_ROOT / "app" / "metaclaw_tray" / "desktop") + os.sep
_TESTS = str(_ROOT / "tests") + os.sep
_CODE = tuple(
    str(each) + os.sep
    for each in (
        _ROOT / "app",  # a module that is loaded late
        _ROOT / "resources",
        Path(sysconfig.get_path("stdlib")),
        Path(sysconfig.get_path("purelib")),
        Path(sys.base_prefix),
    )
)
# The start itself, before there is a window: it takes up the pipe, and reads which language is wanted.
_BEFORE = {
    "start.py child_main",
    "application.py run",
    "language.py install_language",
    "language.py wanted_language",
    "language.py _install",
}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_NEVER_OF = (
    "sqlite3.", "socket.", "subprocess.", "shutil.",
    "os.posix_spawn", "os.fork", "os.system", "os.exec", "os.spawn",
    "os.listdir", "os.scandir", "os.remove", "os.rename", "os.mkdir",
)  # fmt: skip

Told = Callable[[str], None]


def guard(told: Told) -> None:
    """Tell each forbidden call from now on. A hook cannot be taken away again: let `told` forget what does
    not matter any more."""
    main = threading.main_thread().ident

    def hook(event: str, args: tuple[object, ...]) -> None:
        if threading.get_ident() != main or not _forbidden(event, args):
            return
        where = window_behind(sys._getframe(1))
        if where:
            told(f"{event} {args[:2]!r} by {where}")

    sys.addaudithook(hook)


def window_behind(frame: FrameType | None) -> str:
    """The innermost place of the window's code that a call comes from; "" where a test made it itself, or an
    import (modules are loaded late on purpose)."""
    for each in _outwards(frame):
        file = each.f_code.co_filename
        if file.startswith(_TESTS) or file.startswith("<frozen importlib"):
            return ""
        if file.startswith(_WINDOW):
            place = Path(file).relative_to(_WINDOW)
            if f"{place} {each.f_code.co_name}" in _BEFORE:
                return ""
            return f"{place}:{each.f_lineno} {each.f_code.co_name}"
    return ""


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _forbidden(event: str, args: tuple[object, ...]) -> bool:
    if event == "open":
        return _bad_open(args)
    return event.startswith(_NEVER_OF)


def _bad_open(args: tuple[object, ...]) -> bool:
    path, _, flags = args
    if not isinstance(path, (str, bytes)):
        return False  # a descriptor that is open already
    writes = isinstance(flags, int) and bool(flags & _WRITES)
    return writes or not str(Path(os.fsdecode(path)).absolute()).startswith(_CODE)
