"""`turns search`: what was said, found again; and a turn letter by letter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import click

from metaclaw_tray.admin.api import ExchangeRow, Exchanges, ListExchanges, RawTurn, ShowRaw
from metaclaw_tray.cli.asking import answer, ask, json_option
from metaclaw_tray.cli.output import note, say, say_json, table

_DAY, _MINUTE = "%Y-%m-%d", "%Y-%m-%dT%H:%M"


class _Moment(click.DateTime):
    """A date by the person's own clock."""

    name = "date"

    def __init__(self) -> None:
        super().__init__([_DAY, _MINUTE])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        found: datetime = super().convert(value, param, ctx)
        return found.astimezone()


def _said(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str:
    return value or ""


def narrowing(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that leave turns out."""
    options = (
        click.option(
            "--kind", type=click.Choice(["main", "side"]), callback=_said, help="The person's, or errands."
        ),
        click.option("--model", default="", metavar="NAME", help="Only of this model."),
        click.option(
            "--outcome",
            type=click.Choice(["good", "bad", "unscored", "failed"]),
            callback=_said,
            help="How the exchange went, or that the answer failed.",
        ),
        click.option(
            "--skill", default="", metavar="NAME", help="With this skill in front, or `any`, or `none`."
        ),
        click.option(
            "--thumb", type=click.Choice(["any", "up", "down"]), callback=_said, help="With your thumb."
        ),
        click.option(
            "--since", type=_Moment(), metavar="DATE", help="That began then or later, as 2026-03-01."
        ),
        click.option("--until", type=_Moment(), metavar="DATE", help="That began before."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command("search")
@click.argument("text", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--agent", default="", metavar="NAME", help="Only of this agent.")
@narrowing
@json_option
def turns_search(text: tuple[str, ...], limit: int, agent: str, as_json: bool, **narrowed: Any) -> None:
    """Exchanges in which all of TEXT was said, the latest first.

    Parts of words are found too; words in quotation marks stand side by side. Of each message the first
    20,000 characters can be found.
    """
    narrowed["kind"] = narrowed["kind"] or "main"
    rows: list[ExchangeRow] = []
    seen: set[str] = set()
    before, share = "", 1.0
    while len(rows) < limit:
        asked = ListExchanges(
            text=" ".join(text), agent=agent, before=before, limit=limit - len(rows), **narrowed
        )
        page: Exchanges = ask(asked)
        rows += [row for row in page.rows if row.id not in seen]
        seen |= {row.id for row in page.rows}
        before, share = page.next, page.searchable
        if not before:
            break
    if share < 1:
        note(f"{share:.0%} of the record can be searched so far; the rest is being made ready.")
    if as_json:
        say_json(rows)
    else:
        cells = [(row.at, row.turn, row.agent, row.score, row.snippet) for row in rows]
        say(table(["at", "id", "agent", "verdict", "said"], cells, empty="Nothing was found."))


@click.command("raw")
@click.argument("id")
@json_option
def turns_raw(id: str, as_json: bool) -> None:
    """The request and the answer of a turn as they are kept: redacted, without what was put in front."""
    answer(ShowRaw(id, limit=100_000_000), as_json, _show_raw)


def _show_raw(turn: RawTurn) -> None:
    say(turn.request)
    if turn.answer:
        say()
        say("--- the answer ---")
        say(turn.answer)
