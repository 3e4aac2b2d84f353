"""Exchanges for a person: pages of them, what was found, and one of them as a conversation."""

from __future__ import annotations

import json
from typing import Any

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.api import conversations as told
from metaclaw_tray.admin.server import Call, Handlers
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade.exchanges import show_exchange
from metaclaw_tray.store import exchange_rows, indexing, searching, thumbs, turns, wanted
from metaclaw_tray.store.exchange_rows import Brief
from metaclaw_tray.store.folding import Asked, asked, marks
from metaclaw_tray.store.leaving import raw
from metaclaw_tray.store.wanted import Wanted
from metaclaw_tray.wire.said import persons_words, text_of

_FLUSH_SECONDS = 3.0
_LINE = 240  # characters of a row's line
_BEFORE = 60  # characters before the first word that was looked for
_MOST = 500  # rows of a page
_MARKED = 4_000  # characters around a hit in which it is looked for


class ConversationsDesk:
    """Answers the verbs of conversations."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def handlers(self) -> Handlers:
        return {
            told.ListExchanges: self.list,
            told.ListFacets: self.facets,
            told.ShowExchange: self.show,
            told.ShowRaw: self.raw,
            told.TakeBackFeedback: self.take_back,
        }

    async def list(self, verb: told.ListExchanges, _call: Call) -> told.Exchanges:
        if not verb.before:  # a later page shows what was there before
            await self._runtime.scribe.flush(_FLUSH_SECONDS)
        return await self._runtime.store.aread(lambda db: list_exchanges(db, verb))

    async def facets(self, _verb: told.ListFacets, _call: Call) -> told.Facets:
        def read(db: Db) -> told.Facets:
            agents, models = exchange_rows.facets(raw(db))
            return told.Facets(agents=agents, models=models)

        return await self._runtime.store.aread(read)

    async def show(self, verb: told.ShowExchange, _call: Call) -> told.ExchangeDetail:
        await self._runtime.scribe.flush(_FLUSH_SECONDS)
        now, settings = self._runtime.clock.now(), self._runtime.settings

        def read(db: Db) -> told.ExchangeDetail:
            found = turns.exchange(db, verb.id)
            last = max(turns.turns_of(db, found.id), key=lambda turn: turn.id, default=None)
            row = _rows(db, [(found.id, last.id if last else "")])
            return show_exchange(db, found, row[0] if row else None, settings, now)

        return await self._runtime.store.aread(read)

    async def raw(self, verb: told.ShowRaw, _call: Call) -> told.RawTurn:
        await self._runtime.scribe.flush(_FLUSH_SECONDS)
        return await self._runtime.store.aread(lambda db: show_raw(db, verb))

    async def take_back(self, verb: told.TakeBackFeedback, call: Call) -> api.Said:
        await call.spoken("take feedback back")
        runtime = self._runtime

        def write(db: Db) -> str:
            exchange = turns.exchange(db, verb.exchange)
            thumbs.take_back(db, exchange.id, runtime.clock.now())
            return f"{exchange.agent}, {exchange.started_at:%Y-%m-%d %H:%M} UTC"

        which = await runtime.store.awrite(write)
        runtime.learner.wake()
        return api.Said(text=f"The thumb for the exchange of {which} is taken back.")


def list_exchanges(db: Db, verb: told.ListExchanges) -> told.Exchanges:
    """A page of what is asked for."""
    connection, limit = raw(db), max(1, min(verb.limit, _MOST))
    which = Wanted(
        kind=verb.kind,
        agent=verb.agent,
        model=verb.model,
        outcome=verb.outcome,
        skill=verb.skill,
        thumb=verb.thumb,
        since=verb.since,
        until=verb.until,
        session=verb.session,
    )
    share = indexing.progress(connection).share
    words = asked(verb.text)
    if words:
        found = searching.search(connection, words, which, verb.before, limit)
        texts = {each.turn_id: each.text for each in found.hits}
        rows = [
            _marked(row, texts[row.turn], words)
            for row in _rows(db, [(each.exchange_id, each.turn_id) for each in found.hits])
        ]
        return told.Exchanges(rows=rows, next=found.next, searchable=share)
    lists = wanted.exchanges if verb.kind == "main" else wanted.turns
    page = lists(connection, which, verb.before, limit)
    return told.Exchanges(rows=_rows(db, page.found), next=page.next, searchable=share)


def show_raw(db: Db, verb: told.ShowRaw) -> told.RawTurn:
    """A turn as it is kept. Raises NotFoundError."""
    found = turns.conversation(db, verb.id)
    settings = turns.body(db, found.turn.settings_id) if found.turn.settings_id else {}
    system = [{"role": "system", "content": found.system}] if found.system else []
    request = _pretty({**settings, "messages": [*system, *found.request]})
    answer = _pretty(found.answer) if found.answer is not None else ""
    limit = max(1000, verb.limit)
    return told.RawTurn(
        id=found.turn.id,
        request=request[:limit],
        answer=answer[:limit],
        cut=len(request) > limit or len(answer) > limit,
    )


def _rows(db: Db, pairs: Any) -> list[told.ExchangeRow]:
    return [_row(each) for each in exchange_rows.briefs(raw(db), pairs)]


def _row(brief: Brief) -> told.ExchangeRow:
    opening = brief.opening or {}
    words = persons_words(opening)
    return told.ExchangeRow(
        id=brief.exchange_id or brief.turn_id,
        turn=brief.turn_id,
        session=brief.session_id,
        agent=brief.agent,
        at=brief.at,
        asked=_line(words if words else text_of(opening)),
        answered=_line(text_of(brief.answer or {})),
        turns=brief.turns,
        model=brief.model,
        upstream=brief.upstream,
        kind=brief.kind,
        outcome=brief.outcome,
        score=brief.score,
        thumb=brief.thumb,
        skills=list(brief.skills),
        cost=brief.cost,
    )


def _marked(row: told.ExchangeRow, text: str, words: Asked) -> told.ExchangeRow:
    """The row with the line in which the words stand, and where."""
    first = _first(text, words)
    line = " ".join(text[max(0, first - _BEFORE) : first + _LINE].split())
    values = {name: getattr(row, name) for name in row.__struct_fields__}
    before = "… " if first > _BEFORE else ""
    found = [(start + len(before), end + len(before)) for start, end in marks(line, words)]
    return told.ExchangeRow(**(values | {"snippet": f"{before}{line}", "spans": found}))


def _first(text: str, words: Asked) -> int:
    """Where the first of the words stands, about."""
    for part in words.parts:
        at = text.lower().find(part.strip().replace(" ", "") if not part.isascii() else part.strip())
        if at >= 0:
            return at
    found = marks(text[:_MARKED], words)
    return found[0][0] if found else 0


def _line(text: str) -> str:
    return " ".join(text[: _LINE * 2].split())[:_LINE]


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
