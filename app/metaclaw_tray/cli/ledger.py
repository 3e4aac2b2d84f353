"""Who changed what, and where a skill came from."""

from __future__ import annotations

from typing import Any

import click

from metaclaw_tray.admin.api import (
    ArmRow,
    Effect,
    LedgerDetail,
    LedgerRow,
    ListLedger,
    Mean,
    Rate,
    ShowEffect,
    ShowLedger,
    TraceSkill,
    TraceStep,
)
from metaclaw_tray.cli.asking import answer, json_option
from metaclaw_tray.cli.output import pairs, say, table
from metaclaw_tray.cli.record import compact, limit_option
from metaclaw_tray.settings import value_text

_TOLD = 4  # skills of one decision in a listing; the whole entry names all


@click.group()
def ledger() -> None:
    """Who changed what, and how."""


@ledger.command("list")
@limit_option
@json_option
def ledger_list(limit: int, as_json: bool) -> None:
    """The latest first. `metaclaw-tray undo ID` takes a change of a skill back."""
    answer(ListLedger(limit), as_json, _show_ledger)


@ledger.command("show")
@click.argument("id")
@json_option
def ledger_show(id: str, as_json: bool) -> None:
    """One entry whole: who, when, by which way, on what evidence, before and after."""
    answer(ShowLedger(id), as_json, _show_entry)


@click.command("effect")
@click.argument("name")
@click.option("--version", type=click.IntRange(1), help="Of one version; else of all of them.")
@json_option
def skills_effect(name: str, version: int | None, as_json: bool) -> None:
    """Whether it helps: verdicts, tokens and time with it, and without it in trials."""
    answer(ShowEffect(name, version), as_json, _show_effect)


@click.command("trace")
@click.argument("name")
@json_option
def skills_trace(name: str, as_json: bool) -> None:
    """From the first turn that went wrong to what became of the exchanges it was chosen for."""
    answer(TraceSkill(name), as_json, _show_trace)


def _show_ledger(rows: list[LedgerRow]) -> None:
    cells = [
        (
            row.at,
            row.id,
            row.action,
            row.subject,
            row.channel,
            row.generation,
            row.undone,
            _change(row),
            row.ancestry or row.actor,
        )
        for row in rows
    ]
    headers = ["at", "id", "action", "subject", "channel", "gen", "undone", "change", "by"]
    say(table(headers, cells, empty="Nothing was changed yet."))


def _change(row: LedgerRow) -> str:
    """From what to what, in few words; the whole entry tells more."""
    if row.action in ("settings", "by hand", "secret"):
        keys = dict.fromkeys([*row.before, *row.after])
        # One that came or went is named by its subject, so its defaults need not be told.
        told = [(key, value_text(row.before.get(key)), value_text(row.after.get(key))) for key in keys]
        return "; ".join(f"{key}: {old} → {new}" for key, old, new in told if old != new)
    skills = [f"{_standing(row.before)} → {_standing(row.after)}"] if "version" in row.after else []
    before, after = (each.get("skills", {}) for each in (row.before, row.after))
    skills += [f"{name}: {_standing(before.get(name, {}))} → {_standing(after[name])}" for name in after]
    if skills:
        more = f"; and {len(skills) - _TOLD} more" if len(skills) > _TOLD else ""
        return "; ".join(skills[:_TOLD]) + more
    return str(row.after.get("reason") or row.after.get("until") or "-")


def _standing(standing: dict[str, Any]) -> str:
    if "version" not in standing:
        return "nothing"
    agents = f" for {', '.join(standing['agents'])}" if standing.get("agents") else ""
    return f"{standing['state']} @{standing['version']}{agents}"


def _show_entry(detail: LedgerDetail) -> None:
    entry = detail.entry
    say(
        pairs(
            [
                ("entry", entry.id),
                ("at", entry.at),
                ("what", f"{entry.action} {entry.subject}"),
                ("who", entry.actor),
                ("by which way", entry.channel),
                ("asked by", entry.ancestry),
                ("generation it began", entry.generation or "-"),
                ("undone by", detail.undone_by or "-"),
                ("proposal", detail.proposal or "-"),
                ("why", detail.why or "-"),
                ("evidence", detail.evidence),
                ("measured", detail.outcome or "-"),
                ("before", compact(entry.before)),
                ("after", compact(entry.after)),
            ]
        )
    )
    if detail.diff:
        say()
        say("--- the change of what is live ---")
        say(detail.diff)


def _show_effect(effect: Effect) -> None:
    say("\n".join(effect.words))
    arms = [("chosen, put in", effect.injected), ("chosen, withheld", effect.withheld)]
    for each in effect.trials:
        named = f"trial of @{each.trial.version}"
        other = f"with @{each.against}" if each.against else "without"
        arms += [(f"{named}, with", each.with_skill), (f"{named}, {other}", each.without_skill)]
    say()
    cells = [(name, *_arm(arm)) for name, arm in arms]
    headers = ["exchanges", "sessions", "number", "judged", "went well", "badly", "tokens", "seconds"]
    say(table(headers, cells, empty="It fitted nowhere yet."))


def _arm(arm: ArmRow) -> tuple[Any, ...]:
    return (
        arm.sessions,
        arm.exchanges,
        arm.good.of,
        _rate(arm.good),
        _rate(arm.bad),
        _mean(arm.tokens),
        _mean(arm.seconds),
    )


def _rate(rate: Rate) -> str:
    return f"{rate.count} ({rate.low:.0%} to {rate.high:.0%})" if rate.of else "-"


def _mean(mean: Mean | None) -> str:
    return "-" if mean is None else f"{mean.mean:.4g} ({max(0.0, mean.low):.4g} to {mean.high:.4g})"


def _show_trace(steps: list[TraceStep]) -> None:
    cells = [(step.at, step.kind, step.id, step.text) for step in steps]
    say(table(["at", "what", "id", "how"], cells, empty="Nothing is known of it."))


COMMANDS = [ledger]
