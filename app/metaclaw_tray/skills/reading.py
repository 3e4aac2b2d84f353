"""Files of other people, opened so that nothing can hang or fill the memory."""

from __future__ import annotations

import os
import stat
from pathlib import Path

SKILL_BYTES = 256 * 1024
"""Of a SKILL.md, wherever it comes from: a larger file is no note to a model."""

_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}
_CAREFULLY = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a pipe without a writer would hold the opener for ever
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def read_plainly(path: Path, limit: int, called: str = "") -> bytes:
    """The bytes of a plain file. Raises OSError, and ValueError where it is a pipe, a socket, a device or a
    folder, or holds more than `limit` bytes; the words of the latter can be shown. `called`: what these call
    the file, where "its NAME" would not do."""
    called = called or f"its {path.name}"
    # Asked before opening: a device may act on being opened.
    _must_be_plain(path.stat().st_mode, called)
    descriptor = os.open(path, _CAREFULLY)
    with os.fdopen(descriptor, "rb") as file:
        _must_be_plain(os.fstat(descriptor).st_mode, called)
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ValueError(too_large(called, limit))
    return data


def too_large(called: str, limit: int = SKILL_BYTES) -> str:
    """Why a text is not taken, without an end."""
    return f"{called} is larger than {limit // 1024} KiB"


def _must_be_plain(mode: int, called: str) -> None:
    if not stat.S_ISREG(mode):
        raise ValueError(f"{called} is {_KINDS.get(stat.S_IFMT(mode), 'something else')}, not a file")
