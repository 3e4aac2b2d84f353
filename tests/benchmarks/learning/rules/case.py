"""What a rule consists of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Grader = Callable[[str], bool]
"""Whether an answer is right."""


@dataclass(frozen=True)
class Case:
    """One request, and what makes its answer right."""

    request: str
    right: Grader


@dataclass(frozen=True)
class Lesson:
    """A session that teaches: the person says `correction` where the answer is not right."""

    case: Case
    correction: str


@dataclass(frozen=True)
class Rule:
    """A house rule. `follows` grades the form alone, of an answer to any request of this kind."""

    name: str
    says: str
    follows: Grader
    lessons: tuple[Lesson, ...]
    unseen: tuple[Case, ...]
