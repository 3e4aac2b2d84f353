"""Files that nobody touched are not read again, and any touch is seen."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from metaclaw_tray.skills.stamps import Stamps

LATER = 10_000_000_000  # nanoseconds


class House:
    """A file, and a count of how often it was read."""

    def __init__(self, folder: Path, late: int = LATER) -> None:
        self.file = folder / "one" / "SKILL.md"
        self.file.parent.mkdir()
        self.file.write_bytes(b"first")
        self.reads = 0
        self._stamps = Stamps(lambda: time.time_ns() + late)

    def digest(self) -> str:
        return self._stamps.digest(self.file, self._read)

    def _read(self) -> bytes:
        self.reads += 1
        return self.file.read_bytes()


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_untouched_file_is_read_once(house: House) -> None:
    assert house.digest() == house.digest() == hashlib.sha256(b"first").hexdigest()
    assert house.reads == 1


def in_place(file: Path) -> None:
    file.write_bytes(b"other")


def with_its_old_times(file: Path) -> None:
    before = file.stat()
    file.write_bytes(b"other")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def by_another_file(file: Path) -> None:
    other = file.with_name("other")
    other.write_bytes(b"other")
    other.replace(file)


def by_another_folder(file: Path) -> None:
    file.parent.rename(file.parent.with_name("old"))
    file.parent.mkdir()
    file.write_bytes(b"other")


@pytest.mark.parametrize("touch", [in_place, with_its_old_times, by_another_file, by_another_folder])
def test_touched_file_is_read_again(house: House, touch: Callable[[Path], None]) -> None:
    house.digest()
    touch(house.file)
    assert house.digest() == hashlib.sha256(b"other").hexdigest()


def test_file_written_a_moment_ago_is_read_again_for_it_may_change_unseen(tmp_path: Path) -> None:
    house = House(tmp_path, late=0)
    house.digest()
    house.digest()
    assert house.reads == 2


def test_link_is_never_remembered(house: House) -> None:
    real = house.file.with_name("real")
    house.file.rename(real)
    house.file.symlink_to(real)
    house.digest()
    house.digest()
    assert house.reads == 2


def test_file_that_is_gone_raises_and_is_forgotten(house: House) -> None:
    house.digest()
    house.file.unlink()
    with pytest.raises(FileNotFoundError):
        house.digest()
