"""A file that is still arriving.

Every source of a model delivers the same bytes in order, so the length of what lies on disk is all that has
to be remembered: after an interruption, and from one source to the next. The file gets its name only when
its whole hash was checked.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from metaclaw_tray.embedded.manifest import Model
from metaclaw_tray.errors import ModelError

SPARE_BYTES = 64 * 1024 * 1024  # left free on the disk, for everybody else


class SourceFailedError(Exception):
    """This source cannot deliver the model; another may. The text is a sentence for a person."""


class Partial:
    """`NAME.partial` in the folder of models, as long as the lock on it is held."""

    def __init__(self, path: Path, model: Model) -> None:
        self.path = path.with_name(path.name + ".partial")
        self._final = path
        self._model = model

    @property
    def complete(self) -> bool:
        """Whether all bytes have arrived; whether they are the right ones is for `finish` to say."""
        return self.size >= self._model.bytes

    @property
    def size(self) -> int:
        """Bytes that have arrived."""
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            return 0

    def truncate(self, size: int) -> None:
        """Forget what lies beyond `size` bytes."""
        if self.size > size:
            os.truncate(self.path, size)

    def discard(self) -> None:
        """Forget everything that has arrived."""
        self.path.unlink(missing_ok=True)

    def append(self, blocks: Iterable[bytes]) -> None:
        """Add bytes and bring them to the disk. What was written before a fault stays.

        Raises ModelError when the disk is full, SourceFailedError when more arrives than the model has.
        """
        room = self._model.bytes - self.size
        try:
            with self.path.open("ab") as file:
                for block in blocks:
                    room -= len(block)
                    if room < 0:
                        raise SourceFailedError("it sends more bytes than the model has")
                    file.write(block)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if error.errno in {errno.ENOSPC, errno.EDQUOT}:
                raise disk_full(self.path.parent, self._model.bytes - self.size) from error
            raise

    def require_room(self, extra: int = 0) -> None:
        """Raises ModelError unless the disk holds what is missing, and `extra` bytes for a while."""
        needed = self._model.bytes - self.size + extra + SPARE_BYTES
        if shutil.disk_usage(self.path.parent).free < needed:
            raise disk_full(self.path.parent, needed)

    def finish(self) -> Path:
        """Check the whole and give it its name. A file with another hash is removed: SourceFailedError."""
        with self.path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != self._model.sha256:
            self.discard()
            raise SourceFailedError(
                f"the whole file has the sha256 {found[:16]}… and not the pinned {self._model.sha256[:16]}…; "
                "nothing of it was kept"
            )
        self.path.replace(self._final)
        return self._final


def disk_full(folder: Path, needed: int) -> ModelError:
    """The error for a disk that cannot hold the model. What has arrived is kept."""
    return ModelError(
        "The disk is full",
        f"{folder} needs {gigabytes(needed)} more for the model",
        "Make room, or set METACLAW_TRAY_MODELS to a folder on another disk, and start again: what has "
        "arrived is kept.",
    )


def gigabytes(count: int) -> str:
    """A number of bytes as a person reads it."""
    return f"{count / 1e9:.2f} GB" if count >= 1e8 else f"{count / 1e6:.1f} MB"
