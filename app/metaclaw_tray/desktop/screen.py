"""Whether there is a screen to draw on. Qt would end the process with a fatal message of its own."""

from __future__ import annotations

import os
import sys


def has_screen() -> bool:
    """True where a window can be opened by what the environment says."""
    if os.environ.get("QT_QPA_PLATFORM", "").startswith(("offscreen", "minimal", "vnc")):
        return True
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
