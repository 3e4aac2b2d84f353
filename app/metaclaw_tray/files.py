"""Small files that must be whole or absent, and private to the person."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path


def write_private(path: Path, data: bytes) -> None:
    """Replace `path` by `data` in one step, mode 0600: a reader sees the old bytes or the new.

    A symbolic link stays one; what it points to is replaced. Raises OSError, and the old file is intact then.
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f".{path.name}.{os.urandom(4).hex()}.new")
    try:
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    with contextlib.suppress(OSError):  # some file systems cannot sync a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextlib.contextmanager
def changing(path: Path) -> Iterator[None]:
    """Alone among our processes while a small file is read, changed and written again. Raises OSError."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def in_words(error: OSError) -> str:
    """Why the system refused, as a person would say it."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "the disk is full"
        case errno.EROFS:
            return "the disk is read-only"
        case errno.EACCES | errno.EPERM:
            return "this user has no permission"
        case errno.EISDIR:
            return "it is a folder, not a file"
        case errno.ENOTDIR:
            return "a part of its path is not a folder"
        case errno.EEXIST:
            return "there is a file where a folder belongs"
        case _:
            return error.strerror or str(error)
