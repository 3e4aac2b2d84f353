"""The person's calendars: which are connected, what they say, and which of it counts."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from metaclaw_tray.admin.api.base import Consented, Row, Said, Verb


class CalendarRow(Row, frozen=True):
    """A calendar. Its address stays in the keyring."""

    name: str
    kind: Literal["ics", "file", "google"]
    host: str  # that is asked for it; "" for a file
    path: str = ""
    titles: bool = False  # of an account: whether more than busy times is read
    state: Literal["fresh", "old", "stale", "signed out", "failing"] = "fresh"
    read_at: datetime | None = None  # the last time that it answered
    events: int = 0  # of these weeks
    meetings: int = 0  # of those, the ones in which training may run
    skipped: int = 0  # that could not be read
    trouble: str = ""  # a sentence or two


class ListCalendars(Verb[list[CalendarRow]], frozen=True, tag="calendars.list"):
    """Nobody is asked for this."""


class ConnectIcs(Consented[CalendarRow], frozen=True, kw_only=True, tag="calendars.connect_ics"):
    """By its secret address, or from a file. It is read once before it is kept."""

    address: str = ""
    path: str = ""  # absolute
    name: str = ""  # "" for one that is free
    me: str = ""  # the person's own address in its invitations

    def __repr__(self) -> str:
        return f"ConnectIcs({self.name!r})"


class ConnectGoogle(Consented[CalendarRow], frozen=True, kw_only=True, tag="calendars.connect_google"):
    """A Google account, with the person's own client. Its steps begin with the page where they sign in."""

    client: str = ""  # the text of their client file
    client_file: str = ""  # or its whole path
    titles: bool = False
    name: str = ""

    def __repr__(self) -> str:
        return f"ConnectGoogle({self.name!r})"


class DisconnectCalendar(Verb[Said], frozen=True, kw_only=True, tag="calendars.disconnect"):
    """Forget its address or permission and all that it said, after a plain yes."""

    name: str
    yes: bool = False


class ReadCalendar(Verb[CalendarRow], frozen=True, tag="calendars.read"):
    """Read it now."""

    name: str


class EventRow(Row, frozen=True):
    """What a calendar says of a time, and whether it counts."""

    calendar: str
    begin: datetime
    end: datetime
    all_day: bool
    title: str  # "" where it is not known
    meeting: bool  # whether training may run in it
    why: str  # by which rule, in a sentence


class ListEvents(Verb[list[EventRow]], frozen=True, tag="calendars.events"):
    """From now on, in order, from what was read last."""

    days: int = 7
