"""The layout of bars: one for each value, from zero, with a limit that may stand above them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metaclaw_tray.desktop.charts.geometry import Box, Scale, Tick, is_drawn, widened

_FILLED = 0.7  # of the room that each bar has
_WIDEST = 44.0  # pixels of a bar
_LEAST = 2.0  # pixels, of a value that is more than nothing


@dataclass(frozen=True)
class Bars:
    bars: tuple[Box, ...]
    y_ticks: tuple[Tick, ...]
    limit: float | None


def lay_bars(values: Sequence[float], box: Box, *, limit: float | None = None, y_wanted: int = 3) -> Bars:
    """Values below zero and what cannot be drawn count as nothing. A limit is always in sight."""
    known = [each if is_drawn(each) and each > 0 else 0.0 for each in values]
    top = max([*known, limit or 0.0, 0.0])
    _, high = widened(0.0, top or 1.0, y_wanted)
    up = Scale(0.0, high, box.bottom, box.y)
    room = box.width / max(1, len(known))
    width = min(_WIDEST, room * _FILLED)
    bars = []
    for place, value in enumerate(known):
        height = max(_LEAST, box.bottom - up.at(value)) if value else 0.0
        left = box.x + room * place + (room - width) / 2
        bars.append(Box(left, box.bottom - height, width, height))
    return Bars(tuple(bars), up.ticks(y_wanted), up.at(limit) if limit is not None else None)
