"""Learning at rest, and starting at log-in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import click

from metaclaw_tray.admin.api import Said
from metaclaw_tray.admin.api.tray import Autostart, PauseLearning, ResumeLearning, SetAutostart, ShowAutostart
from metaclaw_tray.cli.asking import answer, json_option
from metaclaw_tray.cli.output import say
from metaclaw_tray.cli.reviewing import Duration
from metaclaw_tray.cli.running import learn


@learn.command("pause")
@click.option("--for", "span", type=Duration(), help="How long, as 30m or 4h; else until `learn resume`.")
@json_option
def learn_pause(span: timedelta | None, as_json: bool) -> None:
    """Let learning rest. Agents are served as before."""
    answer(PauseLearning(datetime.now(UTC) + span if span else None), as_json, _show)


@learn.command("resume")
@json_option
def learn_resume(as_json: bool) -> None:
    """Let learning go on."""
    answer(ResumeLearning(), as_json, _show)


@click.command()
@click.argument("wanted", type=click.Choice(["on", "off"]), required=False)
@json_option
def autostart(wanted: str | None, as_json: bool) -> None:
    """Start the tray when you log in: on, off, or nothing to see how it is."""
    if wanted is None:
        answer(ShowAutostart(), as_json, _show_autostart)
    else:
        answer(SetAutostart(wanted == "on"), as_json, _show)


def _show(said: Said) -> None:
    say(said.text)


def _show_autostart(row: Autostart) -> None:
    if row.why_not:
        say(f"It cannot be said: {row.why_not}")
    else:
        say(f"{'on' if row.on else 'off'} ({row.place})")


COMMANDS = [autostart]
