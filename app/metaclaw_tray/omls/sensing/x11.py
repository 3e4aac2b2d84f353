"""Idleness on X11, by the screen saver extension (MIT-SCREEN-SAVER 1.1, XScreenSaverQueryInfo)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping

from metaclaw_tray.omls.sensing.idle import UnavailableError


class X11Idle:
    """One connection to the display, which is asked and never listens.

    Args:
        environment: Where DISPLAY stands. A Wayland session has an X server too, but that one sees only what
            X programs are given, so it is not asked.

    Raises:
        UnavailableError: No display, no extension, or a Wayland session.
    """

    name = "X11"
    cost = 0.3

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        if environment.get("WAYLAND_DISPLAY") or environment.get("XDG_SESSION_TYPE") == "wayland":
            raise UnavailableError("the session is Wayland's")
        display = environment.get("DISPLAY")
        if not display:
            raise UnavailableError("no DISPLAY is set")
        from Xlib import error
        from Xlib.display import Display

        try:
            self._display = Display(display)
        except (error.DisplayError, error.XauthError, OSError) as why:
            raise UnavailableError(f"the display {display} does not answer: {why}") from why
        if not self._display.has_extension("MIT-SCREEN-SAVER"):
            self._display.close()
            raise UnavailableError("the display has no screen saver extension")
        self._root = self._display.screen().root

    def seconds_since_input(self) -> float | None:
        from Xlib import error

        try:
            return float(self._root.screensaver_query_info().idle) / 1000
        except (error.ConnectionClosedError, error.XError) as why:
            raise OSError(f"the display has gone: {why}") from why

    def close(self) -> None:
        from Xlib import error

        with contextlib.suppress(error.ConnectionClosedError, OSError):  # it may have gone by itself
            self._display.close()
