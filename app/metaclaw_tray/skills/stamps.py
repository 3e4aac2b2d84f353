"""Digests of files, read again only where somebody may have touched them."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

_SETTLED_NS = 2_000_000_000
"""Two writes may share a time of the file system's: what changed later than this ago may change unseen."""

_Stamp = tuple[int, ...]


class Stamps:
    """What the files of one skills folder held when they were last read, by what the file system says of them
    (device, inode, size, times). Only plain files in plain folders are remembered, never links."""

    def __init__(self, now_ns: Callable[[], int] = time.time_ns) -> None:
        self._now_ns = now_ns
        self._seen: dict[str, tuple[_Stamp, str]] = {}

    def digest(self, file: Path, read: Callable[[], bytes]) -> str:
        """The sha256 of what `read` gives for `folder/skill/file`, in hex; `read` is asked, and its errors
        are raised, unless the file stands as it stood when it was asked before."""
        name = file.parent.name
        now = self._now_ns()
        stamp = _stamp(file)
        known = self._seen.pop(name, None)
        if stamp is None or known is None or known[0] != stamp:
            known = stamp or (), hashlib.sha256(read()).hexdigest()
        if stamp is not None and max(stamp[-2:]) < now - _SETTLED_NS:
            self._seen[name] = known
        return known[1]


def _stamp(file: Path) -> _Stamp | None:
    try:
        folder, found = os.lstat(file.parent), os.lstat(file)
    except OSError:
        return None
    if not stat.S_ISDIR(folder.st_mode) or not stat.S_ISREG(found.st_mode):
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
