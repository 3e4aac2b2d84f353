"""Calendars: connecting them, and what they say."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from metaclaw_tray.admin.api.calendars import (
    CalendarRow,
    ConnectGoogle,
    ConnectIcs,
    DisconnectCalendar,
    EventRow,
    ListCalendars,
    ListEvents,
    ReadCalendar,
)
from metaclaw_tray.cli.asking import answer, json_option, yes_option
from metaclaw_tray.cli.output import say, table
from metaclaw_tray.cli.scheduling import local


@click.group()
def calendar() -> None:
    """Your calendars: training may run while you are in a meeting."""


@calendar.group()
def connect() -> None:
    """Connect a calendar."""


_name = click.option("--name", default="", metavar="NAME", help="What to call it here.")


@connect.command()
@click.argument("source", metavar="ADDRESS|FILE|-")
@_name
@click.option("--me", default="", metavar="ADDRESS", help="Your own address in its invitations.")
@yes_option
@json_option
def ics(source: str, name: str, me: str, yes: bool, as_json: bool) -> None:
    """By its secret address, or from an .ics file. With -, the address is read from standard input, so that
    it stands in no history of commands."""
    if source == "-":
        source = _hidden()
    if "://" in source:
        verb = ConnectIcs(address=source, name=name, me=me, yes=yes)
    else:
        verb = ConnectIcs(path=str(Path(source).expanduser().absolute()), name=name, me=me, yes=yes)
    answer(verb, as_json, _connected)


@connect.command()
@click.option("--client-file", required=True, metavar="FILE", help="The client file that Google gave you.")
@click.option("--titles", is_flag=True, help="Read events with their titles too, not only busy times.")
@_name
@yes_option
@json_option
def google(client_file: str, titles: bool, name: str, yes: bool, as_json: bool) -> None:
    """A Google account, with a client of your own. Your browser opens for the sign-in."""
    file = str(Path(client_file).expanduser().absolute())
    answer(ConnectGoogle(client_file=file, titles=titles, name=name, yes=yes), as_json, _connected)


@calendar.command("list")
@json_option
def calendar_list(as_json: bool) -> None:
    """Each calendar, and how fresh it is."""
    answer(ListCalendars(), as_json, _list)


@calendar.command()
@click.argument("name")
@json_option
def test(name: str, as_json: bool) -> None:
    """Read it now."""
    answer(ReadCalendar(name), as_json, lambda row: _list([row]))


@calendar.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def disconnect(name: str, yes: bool, as_json: bool) -> None:
    """Forget a calendar, its address or permission, and all that it said."""
    answer(DisconnectCalendar(name=name, yes=yes), as_json, lambda done: say(done.text))


@calendar.command()
@click.option("--days", type=click.IntRange(1, 28), default=7, show_default=True)
@json_option
def events(days: int, as_json: bool) -> None:
    """What they say, and in which of it training may run, by which rule."""
    answer(ListEvents(days=days), as_json, _events)


def _hidden() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Secret address", hide_input=True)).strip()
    return sys.stdin.readline().strip()


def _connected(row: CalendarRow) -> None:
    say(f"The calendar {row.name} is connected: {_counted(row)}.")


def _counted(row: CalendarRow) -> str:
    skipped = f", {row.skipped} that could not be read" if row.skipped else ""
    events = "1 event" if row.events == 1 else f"{row.events} events"
    return f"{events} in these weeks, training may run in {row.meetings} of them{skipped}"


def _list(found: list[CalendarRow]) -> None:
    cells = [
        (row.name, row.host or row.path, row.state, local(row.read_at) if row.read_at else "-", _counted(row))
        for row in found
    ]
    empty = "None yet: `metaclaw-tray calendar connect ics ADDRESS`."
    say(table(["name", "from", "state", "read", "holds"], cells, empty=empty))
    for row in found:
        if row.trouble:
            say(f"{row.name}: {row.trouble}")


def _events(found: list[EventRow]) -> None:
    if not found:
        say("Your calendars say nothing of these days.")
    for row in found:
        mark = "+" if row.meeting else " "
        title = f"  {row.title}" if row.title else ""
        say(f"{mark} {local(row.begin)} to {local(row.end)}{title}  ({row.calendar}) {row.why}")


COMMANDS = [calendar]
