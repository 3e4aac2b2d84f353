"""The child that is the window: Qt's own loop, one bridge, the tray and the pages."""

from __future__ import annotations

import sys

from metaclaw_tray import logs
from metaclaw_tray.admin.window import FromWindow, ToWindow
from metaclaw_tray.child import ChildPipe, serve_child

NO_SCREEN = 3  # exit code; `runtime.window` says it in words


def child_main(args: list[str]) -> int:
    """Show the window until the app closes the pipe or the person leaves."""
    del args
    pipe: ChildPipe[ToWindow, FromWindow] = serve_child(ToWindow, FromWindow)
    logs.configure_child()
    from metaclaw_tray.desktop.screen import has_screen

    if not has_screen():
        return NO_SCREEN
    from metaclaw_tray.desktop.application import run
    from metaclaw_tray.desktop.lasting import make_none_last

    make_none_last()
    return run(pipe, sys.argv[:1])
