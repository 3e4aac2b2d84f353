"""Why skills were or were not chosen, as rows for a person."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.settings import Injection
from metaclaw_tray.skills.explain import Outcome, account
from metaclaw_tray.skills.live import Snapshot, build_snapshot
from metaclaw_tray.skills.retrieval import NO_HINTS, Hints
from metaclaw_tray.store import library, turns
from metaclaw_tray.store.membership import members
from metaclaw_tray.wire.said import persons_words

_LISTED = 20


@dataclass(frozen=True)
class _Question:
    """What was looked up, and under which limits."""

    snapshot: Snapshot
    words: str
    exclude: frozenset[str]
    slots: int
    tokens: int
    hints: Hints
    agent: str | None  # who asks; None: whoever it is


def search(db: Db, live: Snapshot, asked: api.SearchSkills, limits: Injection) -> list[api.SkillHit]:
    """The skills that fit a person's words, best first, which of them a request would carry, and why the
    others would not be in it. Raises NotFoundError for a turn that is unknown."""
    slots = limits.per_exchange if limits.enabled else 0
    if asked.turn:
        question = _question_of(db, live, asked.turn, limits)
    else:
        agent, tokens = asked.agent or None, limits.session_tokens
        question = _Question(live, asked.text, frozenset(), slots, tokens, NO_HINTS, agent)
    told = account(
        question.snapshot,
        question.words,
        question.exclude,
        question.slots,
        question.tokens,
        question.hints,
        question.agent,
    )
    described = {view.name: view.description for view in library.skills(db)}
    shown = told.reasons if asked.all else [each for each in told.reasons if each.score > 0][:_LISTED]
    return [
        api.SkillHit(
            name=each.name,
            score=each.score,
            description=described.get(each.name, ""),
            chosen=each.outcome == Outcome.CHOSEN,
            outcome=each.outcome,
            why=each.why,
            words=[term for term, _ in each.terms],
        )
        for each in shown
    ]


def _question_of(db: Db, live: Snapshot, turn_id: str, limits: Injection) -> _Question:
    """The look-up of a turn's exchange: its words, the library of its generation, and what stood on its path
    before. Limits are those of today, less what stood there. What was put in at that very place, and words do
    not find, was meant by what was said before: nothing else puts a skill in."""
    turn = turns.turn(db, turn_id).turn
    said, opening = "", turn.request_node
    for node in reversed(turns.path(db, turn.request_node)):
        words = persons_words(turns.body(db, node.message_id))
        if words is not None:
            said, opening = words, node.id
            break
    on_path = turns.injections_on(db, opening, turn.session_id)
    stood = [each for each in on_path if each.anchor != opening]
    here = [name for each in on_path if each.anchor == opening for name in each.skills]
    skills = [name for each in stood for name in each.skills]
    return _Question(
        live if turn.generation == live.generation else _library_at(db, turn.generation),
        said,
        frozenset(name.partition("@")[0] for name in skills),
        min(limits.per_exchange, limits.per_session - len(skills)) if limits.enabled else 0,
        limits.session_tokens - sum(each.tokens for each in stood),
        {name.partition("@")[0]: 1.0 for name in here},
        turn.agent,
    )


def _library_at(db: Db, number: int) -> Snapshot:
    then = members(db, number)
    versions = [library.version_of(db, each.name, each.version) for each in then]
    scoped = {each.name: frozenset(each.agents) for each in then if each.agents}
    return build_snapshot(number, versions, scoped=scoped)
