"""What went wrong and may teach: lessons, how they gather, and for how long they are kept for the evolver.

A failure that nobody has claimed is reserved for the evolver for seven days: it trains nothing meanwhile. It
carries over generations, until a skill that came of failures of its kind is approved; then that skill covers
it. What fails afterwards counts anew only where the skill stood in front of it: a skill that was not found is
a matter of finding, and no second lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import starmap

from sqlalchemy import select as columns
from sqlalchemy import text
from sqlmodel import Session, col, select

from metaclaw_tray.store import claims, turns
from metaclaw_tray.store.holdout import share_of
from metaclaw_tray.store.tables import TEACHES, Claim, ClaimUse, Evidence, Exchange, Run, Verdict
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
    and those that a skill covers.
    """
    bars = claims.bars(session, ClaimUse.SUPPORT)
    free = [each for each in _uncovered(session, alike) if not bars.bar(each.opening, each.lineage)]
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
    """Kinds of failure that have not taught yet, with their numbers."""
    failed = [each for each in _uncovered(session, alike) if each.score == -1 and each.kind]
    without = [replace(each, instruction="") for each in failed]
    return {group[0].kind: len(group) for group in _grouped(without, alike)}


def reserved(session: Session, now: datetime, alike: Alike = same_kind) -> list[Reserved]:
    """The exchanges that must not train now, since they may still teach a skill, and why."""
    return [
        Reserved(each.exchange_id, each.at + RESERVED, _reason(each))
        for each in _uncovered(session, alike, _RESERVED_AT_MOST)
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
    said = _said_in(session, [each.exchange_id for each in free])
    return [replace(each, said=said.get(each.exchange_id, "")) for each in free]


@dataclass(frozen=True)
class _Covering:
    """What an approved skill came of."""

    lesson: Lesson
    skill: str
    approved: datetime


def _uncovered(session: Session, alike: Alike, limit: int = _LOOKED_AT) -> list[Lesson]:
    coverings = _coverings(session)
    return [each for each in unclaimed(session, limit) if not _cover(session, each, coverings, alike)]


def _cover(session: Session, lesson: Lesson, coverings: Sequence[_Covering], alike: Alike) -> str:
    for each in coverings:
        taught = each.lesson if lesson.instruction else replace(each.lesson, instruction="")
        if not alike(taught, lesson):
            continue
        if lesson.began <= each.approved or not _stood(session, lesson.exchange_id, each.skill):
            return each.skill
    return ""


def _stood(session: Session, exchange_id: str, skill: str) -> bool:
    """Whether the skill stood in front of the exchange, in any version."""
    views = turns.turns(session, exchange_id=exchange_id)
    return any(name.rpartition("@")[0] == skill for view in views for name in view.skills)


def _coverings(session: Session) -> list[_Covering]:
    """What the active skills that were learnt came of, the newest first."""
    rows = session.execute(
        columns(col(Run.cluster), col(Run.exchanges), col(Proposal.skill), col(Proposal.decided_at))
        .join(Proposal, col(Proposal.run_id) == col(Run.id))
        .join(Skill, col(Skill.name) == col(Proposal.skill))
        .where(col(Proposal.state) == ProposalState.APPROVED, col(Skill.state) == SkillState.ACTIVE)
    )
    found = []
    for kind, exchanges, skill, approved in rows:
        instruction = instruction_of(session, exchanges)
        said = " ".join(_said_in(session, exchanges).values())
        lesson = Lesson("", b"", "", -1, kind, instruction, approved, approved, said)
        found.append(_Covering(lesson, skill, approved))
    return sorted(found, key=lambda each: each.approved, reverse=True)


def instruction_of(session: Session, exchanges: Sequence[str]) -> str:
    """The latest standing instruction that was given in these exchanges; empty where there is none."""
    query = (
        select(Verdict.instruction)
        .where(col(Verdict.exchange_id).in_(exchanges), col(Verdict.instruction) != "")
        .order_by(col(Verdict.id).desc())
    )
    return session.exec(query).first() or ""


def _said_in(session: Session, exchanges: Sequence[str]) -> dict[str, str]:
    """The person's corrections, by exchange."""
    query = select(Evidence.id, Evidence.exchange_id, Evidence.text).where(
        col(Evidence.exchange_id).in_(exchanges), col(Evidence.kind) == "correction"
    )
    return {exchange_id: said for _, exchange_id, said in sorted(session.exec(query))}


def _grouped(lessons: Sequence[Lesson], alike: Alike) -> list[list[Lesson]]:
    """The lessons in groups, each around its oldest one."""
    groups: list[list[Lesson]] = []
    for lesson in lessons:
        home = next((group for group in groups if alike(group[0], lesson)), None)
        if home is None:
            groups.append([lesson])
        else:
            home.append(lesson)
    return groups
