"""What is written: plain words and tables on a terminal, JSON for scripts."""

from __future__ import annotations

import difflib
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any

import click
import msgspec

_GAP = "  "
_MARKED = " | "  # between two texts side by side
_NARROWEST = 16  # columns that the last cell of a table keeps on a narrow terminal


def say(text: str = "") -> None:
    """A line, or lines, for the person."""
    click.echo(plain(text))


def note(text: str) -> None:
    """A remark beside the answer: on standard error."""
    click.echo(plain(text), err=True)


def say_json(value: Any) -> None:
    """An answer for scripts."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2))


def plain(text: str) -> str:
    """The text as it is, with all that could hide or forge something on a terminal made visible.

    Models wrote some of it: escape sequences, direction marks and zero-width letters must not decide what a
    person sees before a yes.
    """
    return "".join(letter if _visible(letter) else f"\\u{{{ord(letter):x}}}" for letter in text)


def table(headers: Sequence[str], rows: Iterable[Sequence[Any]], *, empty: str) -> str:
    """Columns as wide as they need; the last wraps to the terminal, or runs on where there is none."""
    cells = [[shown(cell) for cell in row] for row in rows]
    if not cells:
        return empty
    widths = [max(width(row[index]) for row in [list(headers), *cells]) for index in range(len(headers))]
    left = sum(widths[:-1]) + len(_GAP) * (len(headers) - 1)
    room = max(_NARROWEST, columns() - left) if sys.stdout.isatty() else 10_000
    lines: list[str] = []
    for row in [[header.upper() for header in headers], *cells]:
        wrapped = textwrap.wrap(row[-1], room) or [""]
        front = [cell + " " * (widths[index] - width(cell)) for index, cell in enumerate(row[:-1])]
        lines.append(_GAP.join([*front, wrapped[0]]).rstrip())
        lines += [" " * left + more for more in wrapped[1:]]
    return "\n".join(lines)


def pairs(rows: Iterable[tuple[str, Any]]) -> str:
    """Names and values, one below the other."""
    listed = [(name, shown(value)) for name, value in rows]
    longest = max(width(name) for name, _ in listed)
    return "\n".join(f"{name:<{longest}}{_GAP}{value}".rstrip() for name, value in listed)


def side_by_side(old: str, new: str, labels: tuple[str, str], room: int) -> str:
    """Two texts next to each other, wrapped to their halves; a mark between them where they differ."""
    half = max(_NARROWEST, (room - len(_MARKED)) // 2)
    left, right = plain(old).splitlines(), plain(new).splitlines()
    rows = [_beside([labels[0]], [labels[1]], " ", half), _beside(["-" * half], ["-" * half], " ", half)]
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    for kind, from_left, to_left, from_right, to_right in matcher.get_opcodes():
        pieces = zip_longest(left[from_left:to_left], right[from_right:to_right], fillvalue="")
        for one, other in pieces:
            mark = " " if kind == "equal" else "<" if not other else ">" if not one else "|"
            rows.append(_beside(_wrapped(one, half), _wrapped(other, half), mark, half))
    return "\n".join(rows)


def _beside(left: Sequence[str], right: Sequence[str], mark: str, half: int) -> str:
    lines = zip_longest(left, right, fillvalue="")
    return "\n".join(f"{one}{' ' * (half - width(one))} {mark} {other}".rstrip() for one, other in lines)


def _wrapped(line: str, room: int) -> list[str]:
    """A line cut to columns; letters of East Asian scripts take two."""
    pieces, piece = [], ""
    for letter in line.expandtabs(4):
        if width(piece + letter) > room:
            pieces.append(piece)
            piece = ""
        piece += letter
    return [*pieces, piece]


def shown(value: Any) -> str:
    """A value in a cell: on one line, times in the person's own zone."""
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4f}".rstrip("0").rstrip(".") or "0"
        case datetime():
            return value.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        case list() | tuple():
            return ", ".join(shown(item) for item in value) or "-"
        case _:
            return plain(" ".join(str(value).split()))


def columns() -> int:
    """The width of the terminal."""
    return shutil.get_terminal_size((100, 24)).columns


def width(text: str) -> int:
    """Columns that a text takes: letters of East Asian scripts take two, combining marks none."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _visible(letter: str) -> bool:
    # Cc: control, Cf: format (direction marks, zero width, tags), Zl and Zp: line breaks of Unicode's own.
    return letter in "\n\t" or unicodedata.category(letter) not in ("Cc", "Cf", "Zl", "Zp", "Cs")
