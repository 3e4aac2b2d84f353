"""Between the app and its window: the same verbs as on the socket, on a pipe that nobody else has.

The window is a child of the app, so its pipe speaks for the person at the screen: a click there is a consent
of its own kind, and no other process of the user can claim to be it. These are the structs alone, so that the
window need not load a server to speak them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from metaclaw_tray.admin.protocol import Failed

Place = Literal["tray", "window"]
Topic = Literal["turns", "learning", "library", "status", "settings", "training"]


class Asked(msgspec.Struct, frozen=True, tag=True):
    """From the window: a verb, as JSON. `seen` is the text of a consent that the person has before them."""

    number: int
    verb: bytes
    place: Place = "window"
    seen: str | None = None


class Agreed(msgspec.Struct, frozen=True, tag=True):
    """From the window: what the person said to a sheet of a call."""

    number: int
    sheet: int
    yes: bool


class Dropped(msgspec.Struct, frozen=True, tag=True):
    """From the window: nobody waits for this answer any more."""

    number: int


class Leaving(msgspec.Struct, frozen=True, tag=True):
    """From the window: the person quits; `serve_on` keeps agents served without it."""

    serve_on: bool


class Renewing(msgspec.Struct, frozen=True, tag=True):
    """From the window: it ends now, to be started again at this page, such as in another language."""

    page: str


class Visible(msgspec.Struct, frozen=True, tag=True):
    """From the window: whether the person has it open, so that one that crashed comes back as it was."""

    open: bool


class Answered(msgspec.Struct, frozen=True, tag=True):
    """To the window: the answer, as JSON."""

    number: int
    value: bytes


class Refused(msgspec.Struct, frozen=True, tag=True):
    """To the window: there is no answer, and why."""

    number: int
    title: str
    detail: str
    remedy: str


class Told(msgspec.Struct, frozen=True, tag=True):
    """To the window: a step of a long verb."""

    number: int
    text: str


class Sheet(msgspec.Struct, frozen=True, tag=True):
    """To the window: show this text in full, and ask for a yes to the action."""

    number: int
    sheet: int
    action: str
    text: str


class News(msgspec.Struct, frozen=True, tag=True):
    """To the window: something of this kind changed; whoever shows it asks again."""

    topics: list[Topic]


class Show(msgspec.Struct, frozen=True, tag=True):
    """To the window: come to the front, at this page where one is named; or stay hidden behind the tray."""

    page: str = ""
    hidden: bool = False


ToWindow = Answered | Refused | Told | Sheet | News | Show
FromWindow = Asked | Agreed | Dropped | Leaving | Renewing | Visible


def refused(number: int, failed: Failed) -> Refused:
    """A failure as the window gets it."""
    return Refused(number, failed.title, failed.detail, failed.remedy)
