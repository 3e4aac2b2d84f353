"""Which blocks stand where: one decision for each exchange, the same bytes ever after.

A decision belongs to a node of the conversation tree, the person's message. Wherever a request's path holds
that node again (a retry, a branch, the next turn, after a restart) the same block stands there, so the
upstream's prompt cache keeps what it has. "Nothing fits" is a decision too.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from metaclaw_tray.proxy.anchors import Anchors, Block
from metaclaw_tray.settings import Injection
from metaclaw_tray.store.records import OfTrial, SkillWithheld
from metaclaw_tray.wire.dialect import HEAD
from metaclaw_tray.wire.tree import Path

log = logging.getLogger(__name__)

DEADLINE = 0.005
"""Seconds that a look-up may take."""


class Choice(Struct, frozen=True, gc=False):
    """Skills that fit a query, rendered. `skills` are "name@version"; `tokens` is an estimate."""

    text: str
    skills: tuple[str, ...]
    tokens: int


class NotReadyError(Exception):
    """The library is not in memory yet, so nothing can be said of what fits."""


class SkillSource(Protocol):
    """The library in memory."""

    @property
    def generation(self) -> int:
        """The library's generation now."""
        ...

    def choose(
        self,
        query: str,
        exclude: frozenset[str],
        slots: int,
        tokens: int,
        deadline: float,
        session_id: str,
        instead: frozenset[str],
    ) -> Choice | None:
        """The skills for a query, or None where none fits or the deadline has passed.

        `exclude` are names of skills that stand on the path already; at most `slots` skills of together at
        most `tokens` tokens may come back. `deadline` is a reading of `time.monotonic`. What is known of the
        session beforehand may count too. Of what is named in `instead`, the version before the one that is
        tried comes, where it fits. No I/O, no waiting. Raises NotReadyError as long as there is no library.
        """
        ...

    def withhold(
        self, skills: Sequence[str], session_id: str, anchor: bytes, at: float, *, remember: bool
    ) -> list[OfTrial]:
        """What trials say to these skills ("name@version") standing at an anchor: places that are given by
        this, and skills that the session does not get as they are tried. Unless it is to `remember`, no place
        is given."""
        ...


class Injected(Struct, frozen=True, gc=False):
    """What goes into one request."""

    blocks: list[tuple[int, str]] = []  # index of the element, or HEAD, and the text
    skills: list[str] = []
    new: Block | None = None  # the block that was decided just now, at the path's tip
    of_trials: list[OfTrial] = []  # what trials said to that decision


class Injector:
    """Decides, and remembers."""

    def __init__(self, anchors: Anchors, source: SkillSource) -> None:
        self._anchors = anchors
        self._source = source
        self._generation = 0
        self.faults = 0  # look-ups that raised or broke their limits

    @property
    def generation(self) -> int:
        """The library's generation, or the last one known where the library is broken."""
        try:
            self._generation = self._source.generation
        except Exception:  # noqa: BLE001 - learning that is broken never breaks the agent
            self._fault()
        return self._generation

    def inject(
        self,
        path: Path,
        session_id: str,
        limits: Injection,
        *,
        now: float,
        silence: float,
        may_decide: bool,
        head: bool,
        kept: bool = False,
        headed: bool = False,
        remember: bool = True,
    ) -> Injected:
        """The blocks of a request. `may_decide` allows a new one where the person has just spoken. With
        `remember=False` the answer is what the same request would get, and no decision stands after it.

        The block that a conversation begins with stands behind the client's own system text where it has some
        (`head`), every other one at the end of the person's message. Where the upstream keeps what came
        before (`kept`) nothing begins: the request that goes on from here will not hold this message, so its
        block stands in it and is kept with it. Of what is kept so only the first block is put in again, and
        only where it stood in what travels each time (`headed`).
        """
        injected = Injected()
        for place, anchor in enumerate(path.before):
            block = self._anchors.at(anchor, session_id)
            if block is not None and block.skills:
                injected.skills.extend(block.skills)
                if place == 0 and head and headed:
                    injected.blocks.append((HEAD, block.text))
        end = len(path.nodes) - 1
        for place in path.anchors:
            where = HEAD if head and not kept and _begins(path, place) else path.positions[place]
            block = self._anchors.at(path.nodes[place], session_id)
            if (
                place == end
                and may_decide
                and (block is None or (not kept and _is_over(block, path, session_id, now - silence)))
            ):
                return self._decide(path, where, session_id, limits, now, injected, remember)
            if block is None:
                if place < end and remember:  # it goes on without a block, and so it stays
                    self._anchors.put(path.nodes[place], Block("", (), 0, self._generation, session_id, now))
            elif block.skills:
                injected.blocks.append((where, block.text))
                injected.skills.extend(block.skills)
        return injected

    def _decide(
        self,
        path: Path,
        where: int,
        session_id: str,
        limits: Injection,
        now: float,
        injected: Injected,
        remember: bool,
    ) -> Injected:
        skills, tokens = self._anchors.spent(session_id)
        slots, left = min(limits.per_exchange, limits.per_session - skills), limits.session_tokens - tokens
        exclude = frozenset(name.partition("@")[0] for name in injected.skills)
        deadline = time.monotonic() + DEADLINE
        of_trials: list[OfTrial] = []
        instead = frozenset[str]()
        try:
            choice = self._choose(path.words, exclude, slots, left, deadline, session_id, instead)
            while choice is not None and (
                said := self._withhold(choice, session_id, path.tip, now, remember)
            ):
                of_trials += said
                withheld = {each.skill: each.instead for each in said if isinstance(each, SkillWithheld)}
                if not withheld.keys() - exclude - instead:  # nothing else can come of asking again
                    break
                instead |= {name for name, version in withheld.items() if version}
                exclude |= withheld.keys() - instead
                choice = self._choose(path.words, exclude, slots, left, deadline, session_id, instead)
        except NotReadyError:
            return injected  # undecided: whoever says this again is decided for then
        choice = choice or Choice("", (), 0)
        block = Block(choice.text, choice.skills, choice.tokens, self.generation, session_id, now)
        if remember:
            self._anchors.put(path.tip, block)
        if not choice.skills:
            return Injected(injected.blocks, injected.skills, None, of_trials)
        blocks, all_skills = [*injected.blocks, (where, block.text)], [*injected.skills, *block.skills]
        return Injected(blocks, all_skills, block, of_trials)

    def _withhold(
        self, choice: Choice, session_id: str, anchor: bytes, now: float, remember: bool
    ) -> list[OfTrial]:
        try:
            return self._source.withhold(choice.skills, session_id, anchor, now, remember=remember)
        except Exception:  # noqa: BLE001 - learning that is broken never breaks the agent
            self._fault()
            return []

    def _choose(
        self,
        query: str,
        exclude: frozenset[str],
        slots: int,
        tokens: int,
        deadline: float,
        session_id: str,
        instead: frozenset[str],
    ) -> Choice | None:
        if slots <= 0 or tokens <= 0 or not query:
            return None
        try:
            choice = self._source.choose(query, exclude, slots, tokens, deadline, session_id, instead)
        except NotReadyError:
            raise
        except Exception:  # noqa: BLE001 - learning that is broken never breaks the agent
            self._fault()
            return None
        late = time.monotonic() - deadline
        if late > 0:
            log.warning("a look-up of skills was late by_ms=%.1f", late * 1000)
        if choice is None or not choice.skills:
            return None
        names = {name.partition("@")[0] for name in choice.skills}
        if len(choice.skills) > slots or choice.tokens > tokens or names & exclude:
            self.faults += 1
            log.error("a choice of skills broke its limits skills=%s tokens=%d", choice.skills, choice.tokens)
            return None
        return choice

    def _fault(self) -> None:
        self.faults += 1
        log.exception("the library of skills is broken; nothing is injected")


def _begins(path: Path, place: int) -> bool:
    """Whether the conversation begins at this anchor: nothing that a cache holds of it comes before."""
    return place == path.anchors[0] and (path.answered < 0 or place < path.answered)


def _is_over(block: Block, path: Path, session_id: str, silent_since: float) -> bool:
    """Whether a conversation that begins with the same words again is a new one, and decides anew."""
    return len(path.nodes) == 1 and (block.session_id != session_id or block.at < silent_since)
