"""What went wrong and may teach: lessons, how they gather, and for how long they are kept for the evolver.

A failure that nobody has claimed is reserved for the evolver for seven days: it trains nothing meanwhile. It
carries over generations, until a skill that came of failures of its kind is approved; then that skill covers
it. What fails afterwards counts anew only where the skill stood in front of it: a skill that was not found is
a matter of finding, and no second lesson.

One rule starts one run: while a run for it goes on, or what came of one waits for the person's word, further
failures of its kind wait too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import starmap

from sqlalchemy import select as columns
from sqlalchemy import text
from sqlmodel import Session, col, select

from metaclaw_tray.store import claims, corrections, turns
from metaclaw_tray.store.holdout import share_of, words_at
from metaclaw_tray.store.tables import TEACHES, Claim, ClaimUse, Exchange, Run, RunState, Verdict
from metaclaw_tray.store.tables_library import Proposal, ProposalState, Skill, SkillState

RESERVED = timedelta(days=7)
_LOOKED_AT = 300  # newest lessons; they are compared with each other

_RESERVED_AT_MOST = 20_000


@dataclass(frozen=True)
class Cluster:
    """Exchanges that went wrong in one way, and are free to teach."""

    kind: str
    exchanges: tuple[str, ...]
    instruction: str = ""  # the person's standing instruction, where one exchange is enough


@dataclass(frozen=True)
class Lesson:
    """A verdict that may teach, and where its exchange stands."""

    exchange_id: str
    opening: bytes
    lineage: str
    score: int | None
    kind: str
    instruction: str
    at: datetime  # of the verdict
    began: datetime  # of the exchange
    said: str = ""  # the person's correction
    task: str = ""  # what they had asked for, in their words


@dataclass(frozen=True)
class Reserved:
    """An exchange that is kept for the evolver."""

    exchange_id: str
    until: datetime
    reason: str


Alike = Callable[[Lesson, Lesson], bool]
"""Whether two lessons are of one kind."""


def same_kind(one: Lesson, other: Lesson) -> bool:
    """By the words of the judge alone."""
    if one.instruction or other.instruction:
        return one.instruction == other.instruction
    return bool(one.kind) and one.kind == other.kind


def ready_clusters(session: Session, failures: int, alike: Alike = same_kind) -> list[Cluster]:
    """What is enough for one run of the evolver: a standing instruction, or `failures` of one kind.

    Exchanges that are claimed for anything are left out, and so are those on a path claimed for another use,
    those that a skill covers, and those that wait for a run or a proposal of their kind.
    """
    bars = claims.bars(session, ClaimUse.SUPPORT)
    free = [
        lesson
        for lesson, waits_for in _uncovered(session, alike)
        if not waits_for and not bars.bar(lesson.opening, lesson.lineage)
    ]
    told = [each for each in free if each.instruction]
    failed = [each for each in free if not each.instruction and each.kind]
    ready = [
        Cluster(group[0].kind, tuple(each.exchange_id for each in group), group[-1].instruction)
        for group in _grouped(told, alike)
    ]
    return ready + [
        Cluster(group[0].kind, tuple(each.exchange_id for each in group))
        for group in _grouped(failed, alike)
        if len(group) >= failures
    ]


def gathering(session: Session, alike: Alike = same_kind) -> dict[str, int]:
    """Kinds of failure that have not taught yet and wait for nothing but more of them, with their numbers."""
    found = [lesson for lesson, waits_for in _uncovered(session, alike) if not waits_for]
    without = [replace(each, instruction="") for each in found if each.score == -1 and each.kind]
    counts: Counter[str] = Counter()
    for group in _grouped(without, alike):
        counts[group[0].kind] += len(group)
    return dict(counts)


def held_back(session: Session, alike: Alike = same_kind) -> list[tuple[Lesson, str]]:
    """What has not taught yet because something of its kind is under way, and what that is."""
    return [(lesson, waits_for) for lesson, waits_for in _uncovered(session, alike) if waits_for]


def reserved(session: Session, now: datetime, alike: Alike = same_kind) -> list[Reserved]:
    """The exchanges that must not train now, since they may still teach a skill, and why."""
    return [
        Reserved(each.exchange_id, each.at + RESERVED, _reason(each))
        for each, _ in _uncovered(session, alike, _RESERVED_AT_MOST)
        if now < each.at + RESERVED
    ]


def _reason(lesson: Lesson) -> str:
    return f"kept for learning: {lesson.instruction or lesson.kind or 'it went wrong'}"


def covered_by(session: Session, lesson: Lesson, alike: Alike = same_kind) -> str:
    """The skill that covers a lesson; empty where none does."""
    return _cover(session, lesson, _coverings(session), alike)


def unclaimed(session: Session, limit: int = _LOOKED_AT) -> list[Lesson]:
    """One lesson for each exchange that is claimed for nothing, oldest first: its latest standing
    instruction, else its latest failure. The newest ones only, where there are very many."""
    rows = session.execute(
        columns(
            col(Verdict.exchange_id),
            col(Exchange.opening),
            col(Exchange.lineage),
            col(Verdict.score),
            col(Verdict.kind),
            col(Verdict.instruction),
            col(Verdict.at),
            col(Exchange.started_at),
        )
        .join(Exchange, col(Exchange.id) == col(Verdict.exchange_id))
        .outerjoin(Claim, col(Claim.exchange_id) == col(Exchange.id))
        .where(col(Claim.exchange_id).is_(None), ~col(Verdict.transient), text(f"({TEACHES})"))
        .order_by(col(Verdict.id).desc())
        .limit(limit)
    )
    found: dict[str, Lesson] = {}
    for lesson in reversed(list(starmap(Lesson, rows))):
        before = found.get(lesson.exchange_id)
        if before is None or lesson.instruction or not before.instruction:
            found[lesson.exchange_id] = lesson
    # What is kept aside to measure on does not teach, but a standing instruction does wherever it was given.
    free = [each for each in found.values() if each.instruction or share_of(each.lineage) is None]
    return _in_words(session, free)


def _in_words(session: Session, found: Sequence[Lesson]) -> list[Lesson]:
    """The lessons with what the person had asked for and what they said then."""
    ids = [each.exchange_id for each in found]
    behind = corrections.requests_behind(session, ids)
    said = corrections.remarks_on(session, ids, behind)
    openings = {each.exchange_id: each.opening for each in found}
    for exchange_id, asked_in in behind.items():
        asked = session.get(Exchange, asked_in)
        openings[exchange_id] = asked.opening if asked else openings[exchange_id]
    words = words_at(session, list(set(openings.values())))
    return [
        replace(
            each,
            said=said.get(each.exchange_id, ""),
            task=words.get(openings[each.exchange_id], ""),
        )
        for each in found
    ]


@dataclass(frozen=True)
class _Covering:
    """What an approved skill came of, or what is under way came of."""

    lessons: tuple[Lesson, ...]
    skill: str
    approved: datetime | None = None
    waits_for: str = ""  # what is under way, in words

    def is_of_kind(self, lesson: Lesson, alike: Alike) -> bool:
        return any(alike(each, lesson) for each in self.lessons)


def _uncovered(session: Session, alike: Alike, limit: int = _LOOKED_AT) -> list[tuple[Lesson, str]]:
    """The lessons that no skill covers, each with what it waits for, if anything."""
    coverings, under_way = _coverings(session), _under_way(session)
    return [
        (each, next((one.waits_for for one in under_way if _waits(each, one, alike)), ""))
        for each in unclaimed(session, limit)
        if not _cover(session, each, coverings, alike)
    ]


def _waits(lesson: Lesson, under_way: _Covering, alike: Alike) -> bool:
    """Whether something for this lesson is under way already. It may be a rule for what only failed so far,
    or the other way round: the words of both decide."""
    plain = replace(under_way, lessons=tuple(replace(each, instruction="") for each in under_way.lessons))
    return under_way.is_of_kind(lesson, alike) or plain.is_of_kind(replace(lesson, instruction=""), alike)


def _cover(session: Session, lesson: Lesson, coverings: Sequence[_Covering], alike: Alike) -> str:
    for each in coverings:
        if not lesson.instruction:
            each = replace(each, lessons=tuple(replace(one, instruction="") for one in each.lessons))
        if not each.is_of_kind(lesson, alike):
            continue
        late = each.approved is not None and lesson.began > each.approved
        if not late or not _stood(session, lesson.exchange_id, each.skill):
            return each.skill
    return ""


def _stood(session: Session, exchange_id: str, skill: str) -> bool:
    """Whether the skill stood in front of the exchange, in any version."""
    views = turns.turns(session, exchange_id=exchange_id)
    return any(name.rpartition("@")[0] == skill for view in views for name in view.skills)


def _coverings(session: Session) -> list[_Covering]:
    """What the active skills that were learnt came of, the newest first."""
    rows = session.execute(
        columns(Run, col(Proposal.skill), col(Proposal.decided_at))
        .join(Proposal, col(Proposal.run_id) == col(Run.id))
        .join(Skill, col(Skill.name) == col(Proposal.skill))
        .where(col(Proposal.state) == ProposalState.APPROVED, col(Skill.state) == SkillState.ACTIVE)
    )
    found = [_Covering(_taught(session, run), skill, approved) for run, skill, approved in rows]
    return sorted(found, key=lambda each: each.approved or each.lessons[0].at, reverse=True)


def _under_way(session: Session) -> list[_Covering]:
    """What the open runs, and the proposals that wait for the person, came of."""
    found = [
        _Covering(_taught(session, run), "", waits_for="a run for it goes on")
        for run in session.exec(select(Run).where(Run.state == RunState.STARTED))
    ]
    waiting = session.execute(
        columns(Run, Proposal)
        .join(Proposal, col(Proposal.run_id) == col(Run.id))
        .where(col(Proposal.state) == ProposalState.PENDING)
    )
    for run, made in waiting:
        stands = "waits to be put before you" if made.offered_at is None else "waits for your word"
        words = f"“{made.skill}” {stands}: `metaclaw-tray review show {made.id}`"
        found.append(_Covering(_taught(session, run), made.skill, waits_for=words))
    return found


def _taught(session: Session, run: Run) -> tuple[Lesson, ...]:
    """What a run was started for, one lesson for each of its exchanges."""
    instruction, at = instruction_of(session, run.exchanges), run.started_at
    found = [
        Lesson(each.id, each.opening, each.lineage, -1, run.cluster, instruction, at, each.started_at)
        for each in session.exec(select(Exchange).where(col(Exchange.id).in_(run.exchanges)))
    ]
    return tuple(_in_words(session, found)) or (
        Lesson("", b"", "", -1, run.cluster, instruction, at, at),  # what taught it was forgotten
    )


def instruction_of(session: Session, exchanges: Sequence[str]) -> str:
    """The latest standing instruction that was given in these exchanges; empty where there is none."""
    query = (
        select(Verdict.instruction)
        .where(col(Verdict.exchange_id).in_(exchanges), col(Verdict.instruction) != "")
        .order_by(col(Verdict.id).desc())
    )
    return session.exec(query).first() or ""


def _grouped(lessons: Sequence[Lesson], alike: Alike) -> list[list[Lesson]]:
    """The lessons in groups, the oldest first: each joins the first one that is mostly of its kind."""
    groups: list[list[Lesson]] = []
    for lesson in lessons:
        home = next(
            (group for group in groups if 2 * sum(alike(one, lesson) for one in group) >= len(group)), None
        )
        if home is None:
            groups.append([lesson])
        else:
            home.append(lesson)
    return groups
