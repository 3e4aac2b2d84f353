"""The layout of a line with its band: values to points, outlines and ticks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from metaclaw_tray.desktop.charts.geometry import Box, Point, Scale, Tick, is_drawn, round_values, widened


class Value(NamedTuple):
    """One value at a place, with the range it is uncertain in."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None

    @property
    def known(self) -> bool:
        return is_drawn(self.x) and is_drawn(self.y)


@dataclass(frozen=True)
class Lines:
    places: tuple[Point | None, ...]  # of each value; None where it is not known
    runs: tuple[tuple[Point, ...], ...]  # of values in a row that are known: the line
    bands: tuple[tuple[Point, ...], ...]  # outlines around what is uncertain
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    limit: float | None  # where the line of a limit lies


def lay_lines(
    values: Sequence[Value],
    box: Box,
    *,
    from_zero: bool = False,
    limit: float | None = None,
    x_wanted: int = 5,
    y_wanted: int = 4,
) -> Lines:
    """Lay values out in a box. What cannot be drawn breaks the line. A limit is always in sight."""
    known = [each for each in values if each.known]
    if not known:
        return Lines((None,) * len(values), (), (), (), (), None)
    heights = [*_heights(known), *([0.0] if from_zero else []), *([limit] if limit is not None else [])]
    low, high = widened(min(heights), max(heights), y_wanted)
    across = Scale(min(each.x for each in known), max(each.x for each in known), box.x, box.right)
    up = Scale(low, high, box.bottom, box.y)
    places = tuple(Point(across.at(each.x), up.at(each.y)) if each.known else None for each in values)
    runs = list(_runs(values))
    return Lines(
        places=places,
        runs=tuple(tuple(place for at in run if (place := places[at]) is not None) for run in runs),
        bands=tuple(band for run in runs if (band := _band([values[at] for at in run], across, up))),
        x_ticks=tuple(
            Tick(across.at(value), value)
            for value in round_values(across.low, across.high, x_wanted, whole=True)
        ),
        y_ticks=up.ticks(y_wanted),
        limit=up.at(limit) if limit is not None else None,
    )


def _heights(values: Iterable[Value]) -> Iterable[float]:
    for each in values:
        yield each.y
        yield from (edge for edge in (each.low, each.high) if edge is not None and is_drawn(edge))


def _runs(values: Sequence[Value]) -> Iterable[list[int]]:
    run: list[int] = []
    for at, each in enumerate(values):
        if each.known:
            run.append(at)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _band(run: Sequence[Value], across: Scale, up: Scale) -> tuple[Point, ...]:
    """Along the upper edges and back along the lower ones; nothing where no value has both."""
    edged = [
        (across.at(each.x), up.at(each.low), up.at(each.high))
        for each in run
        if each.low is not None and each.high is not None and is_drawn(each.low) and is_drawn(each.high)
    ]
    if len(edged) < 2:
        return ()
    upper = [Point(x, high) for x, _, high in edged]
    return (*upper, *(Point(x, low) for x, low, _ in reversed(edged)))
