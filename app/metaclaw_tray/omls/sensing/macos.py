"""Idleness on macOS, by CGEventSourceSecondsSinceLastEventType (Quartz Event Services)."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable

from metaclaw_tray.omls.sensing.idle import UnavailableError

_FRAMEWORK = "/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices"
_COMBINED_SESSION = 0  # kCGEventSourceStateCombinedSessionState
_ANY_INPUT = 0xFFFFFFFF  # kCGAnyInputEventType


class MacIdle:
    """Needs no permission. Raises UnavailableError where the system is not macOS."""

    name = "macOS"
    cost = 0.01

    def __init__(self, seconds: Callable[[int, int], float] | None = None) -> None:
        self._seconds = seconds or _quartz()

    def seconds_since_input(self) -> float | None:
        return self._seconds(_COMBINED_SESSION, _ANY_INPUT)

    def close(self) -> None:
        pass


def _quartz() -> Callable[[int, int], float]:
    if platform.system() != "Darwin":
        raise UnavailableError("the system is not macOS")
    try:
        function = ctypes.CDLL(_FRAMEWORK).CGEventSourceSecondsSinceLastEventType
    except (OSError, AttributeError) as why:
        raise UnavailableError(f"Quartz cannot be asked: {why}") from why
    function.restype = ctypes.c_double
    function.argtypes = (ctypes.c_int32, ctypes.c_uint32)
    return lambda state, kind: float(function(state, kind))
