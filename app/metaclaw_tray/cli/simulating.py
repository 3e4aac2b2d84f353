"""A year of a person through the scheduler, in seconds: nothing of it touches the running app."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from metaclaw_tray.cli.asking import json_option
from metaclaw_tray.cli.output import note, say, say_json, table
from metaclaw_tray.errors import KnownError
from metaclaw_tray.omls.simulator import KINDS

if TYPE_CHECKING:  # loaded when it is used: every command would wait for it
    from metaclaw_tray.omls.simulator.figures import Figures

_HEADERS = (
    "person", "days", "wrong s", "late s", "allowed h", "used", "starts", "too short", "hasty", "as expected",
    "minimum said", "minimum was", "refusals",
)  # fmt: skip


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--person", "kinds", multiple=True, type=click.Choice([*KINDS, "all"]), help="Make one up.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another one of that kind.")
@click.option("--days", type=click.IntRange(1, 3660), default=365, show_default=True)
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="Keep who it is.")
@click.option("--format", "describe", is_flag=True, help="Describe the file.")
@json_option
def simulate(
    file: Path | None,
    kinds: tuple[str, ...],
    seed: int,
    days: int,
    write: Path | None,
    describe: bool,
    as_json: bool,
) -> None:
    """What the scheduler would make of somebody's year.

    It is the scheduler's own decision that runs, on a clock of its own; what it may do is reckoned apart
    from it, by the truth of the file. `wrong` are seconds of training with the person there, past 5 seconds;
    `late` are those after the network, a load or a call changed, which are asked about each 5 or 10 seconds.
    """
    if describe:
        from metaclaw_tray.omls.simulator import timeline

        say(timeline.__doc__ or "")
        return
    if (file is None) == (not kinds):
        raise KnownError(
            "Nobody to simulate",
            "Name a file, or make somebody up.",
            f"There are {', '.join(KINDS)}, and all.",
        )
    found = [_of(file)] if file is not None else _made_up(kinds, seed, days, write)
    if as_json:
        say_json(found)
        return
    say(table(_HEADERS, [_row(each) for each in found], empty=""))


def _of(file: Path) -> Figures:
    from metaclaw_tray.omls.simulator.figures import simulate
    from metaclaw_tray.omls.simulator.timeline import read_timeline

    return simulate(read_timeline(file))


def _made_up(kinds: tuple[str, ...], seed: int, days: int, write: Path | None) -> list[Figures]:
    from metaclaw_tray.omls.simulator.figures import simulate
    from metaclaw_tray.omls.simulator.people import person
    from metaclaw_tray.omls.simulator.timeline import timeline_of, written

    chosen = list(KINDS) if "all" in kinds else list(dict.fromkeys(kinds))
    if write is not None and len(chosen) > 1:
        raise KnownError("One file holds one person", f"{len(chosen)} were asked for.", "Name one kind.")
    found = []
    for kind in chosen:
        lines = person(kind, seed, days)
        if write is not None:
            _keep(write, written(lines))
        found.append(simulate(timeline_of(lines)))
    return found


def _keep(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise KnownError(
            "The file cannot be written", f"{file}: {error.strerror}.", "Name another."
        ) from error
    note(f"Kept in {file}.")


def _row(each: Figures) -> list[str]:
    return [
        each.kind,
        f"{each.days:.0f}",
        f"{each.wrong_seconds:.1f}",
        f"{each.late_seconds:.1f}",
        f"{each.owed_hours:.0f}",
        _percent(each.used_share),
        str(each.starts),
        str(each.early_ends),
        str(each.hasty_starts),
        _percent(each.expected_reached),
        _percent(each.minimum_said),
        _percent(each.minimum_reached),
        ", ".join(f"{count} {name}" for name, count in each.refusals.items()) or "none",
    ]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
