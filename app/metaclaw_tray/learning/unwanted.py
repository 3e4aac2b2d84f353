"""A skill that the person wants to stop: it stood in front of what went wrong, and they said so of it.

The retirement of a skill is the strongest thing that learning proposes, so it takes the person's own words:
they have to be about what the skill asks for, and to say that it shall not be done any more, without saying
what to do in its place; with that, the skill is revised.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from metaclaw_tray.learning.alike import body_of, overlap
from metaclaw_tray.learning.backing import Sources, sentences
from metaclaw_tray.learning.origin import Span
from metaclaw_tray.learning.wording import either
from metaclaw_tray.skills.words import fold
from metaclaw_tray.store.tables_library import SkillVersion

_ABOUT = 0.5  # share of what the person said that the skill says too
_STOPPING = either(
    r"""
    stop no_longer not_any_?more no_more drop_the don'?t_do_that do_not_do_that quit niet_meer houd?_op
    laat_dat nicht_mehr lass_das hor_auf kein(?:e|en)?\b[^.]{0,20}\bmehr
    ne\b[^.]{0,20}\bplus arrete[zr]? ya_no
    deja_de basta
    """
)
_STOP = re.compile(rf"\b{_STOPPING}\b|不要再|别再|停止|不用再")
_REPLACING = either(
    """
    instead rather but use write in_plaats liever maar gebruik schrijf stattdessen sondern lieber plutot mais
    utilise en_vez sino mejor usa
    """
)
_INSTEAD = re.compile(rf"\b{_REPLACING}\b|而是|改用|改成")


class Taught(Protocol):
    """What is known of an exchange that went wrong."""

    @property
    def spans(self) -> tuple[Span, ...]: ...

    @property
    def skills(self) -> tuple[str, ...]: ...


def unwanted_skill(support: Sequence[Taught], known: Sequence[SkillVersion]) -> SkillVersion | None:
    """The skill in force that stood in front of all these exchanges and that the person wants to stop."""
    stood = Counter(name for each in support for name in set(each.skills))
    in_all = {name for name, count in stood.items() if count == len(support)}
    for version in known:
        if f"{version.name}@{version.version}" not in in_all:
            continue
        body = body_of(version.text)
        if all(_is_told_to_stop(each, body) for each in support):
            return version
    return None


def _is_told_to_stop(taught: Taught, body: str) -> bool:
    said = sentences(Sources(taught.spans).demand)
    stops = [each for each in said if _STOP.search(fold(each)) and overlap(each, body) >= _ABOUT]
    return bool(stops) and not any(_INSTEAD.search(fold(each)) for each in said)
