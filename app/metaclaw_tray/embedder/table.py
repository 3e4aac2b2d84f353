"""The known skills by their vectors, and which are nearest to a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from metaclaw_tray.embedder.frames import Known
from metaclaw_tray.embedder.generic import GENERIC
from metaclaw_tray.embedder.likeness import OF_SKILL, OF_TEXT
from metaclaw_tray.embedder.model import SIZE, Model
from metaclaw_tray.embedder.vectors import Digest, Halves, Vectors, digest_of

if TYPE_CHECKING:
    from metaclaw_tray.embedder.model import Matrix

_AT_ONCE = 8_192  # rows that are compared at once: they are kept at half the size they are compared at

_Sides: TypeAlias = tuple[list[Digest], list[Digest]]
"""A skill's texts by their digests: what it is for, and its phrases."""


class Table:
    """Skills, each with the vectors of its texts."""

    def __init__(self, model: Model, vectors: Vectors) -> None:
        self._model = model
        self._vectors = vectors
        self._generic: Matrix = model.encode(GENERIC)
        self._sides: dict[str, _Sides] = {}
        self._names: list[str] = []
        self._rows = _Rows(np.zeros((0, SIZE), dtype=np.float16), [])
        self._usual = np.zeros(0, dtype=np.float32)  # the mean nearness of each skill to generic texts
        self._stale = False

    def __len__(self) -> int:
        return len(self._sides)

    def learn(self, come: Iterable[Known], gone: Iterable[str]) -> int:
        """Take in skills and let others go; gives how many texts had to be embedded."""
        for name in gone:
            self._sides.pop(name, None)
        texts: dict[Digest, str] = {}
        for skill in come:
            self._sides[skill.name] = ([], [])
            for digests, side in zip(self._sides[skill.name], _sides_of(skill), strict=True):
                digests += map(digest_of, side)
                texts.update(zip(digests, side, strict=True))
        missing = [digest for digest in texts if digest not in self._vectors]
        if missing:
            self._vectors.put(missing, self._model.encode([texts[digest] for digest in missing]))
        self._stale = True
        return len(missing)

    def keep(self) -> None:
        """Write the vectors in use to their file."""
        self._vectors.keep({digest for sides in self._sides.values() for side in sides for digest in side})

    def nearest(self, text: str, limit: int) -> list[tuple[str, float]]:
        """The skills nearest to a text, the nearest first, each with its likeness."""
        self._arrange()
        if not self._names or limit <= 0:
            return []
        asked = self._model.encode([text])
        likeness = self._likeness(asked, self._rows, self._usual)[0]
        best = np.argsort(-likeness, kind="stable")[:limit]
        return [(self._names[place], round(float(likeness[place]), 4)) for place in best]

    def compare(self, texts: Sequence[str], skill: Known) -> list[float]:
        """The likeness of each text to a skill, known or not."""
        sides = _sides_of(skill)
        if not texts or not sides[0]:
            return [0.0] * len(texts)
        rows = _Rows(
            self._model.encode([*sides[0], *sides[1]]).astype(np.float16), [len(side) for side in sides]
        )
        likeness = self._likeness(self._model.encode(texts), rows, self._usual_of(rows))
        return [round(float(each), 4) for each in likeness[:, 0]]

    def _arrange(self) -> None:
        """Lay the rows out, skill by skill, where something changed."""
        if not self._stale:
            return
        self._names = sorted(name for name, sides in self._sides.items() if sides[0])
        sides = [side for name in self._names for side in self._sides[name]]
        rows = self._vectors.rows([digest for side in sides for digest in side])
        self._rows = _Rows(rows, [len(side) for side in sides])
        self._usual = self._usual_of(self._rows)
        self._stale = False

    def _likeness(self, asked: Matrix, rows: _Rows, usual: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of each text, as a row, to each skill."""
        common = (asked @ self._generic.T).mean(axis=1, keepdims=True)
        return np.asarray(rows.near(asked) - OF_TEXT * common - OF_SKILL * usual, dtype=np.float32)

    def _usual_of(self, rows: _Rows) -> NDArray[np.float32]:
        return np.asarray(rows.near(self._generic).mean(axis=0), dtype=np.float32)


class _Rows:
    """Vectors of skills one after the other, two runs of rows for each."""

    def __init__(self, rows: Halves, counts: Sequence[int]) -> None:
        """`counts` are the lengths of the runs, none of them empty."""
        self._rows = rows
        self._starts = np.cumsum([0, *counts], dtype=np.intp)[:-1]

    def near(self, asked: Matrix) -> NDArray[np.float32]:
        """For each text, as a row, and each skill half the cosine with the best of its one run, and half that
        of its other."""
        if not len(self._starts):
            return np.zeros((len(asked), 0), dtype=np.float32)
        cosines = np.concatenate(
            [
                asked @ self._rows[at : at + _AT_ONCE].astype(np.float32).T
                for at in range(0, len(self._rows), _AT_ONCE)
            ],
            axis=1,
        )
        best = np.maximum.reduceat(cosines, self._starts, axis=1)
        return np.asarray((best[:, 0::2] + best[:, 1::2]) / 2, dtype=np.float32)


def _sides_of(skill: Known) -> tuple[list[str], list[str]]:
    """Its texts of both kinds; where there is only one kind, that stands for the other too."""
    return skill.about or skill.phrases, skill.phrases or skill.about
