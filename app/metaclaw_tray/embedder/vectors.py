"""Vectors by the digest of their text, kept in a file between runs.

The file is derived: whatever is wrong with it, it is left out and written anew. It begins with the digest of
the weights, so a file of other weights is none. Half precision: on the labelled requests the likeness differs
in the fourth place.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from metaclaw_tray.embedder.model import DIGEST, SIZE
from metaclaw_tray.files import write_private

if TYPE_CHECKING:
    from metaclaw_tray.embedder.model import Matrix

log = logging.getLogger(__name__)

Digest = bytes
Halves = NDArray[np.float16]

_HEAD = b"vectors1" + DIGEST
_DIGEST_BYTES = 16
_RECORD = np.dtype([("digest", f"V{_DIGEST_BYTES}"), ("vector", "<f2", (SIZE,))])


def digest_of(text: str) -> Digest:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES).digest()


class Vectors:
    """What was embedded so far."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._by_digest: dict[Digest, Halves] = {}
        self._kept: set[Digest] = set()  # what the file holds
        self._read()

    def __contains__(self, digest: Digest) -> bool:
        return digest in self._by_digest

    def __len__(self) -> int:
        return len(self._by_digest)

    def put(self, digests: Sequence[Digest], vectors: Matrix) -> None:
        """Remember the rows of `vectors` under these digests."""
        self._by_digest.update(zip(digests, vectors.astype(np.float16), strict=True))

    def rows(self, digests: Sequence[Digest]) -> Halves:
        """The vectors of these digests, as rows. Raises KeyError for one that was never put."""
        if not digests:
            return np.zeros((0, SIZE), dtype=np.float16)
        return np.stack([self._by_digest[digest] for digest in digests])

    def keep(self, used: Collection[Digest]) -> None:
        """Forget all but these, and bring the file up to date. A file that cannot be written costs time
        later, no more."""
        self._by_digest = {digest: row for digest, row in self._by_digest.items() if digest in used}
        if self._by_digest.keys() == self._kept:
            return
        records = np.zeros(len(self._by_digest), dtype=_RECORD)
        for place, (digest, row) in enumerate(self._by_digest.items()):
            records[place] = (digest, row)
        try:
            write_private(self._file, _HEAD + records.tobytes())
        except OSError as error:
            log.warning("the vectors of skills were not kept error=%s", error)
            return
        self._kept = set(self._by_digest)

    def _read(self) -> None:
        try:
            data = self._file.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            log.warning("the vectors of skills cannot be read error=%s", error)
            return
        body = memoryview(data)[len(_HEAD) :]
        if not data.startswith(_HEAD) or len(body) % _RECORD.itemsize:
            log.info("the vectors of skills are of another model or broken, and made anew")
            return
        for record in np.frombuffer(body, dtype=_RECORD):
            if np.isfinite(record["vector"]).all():
                self._by_digest[record["digest"].tobytes()] = record["vector"].copy()
        self._kept = set(self._by_digest)
