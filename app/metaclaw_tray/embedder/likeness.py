"""How near a text and a skill are, as one number, and from where on that number says something.

The cosine of the text with what says best what the skill is for, and that with the best of its phrases, each
count half: by chance a text is near to one of the two, hardly to both. From that goes what either has in
common with things that anybody may say (`generic.py`), as in z- and t-norms of speaker verification: what is
near to everything is near to nothing, and a number means the same in a library of one skill and of thousands.

The bounds were tuned on `tests/embedder/tuning.jsonl` and `tests/skills/labelled/dev.jsonl`, with the model
that `model.py` pins; `python -m benchmarks.retrieval` measures them on `test.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterable

OF_TEXT, OF_SKILL = 1.0, 0.7
"""How much of the mean likeness to generic texts goes off, that of the text and that of the skill."""

_PERHAPS = 0.29  # likeness below which nothing is meant
_SURELY = 0.32  # and from which a skill is meant without any word of it being said
NEAR = 0.24
"""Likeness from which a request counts as being about a skill where words do not find it."""

TELLS = 0.45
"""Likeness from which a part of such a request speaks of the skill: of the requests tuned on, 8 of 13 such
parts did. A person reads them before they count."""

TELLING = 2
"""Different words with a subject that a text needs: "go on" is near to whatever speaks of going."""


def surely(likeness: float) -> float:
    """How surely a skill of that likeness is meant, 0 to 1."""
    return min(1.0, max(0.0, (likeness - _PERHAPS) / (_SURELY - _PERHAPS)))


def hints(near: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The skills that are meant at all, each with how surely."""
    return {name: sure for name, likeness in near if (sure := round(surely(likeness), 4)) > 0}
