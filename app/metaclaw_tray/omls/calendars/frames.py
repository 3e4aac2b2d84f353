"""What is said to the child that reads calendars, and what it answers: one question, one answer, the end."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

import msgspec
from msgspec import field

from metaclaw_tray.omls.calendars.events import Event

Trouble = Literal["away", "refused", "signed out", "busy", "broken", "missing", "declined"]
"""away: nobody answered; refused: the address or the permission no longer counts; signed out: the person has
to sign in again; busy: asked too often; broken: what came is no calendar; missing: a part of this program is
not installed; declined: the person did not sign in."""


class ReadIcs(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Read a calendar by its secret address, or from a file. `etag` and `modified` are what came with what is
    kept; "" to have it whole."""

    address: str = ""
    path: str = ""
    etag: str = ""
    modified: str = ""
    zone: str  # of the place, for times without one
    begin: datetime
    end: datetime
    me: str = ""  # the person's address in invitations


class ReadGoogle(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Read calendars of a Google account. `tokens`: how far each was read before; {} to have all of it."""

    account: str  # google.Account as JSON, from the vault
    ids: list[str]
    titles: bool
    tokens: dict[str, str] = field(default_factory=dict)
    zone: str
    begin: datetime
    end: datetime


class SignIn(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Have the person sign in at Google, in their browser."""

    client: str  # the text of their client file
    titles: bool
    seconds: float = 300.0


class SignOut(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Let Google forget what it granted."""

    account: str


class Unchanged(msgspec.Struct, frozen=True, tag=True):
    """What is kept is still right."""


class Found(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What the calendar says."""

    events: list[Event]
    whole: bool = True  # whether these are all there are; else they replace those of the same uid
    gone: list[str] = field(default_factory=list)  # uids of those that are no more
    skipped: int = 0  # events that could not be read
    etag: str = ""
    modified: str = ""
    tokens: dict[str, str] = field(default_factory=dict)
    account: str = ""  # where the vault has to keep another one from now on


class SignInAt(msgspec.Struct, frozen=True, tag=True):
    """The page where the person signs in; their browser was asked to open it."""

    url: str


class SignedIn(msgspec.Struct, frozen=True, tag=True):
    account: str


class SignedOut(msgspec.Struct, frozen=True, tag=True):
    pass


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """It could not be done; the words name no address but the host."""

    trouble: Trouble
    detail: str
    remedy: str = ""
    after: float = 0.0  # seconds until which nobody should ask again, where the other side said so


ToCalendar: TypeAlias = ReadIcs | ReadGoogle | SignIn | SignOut
FromCalendar: TypeAlias = Unchanged | Found | SignInAt | SignedIn | SignedOut | Failed


class FailedError(Exception):
    """Ends the work of the child; `failed` is its answer."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.detail)
        self.failed = failed


def failure(trouble: Trouble, detail: str, remedy: str = "", after: float = 0.0) -> FailedError:
    """What to raise."""
    return FailedError(Failed(trouble=trouble, detail=detail, remedy=remedy, after=after))
