"""The kinds of load that are put on each target, and how far they are hoped to get."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

DIALECTS = ("chat", "messages", "responses")
SHORT, LONG = "8 KB", "100 KB"

_CPU = ("CPU an answer", "CPU of the scribe", "load on processor 0")
_JSON = ("p50", "p99", "answers", "with a skill", *_CPU)
_BURST = ("answers", *_CPU)
_PACED = ("first byte p50", "first byte p99", "chunk lag p50", "chunk lag p99")


class Cell(Struct, frozen=True):
    """One kind of load."""

    dialect: str
    size: str  # of the requests
    model: str
    connections: int
    rows: tuple[str, ...] = _JSON  # which figures of it are told

    @property
    def name(self) -> str:
        load = {
            "bench-json": "answers of 1.1 KB",
            "bench-burst": "streams of 100 chunks",
            "bench-paced": "streams with a chunk every 10 ms",
        }[self.model]
        return f"{self.dialect}, {self.size}: {load}, {self.connections} at a time"


class Goal(Struct, frozen=True):
    """What a figure of a cell should come to on every path through the app."""

    figure: str
    compared: str  # "value", "added" to the direct path, or as a share "of_forwarder"
    bound: float
    at_least: bool

    def met(self, value: float) -> bool:
        return value >= self.bound if self.at_least else value < self.bound


_SHARE = Goal("answers", "of_forwarder", 0.6, True)
_GOALS = {
    ("bench-json", 1): [Goal("answers", "value", 1200, True), Goal("p50", "added", 0.6, False), _SHARE],
    ("bench-json", 64): [Goal("answers", "value", 2500, True), _SHARE],
    ("bench-paced", 8): [Goal("first byte p50", "added", 1.0, False)],
}


def goals(cell: Cell) -> list[Goal]:
    """The goals of a cell."""
    if cell.model == "bench-burst":
        return [Goal("answers", "value", 800, True), _SHARE]
    return _GOALS.get((cell.model, cell.connections), [_SHARE])


def cells(dialects: Sequence[str] = DIALECTS, sizes: Sequence[str] = (SHORT, LONG)) -> list[Cell]:
    """All kinds of load, of these dialects and sizes."""
    return [
        cell
        for dialect in dialects
        for size in sizes
        for cell in (
            *(Cell(dialect, size, "bench-json", n) for n in (1, 8, 64)),
            *(Cell(dialect, size, "bench-burst", n, _BURST) for n in (1, 64)),
            Cell(dialect, size, "bench-paced", 8, _PACED),
        )
    ]


def few_cells() -> list[Cell]:
    """Enough for a run that only shows that all works."""
    paced = Cell("chat", SHORT, "bench-paced", 8, _PACED)
    at_once = [Cell(dialect, SHORT, "bench-json", 1) for dialect in DIALECTS]
    return [paced, *at_once, *(Cell(dialect, LONG, "bench-burst", 8, _BURST) for dialect in DIALECTS)]
