"""What happened: turns, sessions, feedback, spend."""

from __future__ import annotations

import json
from typing import Any, Literal

import click

from metaclaw_tray.admin.api import (
    EndSession,
    GiveFeedback,
    ListSessions,
    ListTurns,
    SessionDetail,
    SessionRow,
    ShowSession,
    ShowSpend,
    ShowTurn,
    Spend,
    SpendRow,
    SwitchSkills,
    TurnDetail,
    TurnRow,
)
from metaclaw_tray.cli.asking import answer, ask, json_option
from metaclaw_tray.cli.forgetting import turns_forget
from metaclaw_tray.cli.output import pairs, say, table
from metaclaw_tray.cli.searching import narrowing, turns_raw, turns_search

_UNKNOWN = "—"  # a price that is not known, which is not 0

limit_option = click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True)


@click.group()
def turns() -> None:
    """Requests and their answers."""


@turns.command("list")
@limit_option
@click.option("--session", metavar="ID", help="Only of this session.")
@click.option("--agent", metavar="NAME", help="Only of this agent.")
@click.option("--exchange", metavar="ID", help="Only of this exchange.")
@narrowing
@json_option
def turns_list(
    limit: int, session: str | None, agent: str | None, exchange: str | None, as_json: bool, **narrowed: Any
) -> None:
    """The latest first."""
    asked = ListTurns(limit, session, agent, exchange, **narrowed)
    empty = "No turns yet." if agent is None else f"No turns of an agent {agent!r}."
    empty = "No turns fit all of this." if asked.narrowed else empty
    answer(asked, as_json, lambda rows: _show_turns(rows, empty))


@turns.command("show")
@click.argument("id")
@json_option
def turns_show(id: str, as_json: bool) -> None:
    """One turn whole: what was asked, what stood in front, what came back, what it was worth."""
    answer(ShowTurn(id), as_json, _show_turn)


turns.add_command(turns_forget)
turns.add_command(turns_search)
turns.add_command(turns_raw)


@click.group()
def sessions() -> None:
    """Conversations."""


@sessions.command("list")
@limit_option
@click.option("--agent", metavar="NAME", help="Only of this agent.")
@json_option
def sessions_list(limit: int, agent: str | None, as_json: bool) -> None:
    """The latest first."""
    answer(ListSessions(limit, agent), as_json, _show_sessions)


@sessions.command("show")
@click.argument("id")
@json_option
def sessions_show(id: str, as_json: bool) -> None:
    """One session with its turns."""
    answer(ShowSession(id), as_json, _show_session)


@sessions.command("end")
@click.argument("id")
def sessions_end(id: str) -> None:
    """Say that a session is over."""
    say(ask(EndSession(id)).text)


@sessions.command("skills")
@click.argument("id")
@click.argument("switch", type=click.Choice(["on", "off"]))
def sessions_skills(id: str, switch: str) -> None:
    """Put skills into a session's requests, or nothing while it is learnt from."""
    say(ask(SwitchSkills(id, switch == "on")).text)


@click.command()
@click.argument("exchange")
@click.argument("thumb", type=click.Choice(["up", "down"]))
@click.option("--note", default="", metavar="TEXT", help="What was good or bad about it.")
def feedback(exchange: str, thumb: Literal["up", "down"], note: str) -> None:
    """Thumbs for an exchange, by its id or `last`."""
    say(ask(GiveFeedback(exchange, thumb, note)).text)


@click.group()
def spend() -> None:
    """What agents and learning cost."""


@spend.command("show")
@click.option("--days", type=click.IntRange(1, 3660), default=30, show_default=True, help="Today and before.")
@click.option(
    "--by",
    type=click.Choice(["day", "agent", "model", "purpose"]),
    default="day",
    show_default=True,
    help="What to add up by.",
)
@json_option
def spend_show(days: int, by: Literal["day", "agent", "model", "purpose"], as_json: bool) -> None:
    """What agents cost, and what learning cost, with its caps. Days are those of UTC."""
    answer(ShowSpend(days, by), as_json, _show_spend)


def message_lines(message: Any) -> str:
    """A message of a conversation as a person reads it: who, then the text; other content as JSON."""
    if not isinstance(message, dict):
        return compact(message)
    content = message.get("content")
    if isinstance(content, list):
        content = "\n".join(
            part["text"] if isinstance(part, dict) and isinstance(part.get("text"), str) else compact(part)
            for part in content
        )
    text = content if isinstance(content, str) else "" if content is None else compact(content)
    calls = "".join(f"\n{compact(call)}" for call in message.get("tool_calls") or [])
    return f"[{message.get('role', '?')}] {text}{calls}"


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _show_turns(rows: list[TurnRow], empty: str = "No turns yet.") -> None:
    cells = [
        (
            row.at,
            row.id,
            row.agent,
            row.kind,
            row.outcome,
            row.generation,
            row.claim,
            row.verdict,
            _usd(row.cost),
            row.skills,
        )
        for row in rows
    ]
    headers = ["at", "id", "agent", "kind", "outcome", "gen", "claim", "verdict", "USD", "skills"]
    say(table(headers, cells, empty=empty))


def _show_turn(detail: TurnDetail) -> None:
    turn = detail.turn
    say(
        pairs(
            [
                ("turn", turn.id),
                ("exchange", turn.exchange),
                ("session", turn.session),
                ("agent", turn.agent),
                ("kind", turn.kind),
                ("outcome", _outcome(detail)),
                ("upstream", f"{detail.upstream} {turn.model}"),
                ("generation", turn.generation),
                ("skills", turn.skills),
                ("claim", turn.claim),
                ("set", f"{detail.in_set}: {detail.why_in_set}" if detail.in_set else "-"),
                ("verdict", "unscored" if turn.verdict is None else turn.verdict),
                ("reason", detail.reason or "-"),
                ("tokens", _tokens(turn)),
                ("cost", _UNKNOWN if turn.cost is None else f"{turn.cost:.6f} USD"),
                ("time", f"{_milliseconds(detail.first_byte_ms)} to the first byte, "
                 f"{_milliseconds(detail.total_ms)} in all"),
            ]
        )
    )  # fmt: skip
    for each in detail.evidence:
        say(f"evidence  {each.kind} {each.value:+d} by {each.origin}: {each.text}")
    for message in detail.messages:
        say()
        say(message_lines(message))
    if detail.block:
        say()
        say(f"--- put in front ---\n{detail.block}")
    if detail.answer is not None:
        say()
        say("--- the answer ---")
        say(message_lines(detail.answer))


def _outcome(detail: TurnDetail) -> str:
    said = f"{detail.turn.outcome} (HTTP {detail.status})" if detail.status else detail.turn.outcome
    return said if detail.error in ("", f"status {detail.status}") else f"{said} {detail.error}"


def _milliseconds(value: float | None) -> str:
    return "?" if value is None else f"{value:.0f} ms"


def _show_sessions(rows: list[SessionRow]) -> None:
    cells = [(row.last_at, row.agent, row.exchanges, row.turns, _session_state(row), row.id) for row in rows]
    say(table(["last", "agent", "exchanges", "turns", "state", "id"], cells, empty="No sessions yet."))


def _session_state(row: SessionRow) -> str:
    state = row.end_reason or "open"
    parts = [state, *([] if row.skills else ["skills off"]), *(f"trial of {each}" for each in row.trials)]
    return ", ".join(parts)


def _show_session(detail: SessionDetail) -> None:
    _show_sessions([detail.session])
    say()
    _show_turns(detail.turns)


def _tokens(turn: TurnRow) -> str:
    """The tokens of a turn, with the parts that have prices of their own."""
    parts = [(turn.cached_tokens, "cached"), (turn.cache_write_tokens, "put into the cache")]
    told = ", ".join(f"{count} {what}" for count, what in parts if count)
    sent = f"{turn.input_tokens} in" + (f" ({told})" if told else "")
    got = f"{turn.output_tokens} out"
    got += f" ({turn.reasoning_tokens} of reasoning)" if turn.reasoning_tokens else ""
    return f"{sent}, {got}" + (", estimated" if turn.usage_estimated else "")


def _show_spend(spent: Spend) -> None:
    say(f"learning today       {spent.day_usd:.4f} of {spent.day_limit_usd:.2f} USD")
    say(f"learning this month  {spent.month_usd:.4f} of {spent.month_limit_usd:.2f} USD")
    for whose, rows, total in (
        ("agents", spent.agents, spent.agents_total),
        ("learning", spent.learning, spent.learning_total),
    ):
        say()
        say(f"--- {whose}, the last {spent.days} days ---")
        headers = [spent.by, "calls", "in", "cached", "to cache", "out", "reasoning", "USD", "remarks"]
        cells = [_spend_cells(row) for row in ([*rows, total] if len(rows) > 1 else rows)]
        say(table(headers, cells, empty="Nothing."))
    if spent.price_table:
        say()
        say(f"Prices that you did not give are list prices from {spent.price_table}.")


def _spend_cells(row: SpendRow) -> tuple[Any, ...]:
    remarks = (
        (row.unpriced, "without a known price"),
        (row.unsettled, "unsettled, which count in full"),
        (row.estimated, "with estimated tokens"),
    )
    return (
        row.key,
        row.calls,
        row.input_tokens,
        row.cached_tokens,
        row.cache_write_tokens,
        row.output_tokens,
        row.reasoning_tokens,
        _usd(row.usd),
        ", ".join(f"{count} {what}" for count, what in remarks if count),
    )


def _usd(value: float | None) -> str:
    return _UNKNOWN if value is None else f"{value:.4f}"


COMMANDS = [turns, sessions, feedback, spend]
