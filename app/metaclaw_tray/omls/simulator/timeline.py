"""The hidden truth of a person's year, and its file: JSON lines, the person first.

    {"is":"person","kind":"office","begin":"2026-01-01T00:00:00Z","end":"2027-01-01T00:00:00Z",
     "zone":"Europe/Berlin","sleep":{"every":"23:00-07:00"}}
    {"is":"during","what":"input","begin":"2026-01-01T08:01:10Z","end":"2026-01-01T08:04:00Z"}

| line | says |
| --- | --- |
| person | who it is, from when to when, in which zone the year begins, and what they set |
| during | that something held from `begin` until before `end`; `what` is one of the words below |
| meeting | an event of the calendar, without buffers; `away`: whether they really were |
| message | a message to an agent at `at`; `by`: person, or agent (a timer, an agent on its own) |
| zone | from `at` on the machine has another time zone |
| step | at `at` the machine's clock was set, by so many seconds (forward is positive) |
| charge | from `at` on the battery has so many percent, until the next such line |
| load | from `at` on others use this share of the processors, until the next such line |

`during`: *input* (keys or mouse are used), *away* and *asleep* (the person; for reading, nothing senses it),
*locked* (the screen), *occupied* (a call or a film), *suspended* (the machine), *battery* (it runs on
battery), *offline*, *metered*. Moments are true time with an offset, whatever the machine's clock says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from metaclaw_tray.errors import KnownError
from metaclaw_tray.omls.hours import DAYS, EVERY, hours_of
from metaclaw_tray.omls.simulator.spans import Piece, Spans

What: TypeAlias = Literal[
    "input", "away", "asleep", "locked", "occupied", "suspended", "battery", "offline", "metered"
]
Moment: TypeAlias = Annotated[datetime, msgspec.Meta(tz=True)]
Minutes: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1440)]


class _Line(msgspec.Struct, frozen=True, tag_field="is", forbid_unknown_fields=True, omit_defaults=True):
    """Any line."""


class Person(_Line, frozen=True, tag="person"):
    """Who it is, and what they set; meanings as in the settings' section `schedule`."""

    kind: str
    begin: Moment
    end: Moment
    zone: str = "UTC"
    sleep: Mapping[str, str] = {}
    idle_minutes: Annotated[float, msgspec.Meta(ge=1, le=480)] = 15
    minimum_minutes: Annotated[float, msgspec.Meta(ge=1, le=480)] = 10
    meeting_begins_minutes: Minutes = 2
    meeting_ends_minutes: Minutes = 5
    on_battery: bool = False
    battery_percent: Annotated[float, msgspec.Meta(ge=0, le=100)] = 50
    on_metered: bool = False
    load_percent: Annotated[float, msgspec.Meta(ge=1, le=1000)] = 50
    local: bool = False


class During(_Line, frozen=True, tag="during"):
    what: What
    begin: Moment
    end: Moment


class Meeting(_Line, frozen=True, tag="meeting"):
    begin: Moment
    end: Moment
    away: bool = True


class Message(_Line, frozen=True, tag="message"):
    at: Moment
    by: Literal["person", "agent"] = "person"


class Zone(_Line, frozen=True, tag="zone"):
    at: Moment
    zone: str


class Step(_Line, frozen=True, tag="step"):
    at: Moment
    seconds: float


class Charge(_Line, frozen=True, tag="charge"):
    at: Moment
    percent: float


class Load(_Line, frozen=True, tag="load"):
    at: Moment
    share: float


Line: TypeAlias = Person | During | Meeting | Message | Zone | Step | Charge | Load


@dataclass(frozen=True)
class Timeline:
    """The same, to reckon with: moments are seconds since 1970. Charge, load, zones and the clock's error
    hold from their moment on; `events` are the calendar's, which may overlap."""

    person: Person
    during: Mapping[What, Spans]
    messages: tuple[float, ...] = ()
    by_agents: tuple[float, ...] = ()
    zones: tuple[tuple[float, tzinfo], ...] = ()
    errors: tuple[tuple[float, float], ...] = ()
    charge: tuple[tuple[float, float], ...] = ()
    load: tuple[tuple[float, float], ...] = ()
    events: tuple[Piece, ...] = ()

    @property
    def begin(self) -> float:
        return self.person.begin.timestamp()

    @property
    def end(self) -> float:
        return self.person.end.timestamp()


def timeline_of(lines: Iterable[Line]) -> Timeline:
    """What the lines say. Raises ValueError where that makes no sense."""
    first, *rest = lines
    if not isinstance(first, Person):
        raise ValueError(  # noqa: TRY004 (what a file says)
            "the first line must say who the person is"
        )
    _check(first)
    begin = first.begin.timestamp()
    during: dict[What, list[Piece]] = {what: [] for what in get_args(What)}
    meetings: list[Piece] = []
    zones, steps = [(begin, _zone(first.zone))], []
    messages: dict[str, list[float]] = {"person": [], "agent": []}
    charge, load = [(begin, 100.0)], [(begin, 0.0)]
    for line in rest:
        match line:
            case Person():
                raise ValueError("one person each file")
            case During():
                during[line.what].append(_piece(line))
            case Meeting():
                meetings.append(_piece(line))
            case Message():
                messages[line.by].append(line.at.timestamp())
            case Zone():
                zones.append((line.at.timestamp(), _zone(line.zone)))
            case Step():
                steps.append((line.at.timestamp(), line.seconds))
            case Charge():
                charge.append((line.at.timestamp(), line.percent))
            case Load():
                load.append((line.at.timestamp(), line.share))
    errors, error = [(begin, 0.0)], 0.0
    for at, seconds in sorted(steps):
        error += seconds
        errors.append((at, error))
    return Timeline(
        person=first,
        during={what: Spans(pieces) for what, pieces in during.items()},
        messages=tuple(sorted(messages["person"])),
        by_agents=tuple(sorted(messages["agent"])),
        zones=tuple(sorted(zones, key=lambda each: each[0])),
        errors=tuple(errors),
        charge=tuple(sorted(charge)),
        load=tuple(sorted(load)),
        events=tuple(sorted(meetings)),
    )


def read_timeline(file: Path) -> Timeline:
    """Raises KnownError with the line that cannot be used."""
    try:
        return timeline_of(_lines(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise KnownError("The file cannot be read", f"{file}: {error.strerror}.", "Name another.") from error
    except ValueError as error:
        raise KnownError(
            "The file is no timeline",
            f"{file}: {error}.",
            "`metaclaw-tray schedule simulate --format` describes it.",
        ) from error


def written(lines: Iterable[Line]) -> bytes:
    """The file."""
    encoder = msgspec.json.Encoder()
    return b"".join(encoder.encode(line) + b"\n" for line in lines)


def _lines(text: str) -> Iterator[Line]:
    decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
    found = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield decoder.decode(line)
        except msgspec.MsgspecError as error:
            raise ValueError(f"line {number}: {error}") from error
        found = True
    if not found:
        raise ValueError("it is empty")


def _check(person: Person) -> None:
    if person.end <= person.begin:
        raise ValueError("the person's time must have a length")
    for day, hours in person.sleep.items():
        if day not in (*DAYS, EVERY):
            raise ValueError(f"there is no day called {day}")
        hours_of(hours)


def _piece(line: During | Meeting) -> Piece:
    if line.end <= line.begin:
        raise ValueError(f"what begins at {line.begin.astimezone(UTC)} ends before")
    return line.begin.timestamp(), line.end.timestamp()


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"there is no time zone {name}") from error
