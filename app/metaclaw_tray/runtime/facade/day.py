"""A day as the window tells it: figures and changes from the record, stretches of time, and what waits."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Literal

from msgspec.structs import replace
from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.api.day import ChangeWord, SpanKind
from metaclaw_tray.admin.server import Call, Handlers
from metaclaw_tray.errors import SettingsError, UsageError
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade import status
from metaclaw_tray.runtime.facade.training import Windows
from metaclaw_tray.settings import Budget
from metaclaw_tray.store import day as query
from metaclaw_tray.store import spend
from metaclaw_tray.store.columns import moment
from metaclaw_tray.store.tables import Run
from metaclaw_tray.store.tables_library import Proposal, ProposalState

_GAP = timedelta(minutes=10)  # between two stretches that are told as one
_FLUSH_SECONDS = 3.0

_TRAINING: dict[str, Literal["none", "off", "on"]] = {"none": "none", "closed": "off", "open": "on"}
_ENDED: dict[str, ChangeWord] = {"nothing": "nothing", "failed": "failed"}  # of runs; refused else


class DayDesk:
    """Answers `day.show`. `zone` is that of the clock on the wall; the system's where none is given."""

    def __init__(self, runtime: Runtime, windows: Windows, zone: tzinfo | None = None) -> None:
        self._runtime = runtime
        self._windows = windows
        self._zone = zone

    def handlers(self) -> Handlers:
        return {api.ShowDay: self.show}

    async def show(self, verb: api.ShowDay, _call: Call) -> api.Day:
        """Raises UsageError."""
        runtime, now = self._runtime, self._runtime.clock.now()
        today = now.astimezone(self._zone).date()
        asked = _date(verb.date, today)
        span = query.Span(self._midnight(asked), self._midnight(asked + timedelta(days=1)))
        await runtime.scribe.flush(_FLUSH_SECONDS)
        budget = runtime.settings.budget
        found = await runtime.store.aread(
            lambda db: _told(db, asked, span, now if asked == today else None, budget)
        )
        planned = await self._windows.spans(span.begin, span.end)
        schedule = await self._windows.schedule()
        found = replace(
            found, spans=sorted([*found.spans, *planned], key=lambda each: (each.begin, each.end))
        )
        if asked != today:
            return found
        return replace(
            found,
            waiting=await self._waiting(),
            next_window=schedule.next,
            training=_TRAINING[schedule.state],
            why_not_training=schedule.why_not,
            learning_model=self._runtime.settings.learning.model,
        )

    async def _waiting(self) -> list[api.Waiting]:
        return [
            *await asyncio.to_thread(_edited, self._runtime),
            *(api.Waiting(kind="trouble", text=each) for each in status.wrong(self._runtime)),
        ]

    def _midnight(self, of: date) -> datetime:
        """Its first moment: a day may have 23 or 25 hours."""
        if self._zone is None:
            return datetime.combine(of, time()).astimezone()
        return datetime.combine(of, time(), self._zone)


def _edited(runtime: Runtime) -> list[api.Waiting]:
    """What somebody made of the settings file: it counts from a yes, or it cannot be used. Blocking."""
    said = status.edited(runtime)
    try:
        keys = status.edited_keys(runtime)
    except SettingsError:
        return [api.Waiting(kind="trouble", text=each) for each in said]
    return [api.Waiting(kind="agreement", text=each, keys=keys) for each in said]


def _date(said: str, today: date) -> date:
    try:
        asked = date.fromisoformat(said) if said else today
    except ValueError:
        raise UsageError("No such day", f"{said!r} is no date.", "Write it as 2026-03-03.") from None
    if not date(1970, 1, 2) <= asked <= today:
        raise UsageError("No such day", f"{asked} lies ahead, or too far back.", "Ask for today or earlier.")
    return asked


def _told(db: Db, of: date, span: query.Span, now: datetime | None, budget: Budget) -> api.Day:
    asked, went = query.asked(db, span), query.went(db, span)
    proposals, runs = query.proposals_of(db, span), query.runs_of(db, span)
    costs = query.costs(db, span)
    running = [query.Stretch(each.started_at, each.ended_at or each.started_at, "") for each in runs]
    return api.Day(
        date=of.isoformat(),
        begin=span.begin,
        end=span.end,
        now=now,
        earlier=query.goes_back_before(db, span.begin),
        exchanges=len(asked.began),
        agents=[api.AgentDay(agent=agent, exchanges=count) for agent, count in asked.agents],
        carried=asked.carried,
        notes=[api.NoteDay(skill=name, exchanges=count) for name, count in asked.notes.most_common()],
        judged=went.judged,
        good=went.good,
        bad=went.bad,
        corrected=went.corrected,
        praised=went.praised,
        changes=_changes(proposals, query.turned_down(runs, proposals), span),
        faults=[
            api.DayFault(
                kind=each.kind, count=each.count, at=each.at, reason=each.reason, subject=each.subject
            )
            for each in query.faults(db, span)
        ],
        learning_usd=sum(usd for _, _, usd in costs),
        costs=[api.LearningCost(purpose=purpose, calls=calls, usd=usd) for purpose, calls, usd in costs],
        counted_usd=spend.spent_today(db, now) if now is not None else None,
        limit_usd=budget.day_usd,
        spans=[
            *_spans("activity", query.answering(db, span), span, asked.began),
            *_spans("learning", sorted([*query.learning(db, span), *running]), span),
        ],
    )


def _changes(proposals: Sequence[Proposal], runs: Iterable[Run], span: query.Span) -> list[api.DayChange]:
    """What became of proposals, and of runs that came to none, oldest first."""
    found: list[api.DayChange] = []

    def add(what: ChangeWord, made: Proposal, at: datetime | None, why: str) -> None:
        if at is not None and span.begin <= at < span.end:
            found.append(
                api.DayChange(what=what, skill=made.skill, op=made.op, why=why, proposal=made.id, at=at)
            )

    for made in proposals:
        if made.state == ProposalState.REFUSED:
            add("refused", made, made.created_at, made.reason)
            continue
        add("proposed", made, made.created_at, made.why)
        if made.state == ProposalState.APPROVED:
            add("approved", made, made.decided_at, "")
        elif made.state == ProposalState.REJECTED:
            add("rejected", made, made.decided_at, made.reason)
    for run in runs:
        what = _ENDED.get(run.state, "refused")
        found.append(api.DayChange(what=what, skill=run.cluster, why=run.reason, at=run.started_at))
    return sorted(found, key=lambda each: each.at)


def _spans(
    kind: SpanKind, stretches: Iterable[query.Stretch], day: query.Span, began: Sequence[int] = ()
) -> list[api.DaySpan]:
    """Stretches that touch, or nearly, as one; `began` (microseconds, sorted) is counted in each."""
    merged: list[tuple[datetime, datetime, set[str]]] = []
    for begin, end, who in stretches:
        if merged and begin - merged[-1][1] <= _GAP:
            first, last, names = merged[-1]
            merged[-1] = (first, max(last, end), names | {who})
        else:
            merged.append((begin, end, {who}))
    return [
        api.DaySpan(
            kind=kind,
            begin=begin,
            end=min(end, day.end),
            words=", ".join(sorted(names - {""})),
            count=bisect_right(began, moment(end)) - bisect_left(began, moment(begin)),
        )
        for begin, end, names in merged
    ]
