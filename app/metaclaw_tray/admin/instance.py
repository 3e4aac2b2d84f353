"""One app per home: a lock that dies with its holder, beside the socket."""

from __future__ import annotations

import os
import stat
import sys
import time
from pathlib import Path
from types import TracebackType

import psutil

from metaclaw_tray.errors import KnownError
from metaclaw_tray.files import in_words
from metaclaw_tray.paths import Paths

_LOOKS, _LOOK_SECONDS = 5, 0.02


class Instance:
    """Holds the home for this process: `with Instance.hold(paths): …`.

    The kernel frees the lock however the process ends, so a socket file that is left over is known to be
    stale once the lock is held.
    """

    def __init__(self, socket_file: Path, descriptor: int) -> None:
        self.socket_file = socket_file
        self._descriptor = descriptor

    @classmethod
    def hold(cls, paths: Paths) -> Instance:
        """Take the lock. Raises KnownError that names the process which has it."""
        folder = paths.socket_file.parent
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            _must_be_private(folder)
            lock_file = paths.socket_file.with_suffix(".lock")
            descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise KnownError(
                "The app cannot start",
                f"{folder}: {in_words(error)}.",
                "Give permission, or name another folder in METACLAW_TRAY_HOME.",
            ) from error
        if not _lock(descriptor):
            holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise KnownError(
                "The app is running already",
                f"{_described(holder)} has {paths.home}.",
                "Use that one (`metaclaw-tray status`), or end it first.",
            )
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        paths.socket_file.unlink(missing_ok=True)
        return cls(paths.socket_file, descriptor)

    def release(self) -> None:
        """Let the next one start. The files stay: removing a lock file would let two hold it."""
        if self._descriptor >= 0:
            self.socket_file.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Instance:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def is_held(paths: Paths) -> bool:
    """Whether an app has this home, though it may not listen yet, or not any more."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        descriptor = os.open(paths.socket_file.with_suffix(".lock"), os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _lock(descriptor: int) -> bool:
    """Take the lock. A command that looks whether it is held has it for a moment, which is waited out."""
    for left in reversed(range(_LOOKS)):
        if _locked(descriptor):
            return True
        if left:
            time.sleep(_LOOK_SECONDS)
    return False


def _locked(descriptor: int) -> bool:
    if sys.platform == "win32":
        raise KnownError("Not on Windows yet", "Commands need a Unix socket.", "")
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _must_be_private(folder: Path) -> None:
    """The folder may stand in a place where anybody can make one: it has to be ours, and closed."""
    facts = folder.lstat()
    if not stat.S_ISDIR(facts.st_mode) or facts.st_uid != os.getuid():
        raise KnownError(
            "The app cannot start",
            f"{folder} belongs to somebody else.",
            "Remove it, or name another folder in METACLAW_TRAY_HOME.",
        )
    if facts.st_mode & 0o077:
        folder.chmod(0o700)


def _described(pid: str) -> str:
    try:
        return f"{psutil.Process(int(pid)).name()} (process {pid})"
    except (ValueError, psutil.Error):
        return "Another process"
