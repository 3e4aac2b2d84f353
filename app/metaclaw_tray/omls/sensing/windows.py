"""Idleness on Windows, by GetLastInputInfo (user32)."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable

from metaclaw_tray.omls.sensing.idle import UnavailableError

_WRAP = 1 << 32


class _LastInputInfo(ctypes.Structure):
    _fields_ = (("cbSize", ctypes.c_uint32), ("dwTime", ctypes.c_uint32))


def seconds_between(last: int, now: int) -> float:
    """Seconds between two readings of a counter of milliseconds that wraps after 49.7 days (32 bits)."""
    return ((now - last) % _WRAP) / 1000


class WindowsIdle:
    """Of the session this process runs in.

    Args:
        last_input: Milliseconds of the tick counter at the last input; None where the call fails.
        ticks: The tick counter now.

    Raises:
        UnavailableError: Not on Windows.
    """

    name = "Windows"
    cost = 0.01

    def __init__(
        self, last_input: Callable[[], int | None] | None = None, ticks: Callable[[], int] | None = None
    ) -> None:
        if (last_input is None or ticks is None) and platform.system() != "Windows":
            raise UnavailableError("the system is not Windows")
        self._last_input = last_input or _last_input
        self._ticks = ticks or _ticks

    def seconds_since_input(self) -> float | None:
        last = self._last_input()
        return None if last is None else seconds_between(last, self._ticks())

    def close(self) -> None:
        pass


def _last_input() -> int | None:
    info = _LastInputInfo(ctypes.sizeof(_LastInputInfo), 0)
    user32 = ctypes.WinDLL("user32")  # type: ignore[attr-defined]  # there on Windows only
    return int(info.dwTime) if user32.GetLastInputInfo(ctypes.byref(info)) else None


def _ticks() -> int:
    kernel32 = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined]  # there on Windows only
    kernel32.GetTickCount.restype = ctypes.c_uint32
    return int(kernel32.GetTickCount())
