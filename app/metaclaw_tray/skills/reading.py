"""Files of other people, opened so that nothing can hang or fill the memory."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_CAREFULLY = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)  # a pipe without a writer would hold the opener for ever
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


def read_plainly(path: Path, limit: int) -> bytes:
    """The bytes of a plain file. Raises OSError, and ValueError where it is a pipe, a socket, a device or a
    folder, or holds more than `limit` bytes; the words of the latter can be shown."""
    # Asked before opening: a device may act on being opened.
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError(f"its {path.name} is not a file")
    descriptor = os.open(path, _CAREFULLY)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(f"its {path.name} is not a file")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"its {path.name} is larger than {limit // 1024} KiB")
    return data
