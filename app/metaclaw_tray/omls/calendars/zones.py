"""Zones by the names that calendars give them.

Microsoft's programs write their own names ("W. Europe Standard Time"), the text of a menu ("(UTC+01:00)
Amsterdam, Berlin, Bern"), or one that a person made up. Where the file explains a name, its explanation
counts (icalendar has read it by then); these are for names that no file explains.
"""

from __future__ import annotations

import re
from datetime import timedelta, timezone, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

_OFFSET = re.compile(r"(?:UTC|GMT)\s*([+-−])\s*(\d{1,2})(?::?(\d{2}))?", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_][^,;()/&]*")


def zone_named(name: str) -> tzinfo | None:
    """The zone of this name, or None. A city in a list of cities will do; else an offset, which knows no
    summer time."""
    name = name.strip().strip('"').strip()
    found = _known(name)
    if found is not None:
        return found
    bare = re.sub(r"\([^)]*\)", "", name)
    for word in _WORDS.findall(bare):
        city = _cities().get(_folded(word))
        if city is not None:
            return ZoneInfo(city)
    if match := _OFFSET.search(name):
        sign, hours, minutes = match.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
        if offset < timedelta(hours=24):
            return timezone(offset if sign == "+" else -offset)
    return None


def _known(name: str) -> tzinfo | None:
    """By the database's own name, or Microsoft's for it."""
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    name = WINDOWS_TO_OLSON.get(name, name)
    parts = name.strip("/").split("/")
    for at in range(len(parts)):  # "/vendor.example/Europe/Amsterdam"
        candidate = "/".join(parts[at:])
        if candidate in _names():
            return ZoneInfo(candidate)
    return None


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones())


@cache
def _cities() -> dict[str, str]:
    """City, folded → its zone. Of two of a name the first by the alphabet."""
    cities: dict[str, str] = {}
    for name in sorted(_names()):
        area, _, city = name.rpartition("/")
        if area and not area.startswith(("Etc", "SystemV", "US", "posix", "right")):
            cities.setdefault(_folded(city), name)
    return cities


def _folded(word: str) -> str:
    return re.sub(r"[^a-z]", "", word.casefold())
