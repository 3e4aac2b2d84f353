"""Plain words on a terminal."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TextIO

_WIDEST = 96


class Teller:
    """Writes what happens, wrapped to the terminal, as it happens."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._width = min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST)
        self._step = 0

    def step(self, title: str) -> None:
        """A new part of the story."""
        self._step += 1
        self._write(f"\n{self._step}. {title}\n")

    def say(self, text: str) -> None:
        for line in text.splitlines() or [""]:
            wrapped = textwrap.wrap(line, self._width - 3, break_long_words=False, break_on_hyphens=False)
            for each in wrapped or [""]:
                self._write(f"   {each}".rstrip() + "\n")

    def quote(self, who: str, text: str) -> None:
        """What somebody said."""
        self._write(
            textwrap.fill(
                text.strip() or "(nothing)",
                self._width,
                initial_indent=f"   {who:<8}» ",
                subsequent_indent=" " * 13,
                break_long_words=False,
                break_on_hyphens=False,
            )
            + "\n"
        )

    def verbatim(self, text: str) -> None:
        """Text that must not be wrapped, such as a diff."""
        for line in text.splitlines():
            self._write(f"   │ {line}".rstrip() + "\n")

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
        for row in (head, ["─" * width for width in widths], *rows):
            line = "  ".join(
                cell.ljust(width) if place == 0 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            self._write(f"   {line}".rstrip() + "\n")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
