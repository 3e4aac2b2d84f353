"""The window of the app."""

from __future__ import annotations

from metaclaw_tray.admin.api.base import Said, Verb


class ShowWindow(Verb[Said], frozen=True, tag="window.show"):
    """Bring the window to the front, at a page where one is named; open one where there is none."""

    page: str = ""
    hidden: bool = False  # only see to it that the tray is there
