"""When training may run: now, next, and what was decided."""

from __future__ import annotations

from datetime import datetime

import click

from metaclaw_tray.admin import api
from metaclaw_tray.cli.asking import answer, json_option
from metaclaw_tray.cli.output import say
from metaclaw_tray.cli.simulating import simulate


@click.group()
def schedule() -> None:
    """When training may run: while you are away."""


@schedule.command()
@json_option
def status(as_json: bool) -> None:
    """What is decided now, and by what."""
    answer(api.ShowSchedule(), as_json, _show)


@schedule.command("next")
@json_option
def coming(as_json: bool) -> None:
    """The next window there will likely be."""
    answer(api.ShowSchedule(), as_json, lambda found: say(_next(found)))


@schedule.command()
@click.option("--limit", type=click.IntRange(1, 10_000), default=30, show_default=True)
@json_option
def log(limit: int, as_json: bool) -> None:
    """What was decided, and why, the latest last."""
    answer(api.ListScheduleEntries(limit=limit), as_json, _log)


@schedule.command()
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True)
@json_option
def windows(limit: int, as_json: bool) -> None:
    """The windows there were, the latest last."""
    answer(api.ListWindows(limit=limit), as_json, _windows)


def _show(found: api.Schedule) -> None:
    if found.state == "open" and found.window is not None:
        say(f"Training may run. {found.window.why_opened} Since {local(found.window.opened_at)}.")
    else:
        say(f"No training now. {found.why_not}")
    if found.state != "open" or found.next is not None:
        say(_next(found))
    for each in found.signals:
        mark = {"for": "+", "against": "-", "unknown": "?"}.get(each.stands, " ")
        say(f"  {mark} {each.says}")


def _next(found: api.Schedule) -> str:
    coming = found.next
    if coming is None:
        return "Nothing tells yet when the next window will be. Sleep hours and calendars would."
    until = f" to {local(coming.until)}" if coming.until is not None else ""
    likely = f", {coming.confidence:.0%} likely" if coming.confidence is not None else ""
    return f"Next window: {local(coming.at)}{until}{likely}. {coming.why}"


def _log(entries: list[api.ScheduleEntryRow]) -> None:
    if not entries:
        say("Nothing was decided yet.")
    for each in reversed(entries):
        say(f"{local(each.at)}  {'open  ' if each.open else 'closed'}  {each.words}")


def _windows(found: list[api.WindowRow]) -> None:
    if not found:
        say("There was no window yet.")
    for each in reversed(found):
        until = local(each.closed_at) if each.closed_at is not None else "now"
        closed = f" Closed: {each.why_closed}" if each.why_closed else ""
        say(f"{local(each.opened_at)} to {until}  {each.why_opened}{closed}{_trained(each)}")


def _trained(window: api.WindowRow) -> str:
    if not window.trained_minutes:
        return ""
    minutes = round(window.trained_minutes)
    spoken = {0: "less than a minute", 1: "a minute"}.get(minutes, f"{minutes} minutes")
    return f" Trained for {spoken}."


def local(moment: datetime) -> str:
    """By the clock on the wall, to the minute."""
    return f"{moment.astimezone():%a %Y-%m-%d %H:%M}"


schedule.add_command(simulate)

COMMANDS = [schedule]
