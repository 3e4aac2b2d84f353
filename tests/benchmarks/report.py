"""From many samples to figures, and from figures to a table. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median

from msgspec import Struct

from benchmarks.cells import Cell, goals
from benchmarks.jobs import Result

DIRECT, FORWARDER = "direct", "forwarder"
LOAD = "load on processor 0"


class Sample(Struct, frozen=True):
    """One load on one target."""

    result: Result
    busy: dict[str, float]  # CPU seconds that each process took for it, by role

    def cpu(self, roles: Sequence[str]) -> float:
        """CPU milliseconds per answer of the processes in these roles; 0 where the path has none."""
        seconds = sum(self.busy.get(role, 0.0) for role in roles)
        return 1000 * seconds / self.result.answers if self.result.answers else 0.0


class _Quantity(Struct, frozen=True):
    unit: str
    read: Callable[[Sample], float]
    compared: str  # how targets are compared: "added" to the direct path, or as a "share" of what others have


_QUANTITIES = {
    "p50": _Quantity("ms", lambda s: s.result.whole.p50, "added"),
    "p99": _Quantity("ms", lambda s: s.result.whole.p99, "added"),
    "answers": _Quantity("/s", lambda s: s.result.rate, "share"),
    "first byte p50": _Quantity("ms", lambda s: s.result.first_byte.p50, "added"),
    "first byte p99": _Quantity("ms", lambda s: s.result.first_byte.p99, "added"),
    "chunk lag p50": _Quantity("ms", lambda s: s.result.lag.p50, "added"),
    "chunk lag p99": _Quantity("ms", lambda s: s.result.lag.p99, "added"),
    "with a skill": _Quantity("%", lambda s: 100 * s.result.injected / max(s.result.answers, 1), ""),
    "CPU an answer": _Quantity("ms", lambda s: s.cpu(("forwarder", "main")), ""),
    "CPU of the scribe": _Quantity("ms", lambda s: s.cpu(("scribe",)), ""),
    # Near 100 the load client and the model are the limit, and not what stands between them.
    LOAD: _Quantity("%", lambda s: 100 * s.busy.get("load", 0.0) / s.result.seconds, ""),
}

CellSamples = Mapping[str, Sequence[Sample]]
"""By target, one a round, in the order of the rounds. Targets that do not serve the dialect are not in it."""


class Figure(Struct, frozen=True):
    """One figure of one cell for every target that answered in it: medians over the rounds.

    `added` is the median of the differences to the direct path within a round; the shares are the medians of
    the quotients. They, and CPU times, hold on a noisy machine where absolute times do not.
    """

    cell: str
    name: str
    unit: str
    value: dict[str, float]
    added: dict[str, float]
    of_direct: dict[str, float]
    of_forwarder: dict[str, float]


def figures(cells: Sequence[Cell], samples: Mapping[str, CellSamples]) -> list[Figure]:
    return [_figure(cell.name, name, samples[cell.name]) for cell in cells for name in cell.rows]


def _figure(cell: str, name: str, samples: CellSamples) -> Figure:
    quantity = _QUANTITIES[name]
    rounds = {
        target: [quantity.read(each) for each in some]
        for target, some in samples.items()
        if all(each.result.answers for each in some)
    }

    def against(base: str, compare: Callable[[float, float], float]) -> dict[str, float]:
        return {
            target: median(compare(v, b) for v, b in zip(values, rounds[base], strict=True))
            for target, values in rounds.items()
            if base in rounds and target not in (DIRECT, base)
        }

    def share(value: float, base: float) -> float:
        return value / base if base else 0.0

    shared = quantity.compared == "share"
    return Figure(
        cell,
        name,
        quantity.unit,
        {target: median(values) for target, values in rounds.items()},
        added=against(DIRECT, lambda value, base: value - base) if quantity.compared == "added" else {},
        of_direct=against(DIRECT, share) if shared else {},
        of_forwarder=against(FORWARDER, share) if shared else {},
    )


class Judged(Struct, frozen=True):
    """What was hoped for, beside what came."""

    what: str
    value: dict[str, float]  # by target
    met: bool


def judged(cells: Sequence[Cell], some: Sequence[Figure], targets: Sequence[str]) -> list[Judged]:
    """The goals of the cells, for those of the targets that serve them."""
    by_name = {(figure.cell, figure.name): figure for figure in some}
    found = []
    for cell in cells:
        for goal in goals(cell):
            figure = by_name[cell.name, goal.figure]
            values: dict[str, float] = getattr(figure, goal.compared)
            reached = {target: values[target] for target in targets if target in values}
            bound = f"{'at least' if goal.at_least else 'under'} {goal.bound:g}"
            what = {
                "value": figure.unit,
                "added": f"{figure.unit} added",
                "of_forwarder": "of the forwarder's",
            }
            if reached:
                name = f"{cell.name}: {goal.figure} {bound} {what[goal.compared]}"
                found.append(Judged(name, reached, all(map(goal.met, reached.values()))))
    return found


def table(some: Sequence[Figure], targets: Sequence[str]) -> str:
    """The figures as text: a block for each cell, a column for each target."""
    lines = [f"{'':34}" + "".join(f"{target:>13}" for target in targets)]
    cell = ""
    for figure in some:
        if figure.cell != cell:
            cell = figure.cell
            lines.append(cell)
        lines.append(_row(figure.name, figure.unit, figure.value, targets))
        for name, unit, values in (
            ("  added", figure.unit, figure.added),
            ("  of direct", "×", figure.of_direct),
            ("  of forwarder", "×", figure.of_forwarder),
        ):
            if values:
                lines.append(_row(name, unit, values, targets))
    return "\n".join(lines)


def _row(name: str, unit: str, values: Mapping[str, float], targets: Sequence[str]) -> str:
    digits = 0 if unit in ("/s", "%") else 2
    shown = (f"{values[t]:>13.{digits}f}" if t in values else " " * 13 for t in targets)
    return f"  {name:<26}{unit:>4}  " + "".join(shown)
