"""What happened, as rows for a person: turns and sessions with what came of them."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.prices import Tokens, own_cost
from metaclaw_tray.prices.upstreams import tariff_named
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import figures, library, query_set, trials, turns, wanted
from metaclaw_tray.store.leaving import raw
from metaclaw_tray.store.tables import Session, Turn, TurnOutcome
from metaclaw_tray.store.tables_library import Ledger
from metaclaw_tray.store.wanted import Wanted


def list_turns(db: Db, asked: api.ListTurns, settings: Settings) -> list[api.TurnRow]:
    """The turns that are asked for. Raises NotFoundError where there is no such session or exchange."""
    if asked.session:
        turns.session(db, asked.session)
    if asked.exchange:
        turns.exchange(db, asked.exchange)
    if asked.narrowed and not asked.exchange:
        return [turn_row(view, settings) for view in _narrowed(db, asked)]
    found = turns.turns(
        db, limit=asked.limit, session_id=asked.session, agent=asked.agent, exchange_id=asked.exchange
    )
    return [turn_row(view, settings) for view in found]


def _narrowed(db: Db, asked: api.ListTurns) -> list[turns.TurnView]:
    """The newest turns that fit, looked for page by page until there are enough."""
    which = Wanted(
        kind=asked.kind or "main",
        agent=asked.agent or "",
        model=asked.model,
        outcome=asked.outcome,
        skill=asked.skill,
        thumb=asked.thumb,
        since=asked.since,
        until=asked.until,
        session=asked.session or "",
    )
    ids: list[str] = []
    before = ""
    while len(ids) < asked.limit:
        page = wanted.turns(raw(db), which, before, asked.limit - len(ids), both=not asked.kind)
        ids += [turn_id for _, turn_id in page.found]
        before = page.next
        if not before:
            break
    return [turns.turn(db, each) for each in ids]


def show_turn(db: Db, turn_id: str, settings: Settings, now: datetime) -> api.TurnDetail:
    view = turns.turn(db, turn_id)
    turn = view.turn
    told = turns.conversation(db, turn.id)
    exchange = turn.exchange_id
    messages = [{"role": "system", "content": told.system}] if told.system else []
    in_set, why = query_set.why_in_set(db, exchange, now) if exchange else ("", "")
    return api.TurnDetail(
        turn=turn_row(view, settings),
        upstream=turn.upstream,
        status=turn.status,
        error=turn.error,
        messages=[*messages, *told.request],
        answer=told.answer,
        block="\n\n".join(
            each.block for each in turns.injections_on(db, turn.request_node, turn.session_id) if each.block
        ),
        reason=view.verdict.reason if view.verdict else "",
        evidence=[
            api.EvidenceRow(kind=each.kind, value=each.value, origin=each.origin, text=each.text, at=each.at)
            for each in (figures.evidence_of(db, exchange) if exchange else [])
        ],
        input_tokens=turn.input_tokens,
        output_tokens=turn.output_tokens,
        usage_estimated=turn.usage_estimated,
        first_byte_ms=_milliseconds(turn.begun_at, turn.first_byte_at),
        total_ms=_milliseconds(turn.begun_at, turn.ended_at),
        in_set=in_set,
        why_in_set=why,
    )


def turn_row(view: turns.TurnView, settings: Settings) -> api.TurnRow:
    turn = view.turn
    return api.TurnRow(
        id=turn.id,
        exchange=turn.exchange_id,
        session=turn.session_id,
        agent=turn.agent,
        kind=turn.kind,
        outcome=turn.outcome,
        generation=turn.generation,
        skills=list(view.skills),
        claim=view.claim or None,
        verdict=view.verdict.score if view.verdict else None,
        cost=cost_of(turn, settings),
        model=turn.model,
        at=turn.begun_at,
        dialect=turn.dialect,
        upstream=turn.upstream,
        input_tokens=turn.input_tokens,
        cached_tokens=turn.cached_tokens,
        cache_write_tokens=turn.cache_write_tokens,
        output_tokens=turn.output_tokens,
        reasoning_tokens=turn.reasoning_tokens,
        usage_estimated=turn.usage_estimated,
    )


def cost_of(turn: Turn, settings: Settings) -> float | None:
    """What the turn cost in USD by the prices of its moment; by the person's own of today, where none was
    known then; None where none is known now, or while the turn has not ended."""
    if turn.cost_usd is not None or turn.outcome == TurnOutcome.OPEN:
        return turn.cost_usd
    tokens = Tokens(
        input=turn.input_tokens,
        cached=turn.cached_tokens,
        output=turn.output_tokens,
        cache_write=turn.cache_write_tokens,
    )
    return own_cost(tariff_named(settings, turn.upstream), tokens)


def list_sessions(db: Db, asked: api.ListSessions) -> list[api.SessionRow]:
    found = turns.sessions(db, limit=asked.limit, agent=asked.agent)
    ids = [each.id for each in found]
    counts, tried = figures.session_counts(db, ids), trials.of_sessions(db, ids)
    return [_session_row(each, *counts[each.id], tried.get(each.id, [])) for each in found]


def show_session(db: Db, session_id: str, settings: Settings) -> api.SessionDetail:
    found = turns.session(db, session_id)
    counts = figures.session_counts(db, [session_id])
    listed = turns.turns(db, session_id=session_id, limit=1000)
    return api.SessionDetail(
        session=_session_row(
            found, *counts[session_id], trials.of_sessions(db, [session_id]).get(session_id, [])
        ),
        turns=[turn_row(view, settings) for view in listed],
    )


def list_ledger(db: Db, limit: int) -> list[api.LedgerRow]:
    return [ledger_row(each) for each in library.ledger(db, limit)]


def ledger_row(entry: Ledger) -> api.LedgerRow:
    return api.LedgerRow(
        id=entry.id,
        at=entry.at,
        action=entry.action,
        subject=entry.subject,
        actor=entry.actor,
        channel=entry.channel,
        ancestry=list(entry.ancestry),
        generation=entry.generation or 0,
        undone=entry.undone_by is not None,
        before=entry.before,
        after=entry.after,
    )


def _session_row(session: Session, exchanges: int, turn_count: int, tried: list[str]) -> api.SessionRow:
    return api.SessionRow(
        id=session.id,
        agent=session.agent,
        started_at=session.started_at,
        last_at=session.last_at,
        ended_at=session.ended_at,
        end_reason=session.end_reason,
        exchanges=exchanges,
        turns=turn_count,
        skills=not session.observe_only,
        trials=tried,
    )


def _milliseconds(start: datetime, end: datetime | None) -> float | None:
    return None if end is None else (end - start).total_seconds() * 1000


def find_session(db: Db, session_id: str) -> Session:
    return turns.session(db, session_id)
