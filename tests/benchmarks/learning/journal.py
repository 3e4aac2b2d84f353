"""What is done already, on disk: a run that was killed goes on where it was, or tells what it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")


class _Line(msgspec.Struct, frozen=True):
    key: str
    value: msgspec.Raw


class Journal:
    """Steps by name, each with what came of it; a line of JSON each, written before the next one begins."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, msgspec.Raw] = {}
        for line in file.read_bytes().splitlines() if file.exists() else ():
            try:
                found = msgspec.json.decode(line, type=_Line)
            except msgspec.DecodeError:
                continue  # the run was killed while it wrote this one, so the step is done again
            self._known[found.key] = found.value

    def once(self, key: str, kind: type[T], work: Callable[[], T]) -> T:
        """What `work` gave the first time this step was done, in this run or an earlier one."""
        if key in self._known:
            return msgspec.json.decode(self._known[key], type=kind)
        value = work()
        encoded = msgspec.json.encode(value)
        with self._file.open("ab") as file:
            # The line break goes first, so that what a kill left unfinished does not spoil this one.
            file.write(b"\n" + msgspec.json.encode(_Line(key, msgspec.Raw(encoded))) + b"\n")
        self._known[key] = msgspec.Raw(encoded)
        return value

    def get(self, key: str, kind: type[T]) -> T | None:
        """What came of a step; None where it is not done."""
        return msgspec.json.decode(self._known[key], type=kind) if key in self._known else None

    def under(self, folder: str, kind: type[T]) -> Iterator[T]:
        """What came of the steps `folder/1`, `folder/2` … in the order of their numbers."""
        numbers = [key.removeprefix(f"{folder}/") for key in self._known if key.startswith(f"{folder}/")]
        for number in sorted(map(int, filter(str.isdecimal, numbers))):
            yield msgspec.json.decode(self._known[f"{folder}/{number}"], type=kind)
