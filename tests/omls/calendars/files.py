"""Calendar files as programs write them, made here."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from metaclaw_tray.omls.calendars import ics

AMSTERDAM = ZoneInfo("Europe/Amsterdam")
BEGIN, END = datetime(2026, 10, 20, tzinfo=UTC), datetime(2026, 11, 20, tzinfo=UTC)


def event(*lines: str, uid: str = "1@here", title: str = "Plan") -> str:
    return "\n".join(["BEGIN:VEVENT", f"UID:{uid}", f"SUMMARY:{title}", *lines, "END:VEVENT"])


def calendar(*parts: str, head: str = "") -> bytes:
    text = "\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test", *filter(None, [head]), *parts])
    return (text + "\nEND:VCALENDAR\n").replace("\n", "\r\n").encode()


def read(content: bytes, zone: tzinfo = AMSTERDAM, me: str = "") -> ics.Contents:
    return ics.read(content, zone, BEGIN, END, me)


def times(content: bytes, zone: tzinfo = AMSTERDAM) -> list[str]:
    """When each event begins, by UTC."""
    return [f"{each.begin:%m-%d %H:%M}" for each in read(content, zone).events]
