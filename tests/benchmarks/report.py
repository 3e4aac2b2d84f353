"""From many results to figures, and from figures to a table. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from msgspec import Struct

from benchmarks.jobs import Result

CellResults = Mapping[str, Sequence[Result]]  # by target; one result a round, in the order of the rounds
DIRECT, FORWARDER = "direct", "forwarder"


class Cell(Struct, frozen=True):
    """One kind of load."""

    name: str
    model: str
    connections: int
    rows: tuple[str, ...]  # which figures of it the table shows


_FIGURES: dict[str, tuple[str, Callable[[Result], float]]] = {
    "p50": ("ms", lambda r: r.whole.p50),
    "p99": ("ms", lambda r: r.whole.p99),
    "answers": ("/s", lambda r: r.rate),
    "first byte p50": ("ms", lambda r: r.first_byte.p50),
    "first byte p99": ("ms", lambda r: r.first_byte.p99),
    "chunk lag p50": ("ms", lambda r: r.lag.p50),
    "chunk lag p99": ("ms", lambda r: r.lag.p99),
}
_ALONE = ("p50", "p99", "answers")
_PACED = ("first byte p50", "first byte p99", "chunk lag p50", "chunk lag p99")
CELLS = [
    *(Cell(f"answers of 1.1 KB, {n} at a time", "json", n, _ALONE) for n in (1, 8, 64)),
    *(Cell(f"streams of 100 chunks at once, {n} at a time", "burst", n, ("answers",)) for n in (1, 8, 64)),
    Cell("8 streams, a chunk every 10 ms", "paced", 8, _PACED),
]


class Figure(Struct, frozen=True):
    """One figure of one cell for every target: medians over the rounds.

    `added` is the median of the differences to the direct path within a round (ms only); the shares are the
    medians of the quotients (answers a second only). They hold on a noisy machine where absolutes do not.
    """

    cell: str
    name: str
    unit: str
    value: dict[str, float]
    added: dict[str, float]
    of_direct: dict[str, float]
    of_forwarder: dict[str, float]


def figures(cells: Sequence[Cell], results: Mapping[str, CellResults]) -> list[Figure]:
    return [_figure(cell.name, name, results[cell.name]) for cell in cells for name in cell.rows]


def _figure(cell: str, name: str, results: CellResults) -> Figure:
    unit, read = _FIGURES[name]
    rounds = {target: [read(each) for each in some] for target, some in results.items()}

    def against(base: str, compare: Callable[[float, float], float]) -> dict[str, float]:
        return {
            target: median(compare(v, b) for v, b in zip(values, rounds[base], strict=True))
            for target, values in rounds.items()
            if target not in (DIRECT, base)
        }

    def share(value: float, base: float) -> float:
        return value / base if base else 0.0

    is_time = unit == "ms"
    return Figure(
        cell,
        name,
        unit,
        {target: median(values) for target, values in rounds.items()},
        added=against(DIRECT, lambda value, base: value - base) if is_time else {},
        of_direct={} if is_time else against(DIRECT, share),
        of_forwarder={} if is_time else against(FORWARDER, share),
    )


def table(some: Sequence[Figure], targets: Sequence[str]) -> str:
    """The figures as text: a block for each cell, a column for each target."""
    lines = [f"{'':34}" + "".join(f"{target:>13}" for target in targets)]
    cell = ""
    for figure in some:
        if figure.cell != cell:
            cell = figure.cell
            lines.append(cell)
        lines.append(_row(figure.name, figure.unit, figure.value, targets))
        if figure.added:
            lines.append(_row("  added", "ms", figure.added, targets))
        if figure.of_direct:
            lines.append(_row("  of direct", "×", figure.of_direct, targets))
            lines.append(_row("  of forwarder", "×", figure.of_forwarder, targets))
    return "\n".join(lines)


def _row(name: str, unit: str, values: Mapping[str, float], targets: Sequence[str]) -> str:
    digits = 0 if unit == "/s" else 2
    shown = (f"{values[t]:>13.{digits}f}" if t in values else " " * 13 for t in targets)
    return f"  {name:<26}{unit:>4}  " + "".join(shown)
