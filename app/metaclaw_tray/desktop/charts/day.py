"""The layout of a day: stretches of time in lanes, the hours below, and now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import NamedTuple

from metaclaw_tray.desktop.charts.geometry import Box, Scale

_HOUR = timedelta(hours=1)
_LANE_GAP = 5.0
_LEAST = 3.0  # pixels, so that what took a moment is seen


class Stretch(NamedTuple):
    lane: int
    begin: datetime
    end: datetime


class Hour(NamedTuple):
    at: float
    moment: datetime


@dataclass(frozen=True)
class DayLayout:
    lanes: tuple[Box, ...]
    stretches: tuple[Box | None, ...]  # None: not of this day
    hours: tuple[Hour, ...]
    now: float | None


def lay_day(
    stretches: Sequence[Stretch],
    begin: datetime,
    end: datetime,
    box: Box,
    *,
    lanes: int,
    now: datetime | None = None,
    every: int = 3,
    zone: tzinfo | None = None,
) -> DayLayout:
    """Lay a day out from its first moment to its last; all moments are aware. An hour is marked where the
    clock on the wall (`zone`, or the system's) shows a multiple of `every`: a day may have 23 or 25."""
    begin, end = begin.astimezone(UTC), end.astimezone(UTC)  # in one zone, Python would count by the wall
    across = Scale(0.0, (end - begin).total_seconds(), box.x, box.right)
    height = (box.height - _LANE_GAP * (lanes - 1)) / max(1, lanes)
    rows = tuple(
        Box(box.x, box.y + place * (height + _LANE_GAP), box.width, height) for place in range(lanes)
    )

    def at(moment: datetime) -> float:
        return across.at((moment - begin).total_seconds())

    def placed(each: Stretch) -> Box | None:
        first, last = max(each.begin, begin), min(each.end, end)
        if last < first or first >= end:
            return None
        left, row = at(first), rows[each.lane]
        width = max(_LEAST, at(last) - left)
        return Box(min(left, box.right - width), row.y, width, row.height)

    return DayLayout(
        lanes=rows,
        stretches=tuple(placed(each) for each in stretches),
        hours=tuple(
            Hour(at(moment), moment)
            for moment in _moments(begin, end)
            if moment == end or _is_marked(moment.astimezone(zone), every)
        ),
        now=at(now) if now is not None and begin <= now <= end else None,
    )


def _moments(begin: datetime, end: datetime) -> list[datetime]:
    count = round((end - begin) / _HOUR)
    return [begin + _HOUR * place for place in range(count)] + [end]


def _is_marked(there: datetime, every: int) -> bool:
    return there.minute == 0 and there.hour % every == 0
