from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from metaclaw_tray.files import changing, in_words, write_private


def test_a_file_is_replaced_whole_and_private(tmp_path: Path):
    path = tmp_path / "new" / "file"
    write_private(path, b"one")
    path.chmod(0o644)
    write_private(path, b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [each.name for each in path.parent.iterdir()] == ["file"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch, step: str):
    path = tmp_path / "file"
    write_private(path, b"one")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*((os, "fsync") if step == "fsync" else (Path, "replace")), refuse)
    with pytest.raises(OSError, match="No space left"):
        write_private(path, b"two")
    assert path.read_bytes() == b"one"
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_only_one_changes_a_file_at_a_time(tmp_path: Path):
    path, inside, rounds = tmp_path / "file", [], 20
    path.write_text("0")

    def count() -> None:
        for _ in range(rounds):
            with changing(path):
                inside.append(1)
                assert len(inside) == 1
                write_private(path, str(int(path.read_text()) + 1).encode())
                inside.pop()

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text() == str(4 * rounds)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "the disk is full"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EACCES, "this user has no permission"),
        (errno.ENOTDIR, "a part of its path is not a folder"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_the_systems_refusal_is_said_in_words(number: int, words: str):
    assert in_words(OSError(number, os.strerror(number))) == words
