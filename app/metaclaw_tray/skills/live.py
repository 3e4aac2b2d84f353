"""The library as the hot path sees it: one immutable snapshot, replaced whole after each decision."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.block import Note, join_notes, render_note, too_long
from metaclaw_tray.skills.fields import Entry
from metaclaw_tray.skills.hints import HintTable
from metaclaw_tray.skills.markdown import read_skill
from metaclaw_tray.skills.retrieval import NO_HINTS, Hints, Index
from metaclaw_tray.skills.scopes import Scopes, agent_of
from metaclaw_tray.skills.tokens import estimate_tokens

C = TypeVar("C")

_SPARE = 4  # fitting skills looked up beyond the slots, for when the best do not fit the tokens left


class Version(Protocol):
    """An approved version of a skill, as the store gives it."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int: ...

    @property
    def text(self) -> str: ...


class LiveSkill(Struct, frozen=True, gc=False):
    """A skill ready to be put into a block."""

    name: str
    version: int
    rendered: str
    tokens: int


@dataclass(frozen=True)
class Snapshot:
    """The active library of one generation, checked, rendered and indexed."""

    generation: int
    index: Index
    skills: Mapping[str, LiveSkill] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)  # active skills never injected, and why
    scopes: Scopes = field(default_factory=Scopes)


def build_snapshot(
    generation: int,
    versions: Iterable[Version],
    monotonic: Callable[[], float] = time.monotonic,
    scoped: Mapping[str, frozenset[str]] | None = None,
) -> Snapshot:
    """Prepare the active versions for the hot path; blocking, for off the loop.

    A skill that cannot be shown is left out with the reason; it never stops the others.
    """
    return next_snapshot(Snapshot(0, Index([], monotonic)), generation, (), versions, scoped)


def next_snapshot(
    before: Snapshot,
    generation: int,
    gone: Collection[str],
    come: Iterable[Version],
    scoped: Mapping[str, frozenset[str]] | None = None,
) -> Snapshot:
    """The snapshot without the skills named in `gone` and with the versions in `come`; blocking, at the cost
    of what changes. It is as one built anew would be. `scoped` are all skills that are for some agents only,
    with these."""
    skills, left_out = dict(before.skills), dict(before.left_out)
    come = list(come)
    gone = {*gone, *(version.name for version in come)}
    for name in gone:
        skills.pop(name, None)
        left_out.pop(name, None)
    entries = []
    for version in come:
        try:
            skill = read_skill(version.text, f"{version.name}@{version.version}", version.name)
            rendered = render_note(Note(version.name, skill.body))
        except SkillError as error:
            left_out[version.name] = error.detail
            continue
        reason = too_long(skill.body)
        if reason:
            left_out[version.name] = reason
            continue
        tokens = estimate_tokens(f"\n\n{rendered}")
        skills[version.name] = LiveSkill(version.name, version.version, rendered, tokens)
        entries.append(Entry(version.name, skill.description, skill.triggers))
    return Snapshot(generation, before.index.changed(gone, entries), skills, left_out, Scopes(scoped))


def fitting_in(
    snapshot: Snapshot,
    query: str,
    exclude: frozenset[str],
    slots: int,
    tokens: int,
    deadline: float = float("inf"),
    hints: Hints = NO_HINTS,
    instead: Mapping[str, LiveSkill] | None = None,
) -> tuple[list[LiveSkill], int, bool]:
    """The skills that fit and for which there is room, the tokens left then, and whether time ran out. What
    is named in `instead` stands in the place of the skill of that name."""
    chosen: list[LiveSkill] = []
    left = tokens - _FRAME_TOKENS
    if slots <= 0 or left <= 0 or not snapshot.skills:
        return chosen, left, False
    lookup = snapshot.index.look_up(query, slots + _SPARE, exclude, deadline, hints)
    for match in lookup.matches:
        skill = (instead or snapshot.skills).get(match.name) or snapshot.skills[match.name]
        if skill.tokens <= left and len(chosen) < slots:
            chosen.append(skill)
            left -= skill.tokens
    return chosen, left, lookup.late


class LiveLibrary(Generic[C]):
    """Answers which skills fit. All in memory; a lookup sees one snapshot, whatever is replaced meanwhile."""

    def __init__(
        self,
        choice: Callable[[str, tuple[str, ...], int], C],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`choice` makes the asker's own value of a block, its skills ("name@version") and its tokens: the
        asker's room stands beside this one and neither imports the other."""
        self._choice = choice
        self._monotonic = monotonic
        self._snapshot = Snapshot(0, Index([], monotonic))
        self.hints = HintTable()  # written off the hot path
        self.late = 0  # lookups that ran out of time

    @property
    def generation(self) -> int:
        """The generation of the snapshot in use."""
        return self._snapshot.generation

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    def replace(self, snapshot: Snapshot) -> None:
        """Serve this snapshot from now on."""
        self._snapshot = snapshot

    def choose(
        self,
        query: str,
        exclude: frozenset[str],
        slots: int,
        tokens: int,
        seconds: float,
        session_id: str = "",
        instead: Mapping[str, LiveSkill] | None = None,
    ) -> C | None:
        """A block of the skills that fit the person's words, or None where none fits or time ran out.

        At most `slots` skills, none of the names in `exclude` and none that is for other agents than the
        session's, at most `tokens` tokens with all that the block adds around them, decided within `seconds`.
        What was said before in the session may count too (`hints`). What is named in `instead` stands in the
        place of the skill of that name: an earlier version, where a trial keeps the tried one back.
        """
        snapshot, hints = self._snapshot, self.hints.of(session_id)
        exclude |= snapshot.scopes.hidden(agent_of(session_id))
        deadline = self._monotonic() + seconds
        chosen, left, late = fitting_in(snapshot, query, exclude, slots, tokens, deadline, hints, instead)
        self.late += late
        if not chosen:
            return None
        return self._choice(
            join_notes([skill.rendered for skill in chosen]),
            tuple(f"{skill.name}@{skill.version}" for skill in chosen),
            tokens - left,
        )


_FRAME_TOKENS = estimate_tokens(join_notes([]))
