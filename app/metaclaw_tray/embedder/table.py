"""The known skills by their vectors, and which are nearest to a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from metaclaw_tray.embedder.frames import Known
from metaclaw_tray.embedder.generic import GENERIC
from metaclaw_tray.embedder.model import SIZE, Model
from metaclaw_tray.embedder.vectors import Digest, Vectors, digest_of

if TYPE_CHECKING:
    from metaclaw_tray.embedder.model import Matrix

_AT_ONCE = 8_192  # rows that are compared at once: they are kept at half the size they are compared at


class Table:
    """Skills, each with the vectors of its texts."""

    def __init__(self, model: Model, vectors: Vectors) -> None:
        self._model = model
        self._vectors = vectors
        self._generic: Matrix = model.encode(GENERIC).mean(axis=0)
        self._digests: dict[str, list[Digest]] = {}  # of each skill's texts
        self._names: list[str] = []
        self._starts = np.zeros(0, dtype=np.intp)  # the first row of each name
        self._rows = np.zeros((0, SIZE), dtype=np.float16)
        self._stale = False

    def __len__(self) -> int:
        return len(self._digests)

    def learn(self, come: Iterable[Known], gone: Iterable[str]) -> int:
        """Take in skills and let others go; gives how many texts had to be embedded."""
        for name in gone:
            self._digests.pop(name, None)
        texts: dict[Digest, str] = {}
        for skill in come:
            digests = [digest_of(text) for text in skill.texts]
            texts.update(zip(digests, skill.texts, strict=True))
            self._digests[skill.name] = digests
        missing = [digest for digest in texts if digest not in self._vectors]
        if missing:
            self._vectors.put(missing, self._model.encode([texts[digest] for digest in missing]))
        self._stale = True
        return len(missing)

    def keep(self) -> None:
        """Write the vectors in use to their file."""
        self._vectors.keep({digest for digests in self._digests.values() for digest in digests})

    def nearest(self, text: str, limit: int) -> list[tuple[str, float]]:
        """The skills nearest to a text, the nearest first, each with its likeness."""
        self._arrange()
        if not self._names or limit <= 0:
            return []
        asked = self._model.encode([text])[0]
        cosines = np.concatenate(
            [
                self._rows[at : at + _AT_ONCE].astype(np.float32) @ asked
                for at in range(0, len(self._rows), _AT_ONCE)
            ]
        )
        likeness = np.maximum.reduceat(cosines, self._starts) - float(self._generic @ asked)
        best = np.argsort(-likeness, kind="stable")[:limit]
        return [(self._names[place], round(float(likeness[place]), 4)) for place in best]

    def compare(self, texts: Sequence[str], others: Sequence[str]) -> list[float]:
        """The likeness of each text to the nearest of the others."""
        if not texts or not others:
            return [0.0] * len(texts)
        asked = self._model.encode(texts)
        cosines: Matrix = asked @ self._model.encode(others).T
        return [round(float(each), 4) for each in cosines.max(axis=1) - asked @ self._generic]

    def _arrange(self) -> None:
        """Lay the rows out, skill by skill, where something changed."""
        if not self._stale:
            return
        self._names = sorted(name for name, digests in self._digests.items() if digests)
        counts = [len(self._digests[name]) for name in self._names]
        self._starts = np.cumsum([0, *counts], dtype=np.intp)[:-1]
        self._rows = self._vectors.rows([digest for name in self._names for digest in self._digests[name]])
        self._stale = False
