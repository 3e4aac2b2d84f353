"""What was spent, as rows for a person."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.prices import own_cost, table
from metaclaw_tray.prices.upstreams import needs_table, tariff_named
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import costs, spend


def show_spend(db: Db, asked: api.ShowSpend, settings: Settings, now: datetime) -> api.Spend:
    """Costs of the days that were asked for, and learning against its caps."""
    turns = costs.turn_costs(db, asked.by, now, days=asked.days)
    calls = costs.call_costs(db, asked.by, now, days=asked.days)
    return api.Spend(
        day_usd=spend.spent_today(db, now),
        month_usd=spend.spent_this_month(db, now),
        day_limit_usd=settings.budget.day_usd,
        month_limit_usd=settings.budget.month_usd,
        days=asked.days,
        by=asked.by,
        agents=_rows(turns, settings),
        agents_total=_row("in all", turns, settings),
        learning=_rows(calls, settings),
        learning_total=_row("in all", calls, settings),
        price_table=table.described() if needs_table(settings) else "",
    )


def _rows(figures: Iterable[costs.Figures], settings: Settings) -> list[api.SpendRow]:
    keyed: dict[str, list[costs.Figures]] = {}
    for each in figures:
        keyed.setdefault(each.key, []).append(each)
    return [_row(key, alike, settings) for key, alike in keyed.items()]


def _row(key: str, figures: list[costs.Figures], settings: Settings) -> api.SpendRow:
    prices = [(each.usd if each.priced else _later(each, settings), each.calls) for each in figures]
    known = [usd for usd, _ in prices if usd is not None]

    def tokens(name: str) -> int:
        return sum(getattr(each.tokens, name) for each in figures)

    return api.SpendRow(
        key=key,
        calls=sum(each.calls for each in figures),
        input_tokens=tokens("input"),
        cached_tokens=tokens("cached"),
        cache_write_tokens=tokens("cache_write"),
        output_tokens=tokens("output"),
        reasoning_tokens=tokens("reasoning"),
        usd=sum(known) if known or not figures else None,
        unpriced=sum(calls for usd, calls in prices if usd is None),
        estimated=sum(each.estimated for each in figures),
        unsettled=sum(each.unsettled for each in figures),
    )


def _later(figures: costs.Figures, settings: Settings) -> float | None:
    """What calls cost whose price was not known when they were made, if the person has given it since."""
    return own_cost(tariff_named(settings, figures.upstream), figures.tokens)
