"""One exchange as a conversation: the person's words, each answer with what its calls came back with, what
stood in front, what it was worth, and what was learnt from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.admin import api
from metaclaw_tray.admin.api import conversations as told
from metaclaw_tray.learning.evidence import said_next
from metaclaw_tray.learning.outcomes import is_failure
from metaclaw_tray.runtime.facade.record import cost_of
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import figures, query_set, thumbs, turns
from metaclaw_tray.store.tables import Claim, ClaimUse, Exchange, Node, Turn, TurnKind, Verdict
from metaclaw_tray.store.tables_learning import Withheld
from metaclaw_tray.store.tables_library import Proposal, Skill, SkillState
from metaclaw_tray.wire.said import is_persons, persons_text, text_of

_CUT = 20_000  # characters of a text
_RESULT = 6_000  # characters of what a tool gave back, or was called with
_STEPS = 120  # the last ones; all are in the raw request

Body = dict[str, Any]


def show_exchange(
    db: Db, exchange: Exchange, row: told.ExchangeRow | None, settings: Settings, now: datetime
) -> told.ExchangeDetail:
    """An exchange whole; one whose turns were forgotten is empty."""
    made = turns.turns_of(db, exchange.id)
    last = made[-1] if made else None
    path = turns.path(db, last.request_node) if last is not None else []
    opening = next((place for place, node in enumerate(path) if node.id == exchange.opening), 0)
    messages = [(node.id, turns.body(db, node.message_id)) for node in path[opening:]]
    asked, steps = _course(db, made, messages, settings)
    thumb = thumbs.newest_thumb(db, exchange.id)
    in_set, why = query_set.why_in_set(db, exchange.id, now) if made else ("", "")
    return told.ExchangeDetail(
        row=row or _empty(exchange),
        asked=_cut(asked, _CUT),
        earlier=opening,
        steps=steps[-_STEPS:],
        left_out=max(0, len(steps) - _STEPS),
        said_next=_cut(_said_next(db, last), _CUT) if last else "",
        skills=_carried(db, last, exchange) if last else [],
        withheld=_withheld(db, exchange),
        evidence=[
            api.EvidenceRow(kind=each.kind, value=each.value, origin=each.origin, text=each.text, at=each.at)
            for each in figures.evidence_of(db, exchange.id)
        ],
        note=thumb.text if thumb is not None else "",
        taught=_taught(db, exchange.id),
        side=len(_side(db, exchange.id)),
        in_set=in_set,
        why_in_set=why,
    )


def _course(
    db: Db, made: Sequence[Turn], messages: Sequence[tuple[bytes, Body]], settings: Settings
) -> tuple[str, list[told.StepRow]]:
    """The person's words, and the answers in their order; those that nothing went on from stand where they
    were given."""
    verdicts = _verdicts(db, [each.id for each in made])
    by_answer: dict[bytes, Turn] = {}
    for each in made:
        if each.answer_node is not None:
            by_answer.setdefault(each.answer_node, each)
    on_path: set[str] = set()
    asked: list[str] = []
    steps: list[told.StepRow] = []
    for node, message in messages:
        if message.get("role") == "assistant":
            turn = by_answer.get(node)
            if turn is not None:
                on_path.add(turn.id)
            steps.append(_step(message, turn, verdicts, settings))
        elif is_persons(message):
            asked.append(persons_text(message))
        elif message.get("role") == "tool" and steps:
            steps[-1] = _answered(steps[-1], message)
    if made:
        last = made[-1]
        answer = _answer(db, last)
        steps.append(_step(answer, last, verdicts, settings))
        on_path.add(last.id)
    aside = [each for each in made if each.id not in on_path]
    for turn in aside:
        step = replace(_step(_answer(db, turn), turn, verdicts, settings), aside=True)
        place = next((at for at, each in enumerate(steps) if each.turn > turn.id), len(steps))
        steps.insert(place, step)
    return "\n\n".join(each for each in asked if each), steps


def _step(
    message: Body | None, turn: Turn | None, verdicts: Mapping[str, Verdict], settings: Settings
) -> told.StepRow:
    said = text_of(message) if message is not None else ""
    step = told.StepRow(turn="", said=_cut(said, _CUT), calls=_calls(message or {}))
    if turn is None:
        return step
    verdict = verdicts.get(turn.id)
    return replace(
        step,
        turn=turn.id,
        outcome=turn.outcome,
        error=turn.error,
        model=turn.model,
        upstream=turn.upstream,
        dialect=turn.dialect,
        at=turn.begun_at,
        first_byte_ms=_milliseconds(turn.begun_at, turn.first_byte_at),
        total_ms=_milliseconds(turn.begun_at, turn.ended_at),
        input_tokens=turn.input_tokens,
        cached_tokens=turn.cached_tokens,
        output_tokens=turn.output_tokens,
        usage_estimated=turn.usage_estimated,
        cost=cost_of(turn, settings),
        verdict=_verdict(verdict) if verdict is not None else None,
    )


def _calls(message: Body) -> list[told.CallRow]:
    calls = message.get("tool_calls")
    found = []
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            name, arguments = str(function.get("name", "")), str(function.get("arguments", ""))
            found.append(
                told.CallRow(
                    name=name, arguments=_cut(arguments, _RESULT), result="", id=str(call.get("id", ""))
                )
            )
    return found


def _answered(step: told.StepRow, message: Body) -> told.StepRow:
    """The step with a tool's result beside its call; where none is known, as one of its own."""
    result, failed = _cut(text_of(message), _RESULT), is_failure(message)
    calls, wanted = list(step.calls), str(message.get("tool_call_id", ""))
    place = next((at for at, call in enumerate(calls) if wanted and call.id == wanted), None)
    if place is None:
        calls.append(told.CallRow(name="", arguments="", result=result, failed=failed))
    else:
        calls[place] = replace(calls[place], result=result, failed=failed)
    return replace(step, calls=calls)


def _answer(db: Db, turn: Turn) -> Body | None:
    node = db.get(Node, turn.answer_node) if turn.answer_node is not None else None
    return turns.body(db, node.message_id) if node is not None else None


def _said_next(db: Db, turn: Turn) -> str:
    """What the person said to the turn's answer."""
    after = db.get(Turn, turn.next_turn_id) if turn.next_turn_id else None
    if after is None or turn.answer_node is None:
        return ""
    return said_next(turns.messages(db, turns.path(db, after.request_node, above=turn.answer_node)))


def _verdicts(db: Db, ids: Sequence[str]) -> dict[str, Verdict]:
    return {each.turn_id: each for each in db.exec(select(Verdict).where(col(Verdict.turn_id).in_(ids)))}


def _verdict(verdict: Verdict) -> told.VerdictRow:
    return told.VerdictRow(
        score=verdict.score,
        votes=list(verdict.votes),
        reason=verdict.reason,
        kind=verdict.kind,
        by=verdict.model,
        transient=verdict.transient,
    )


def _carried(db: Db, turn: Turn, exchange: Exchange) -> list[told.CarriedSkill]:
    found: dict[str, told.CarriedSkill] = {}
    for each in turns.injections_on(db, turn.request_node, turn.session_id):
        for named in each.skills:
            name, _, version = named.partition("@")
            skill = db.get(Skill, name)
            found[named] = told.CarriedSkill(
                name=name,
                version=int(version or 0),
                here=each.anchor == exchange.opening,
                active=skill is not None and skill.state == SkillState.ACTIVE,
            )
    return list(found.values())


def _withheld(db: Db, exchange: Exchange) -> list[str]:
    kept = select(Withheld).where(
        Withheld.anchor == exchange.opening, Withheld.session_id == exchange.session_id
    )
    return [f"{each.skill}@{each.version}" for each in db.exec(kept)]


def _taught(db: Db, exchange_id: str) -> list[told.TaughtSkill]:
    """The proposals that were written from this exchange."""
    claim = db.get(Claim, exchange_id)
    if claim is None or claim.use != ClaimUse.SUPPORT:
        return []
    made = select(Proposal).where(Proposal.run_id == claim.run_id).order_by(col(Proposal.created_at))
    return [
        told.TaughtSkill(name=each.skill, state=each.state, proposal=each.id)
        for each in db.exec(made)
        if exchange_id in each.exchanges
    ]


def _side(db: Db, exchange_id: str) -> list[str]:
    return list(
        db.exec(select(Turn.id).where(Turn.exchange_id == exchange_id, Turn.kind == TurnKind.SIDE)).all()
    )


def _empty(exchange: Exchange) -> told.ExchangeRow:
    return told.ExchangeRow(
        id=exchange.id,
        turn="",
        session=exchange.session_id,
        agent=exchange.agent,
        at=exchange.started_at,
        asked="",
        answered="",
        turns=0,
        model="",
        upstream="",
        kind=TurnKind.MAIN,
        outcome="",
        score=None,
        thumb=0,
        skills=[],
        cost=None,
    )


def _milliseconds(start: datetime, end: datetime | None) -> float | None:
    return None if end is None else (end - start).total_seconds() * 1000


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}\n[… {len(text) - limit} characters more …]"
