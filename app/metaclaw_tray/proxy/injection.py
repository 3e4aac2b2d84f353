"""Which blocks stand where: one decision for each exchange, the same bytes ever after.

A decision belongs to a node of the conversation tree, the person's message. Wherever a request's path holds
that node again (a retry, a branch, the next turn, after a restart) the same block stands there, so the
upstream's prompt cache keeps what it has. "Nothing fits" is a decision too.
"""

from __future__ import annotations

import logging
import sys
import time
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from msgspec import Struct, structs

from metaclaw_tray.settings import Injection
from metaclaw_tray.store.records import OfTrial, SkillWithheld
from metaclaw_tray.wire.dialect import HEAD
from metaclaw_tray.wire.tree import Path

log = logging.getLogger(__name__)

DEADLINE = 0.005
"""Seconds that a look-up may take."""

_DECISIONS = 20_000


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
    ) -> Choice | None:
        """The skills for a query, or None where none fits or the deadline has passed.

        `exclude` are names of skills that stand on the path already; at most `slots` skills of together at
        most `tokens` tokens may come back. `deadline` is a reading of `time.monotonic`. What is known of the
        session beforehand may count too. No I/O, no waiting. Raises NotReadyError as long as there is no
        library.
        """
        ...

    def withhold(
        self, skills: Sequence[str], session_id: str, anchor: bytes, at: float, *, remember: bool
    ) -> list[OfTrial]:
        """What trials say to these skills ("name@version") standing at an anchor: places that are given by
        this, and skills that the session does not get. Unless it is to `remember`, no place is given."""
        ...


class Block(Struct, frozen=True, gc=False):
    """A decision: what stands at an anchor. Without skills it says that none fitted."""

    text: str
    skills: tuple[str, ...]
    tokens: int
    generation: int
    session_id: str
    at: float  # seconds since 1970


class Injected(Struct, frozen=True, gc=False):
    """What goes into one request."""

    blocks: list[tuple[int, str]] = []  # index of the element, or HEAD, and the text
    skills: list[str] = []
    new: Block | None = None  # the block that was decided just now, at the path's tip
    of_trials: list[OfTrial] = []  # what trials said to that decision


@dataclass(slots=True)
class _Spent:
    skills: int = 0
    tokens: int = 0


class Anchors:
    """Decisions by node, the 20,000 used last.

    Two sessions may begin with the same words and hold different blocks at the same node: a session's own
    decision comes first, and who has none takes the latest.
    """

    def __init__(self) -> None:
        self._latest: OrderedDict[bytes, Block] = OrderedDict()
        # What a session decided before another one decided at the same node.
        self._own: OrderedDict[tuple[str, bytes], Block] = OrderedDict()
        self._spent: OrderedDict[str, _Spent] = OrderedDict()

    def load(self, blocks: Iterable[tuple[bytes, Block]]) -> None:
        """Take up the decisions of earlier runs, oldest first."""
        for anchor, block in blocks:
            self.put(anchor, block)

    def put(self, anchor: bytes, block: Block) -> None:
        # Many decisions share few texts and sessions.
        block = structs.replace(block, text=sys.intern(block.text), session_id=sys.intern(block.session_id))
        before = self._latest.get(anchor)
        if before is not None and before.session_id != block.session_id:
            self._own[before.session_id, anchor] = before
            self._own.move_to_end((before.session_id, anchor))
        self._latest[anchor] = block
        self._latest.move_to_end(anchor)
        if block.skills:
            spent = self._spent.setdefault(block.session_id, _Spent())
            spent.skills += len(block.skills)
            spent.tokens += block.tokens
            self._spent.move_to_end(block.session_id)
        for kept in (self._latest, self._own, self._spent):
            while len(kept) > _DECISIONS:
                kept.popitem(last=False)

    def at(self, anchor: bytes, session_id: str) -> Block | None:
        latest, key = self._latest.get(anchor), (session_id, anchor)
        if latest is not None:
            self._latest.move_to_end(anchor)
            if latest.session_id == session_id:
                return latest
        own = self._own.get(key)
        if own is not None:
            self._own.move_to_end(key)
        return own or latest

    def let_go(self, nodes: Collection[bytes]) -> None:
        """These nodes left the record: what was decided there is decided no longer."""
        for anchor in nodes:
            self._latest.pop(anchor, None)
        for key in [key for key in self._own if key[1] in nodes]:
            del self._own[key]

    def spent(self, session_id: str) -> tuple[int, int]:
        """Skills and tokens that a session has been given."""
        spent = self._spent.get(session_id)
        return (spent.skills, spent.tokens) if spent else (0, 0)


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
        try:
            choice = self._choose(path.words, exclude, slots, left, deadline, session_id)
            while choice is not None and (
                said := self._withhold(choice, session_id, path.tip, now, remember)
            ):
                of_trials += said
                withheld = {each.skill for each in said if isinstance(each, SkillWithheld)}
                if not withheld:
                    break
                exclude |= withheld
                choice = self._choose(path.words, exclude, slots, left, deadline, session_id)
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
    ) -> Choice | None:
        if slots <= 0 or tokens <= 0 or not query:
            return None
        try:
            choice = self._source.choose(query, exclude, slots, tokens, deadline, session_id)
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
