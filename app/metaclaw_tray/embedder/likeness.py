"""How near a text and a skill are, as one number, and from where on that number says something.

The likeness is the cosine of their vectors, less the text's mean cosine with things that anybody may say
(`generic.py`): what is near to everything is near to nothing. So it means the same in a library of one skill
and of thousands. The bounds were tuned on `tests/skills/labelled/dev.jsonl` only, with the model that
`model.py` pins.
"""

from __future__ import annotations

from collections.abc import Iterable

_PERHAPS = 0.26  # likeness below which nothing is meant
_SURELY = 0.37  # and from which a skill is meant without any word of it being said
NEAR = 0.30
"""Likeness from which a request counts as being about a skill where words do not find it."""

TELLS = 0.60
"""Likeness from which a part of such a request speaks of the skill: of the labelled requests 3 of 5 such
parts did, and 3 of 11 with no such bound. A person reads them before they count."""

TELLING = 2
"""Different words with a subject that a text needs: "go on" is near to whatever speaks of going."""


def surely(likeness: float) -> float:
    """How surely a skill of that likeness is meant, 0 to 1."""
    return min(1.0, max(0.0, (likeness - _PERHAPS) / (_SURELY - _PERHAPS)))


def hints(near: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The skills that are meant at all, each with how surely."""
    return {name: sure for name, likeness in near if (sure := round(surely(likeness), 4)) > 0}
