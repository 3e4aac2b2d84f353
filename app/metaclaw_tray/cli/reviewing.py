"""The proposals that wait for a person, and what the person makes of them."""

from __future__ import annotations

import re
import sys
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import click

from metaclaw_tray.admin.api import (
    ApproveProposal,
    EditProposal,
    ListReview,
    ProposalDetail,
    ProposalRow,
    RejectProposal,
    ShowProposal,
    SnoozeProposal,
    TrialRow,
    TryProposal,
    Undo,
)
from metaclaw_tray.cli.asking import answer, ask, json_option, yes_option
from metaclaw_tray.cli.output import pairs, say, table
from metaclaw_tray.cli.record import compact, message_lines
from metaclaw_tray.errors import SkillError
from metaclaw_tray.files import in_words
from metaclaw_tray.skills.reading import SKILL_BYTES, read_plainly

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class Duration(click.ParamType[timedelta]):
    """A time such as 30m, 4h, 1d or 2w."""

    name = "TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        if isinstance(value, timedelta):
            return value
        found = re.fullmatch(r"([0-9]{1,4})([mhdw])", str(value).strip())
        if found is None or not int(found[1]):
            self.fail(f"{value!r} is no time such as 30m, 4h, 1d or 2w.", param, ctx)
        return timedelta(**{_UNITS[found[2]]: int(found[1])})


@click.group()
def review() -> None:
    """Changes to the library that wait for you."""


@review.command("list")
@click.option("--all", "all_", is_flag=True, help="Decided and refused ones too.")
@click.option(
    "--waiting", is_flag=True, help="Also those that wait: for another day, or because you said so."
)
@json_option
def review_list(all_: bool, waiting: bool, as_json: bool) -> None:
    """What is put before you today, and how many more wait."""
    if as_json:
        answer(ListReview(all_, waiting), True, _show_proposals)
        return
    rows = ask(ListReview(all_, waiting=True))
    shown = [row for row in rows if all_ or waiting or not row.waits]
    _show_proposals(shown)
    held = Counter(row.waits for row in rows if row.waits)
    if held and len(shown) < len(rows):
        told = "; ".join(f"{count}: {why}" for why, count in held.items())
        say(f"\n{sum(held.values())} more wait ({told}). See them: `metaclaw-tray review list --waiting`")


@review.command("show")
@click.argument("id")
@json_option
def review_show(id: str, as_json: bool) -> None:
    """A proposal whole: where it came from, what taught it, what was measured, what would change."""
    answer(ShowProposal(id), as_json, _show_proposal)


@review.command("approve")
@click.argument("id")
@yes_option
def review_approve(id: str, yes: bool) -> None:
    """Let it take effect, after reading it."""
    say(ask(ApproveProposal(id=id, yes=yes)).text)


@review.command("edit")
@click.argument("id")
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take the text from a file instead of your editor.",
)
@yes_option
def review_edit(id: str, file: Path | None, yes: bool) -> None:
    """Change the proposed text in your editor, read the change, and let that take effect."""
    detail = ask(ShowProposal(id))
    if not detail.text:
        raise SkillError("Nothing to edit", "This proposal has no text: it would retire the skill.")
    text = click.edit(detail.text, extension=".md") if file is None else _read(file)
    if text is None or text == detail.text:
        say("Nothing was edited, so nothing was decided.")
        return
    say(ask(EditProposal(id=id, text=text, seen=detail.digest, yes=yes)).text)


@review.command("reject")
@click.argument("id")
@click.option("--reason", default="", metavar="TEXT", help="Why; learning keeps to it.")
@yes_option
def review_reject(id: str, reason: str, yes: bool) -> None:
    """Turn it down. You are asked why, so that nothing like it is proposed again."""
    if not reason and not yes and sys.stdin.isatty():
        reason = click.prompt("Why (Enter for no reason)", default="", show_default=False)
    say(ask(RejectProposal(id=id, reason=reason.strip(), yes=yes)).text)


@review.command("snooze")
@click.argument("id")
@click.option("--for", "time", type=Duration(), default="1d", show_default=True, help="Such as 4h, 1d, 2w.")
def review_snooze(id: str, time: timedelta) -> None:
    """Have it come back later, by itself."""
    say(ask(SnoozeProposal(id=id, seconds=time.total_seconds())).text)


@review.command("trial")
@click.argument("id")
@click.option("--sessions", type=click.IntRange(2, 200), default=10, show_default=True, help="In all.")
@yes_option
def review_trial(id: str, sessions: int, yes: bool) -> None:
    """Let it take effect in every other session that it fits; it is taken back by itself after so many."""
    say(ask(TryProposal(id=id, sessions=sessions, yes=yes)).text)


@click.command()
@click.argument("entry")
@yes_option
def undo(entry: str, yes: bool) -> None:
    """Take back what an entry of the ledger did; an undo too."""
    say(ask(Undo(entry=entry, yes=yes)).text)


def _read(file: Path) -> str:
    try:
        return read_plainly(file, SKILL_BYTES, "it").decode("utf-8")
    except OSError as error:
        raise SkillError("The text cannot be read", f"{file}: {in_words(error)}.") from error
    except UnicodeDecodeError as error:
        raise SkillError("The text cannot be read", f"{file} is not UTF-8 text.", "Save it so.") from error
    except ValueError as error:
        raise SkillError("The text cannot be read", f"{file}: {error}.") from error


def _show_proposals(rows: list[ProposalRow]) -> None:
    cells = [
        (
            row.id,
            f"{row.state}, on trial" if row.trial else row.state,
            row.op,
            row.skill,
            row.taint or ("outside" if row.op == "outside" else "you"),
            len(row.evidence),
            row.outcome,
            row.waits or "-",
            row.why,
        )
        for row in rows
    ]
    headers = ["id", "state", "op", "skill", "from", "evidence", "measured", "waits", "why"]
    say(table(headers, cells, empty="Nothing waits for you."))


def _show_proposal(detail: ProposalDetail) -> None:
    proposal = detail.proposal
    if detail.source:
        say(detail.source)
    say(
        pairs(
            [
                ("proposal", proposal.id),
                ("state", proposal.state),
                ("waits", proposal.waits or "-"),
                ("what", f"{proposal.op} {proposal.skill}"),
                ("retired with it", detail.merges),
                ("why", proposal.why),
                ("measured", proposal.outcome),
                ("", proposal.gate.reason if proposal.gate else ""),
            ]
        )
    )
    for trial in detail.trials:
        say(_trial(trial))
    for exchange in detail.exchanges:
        say()
        say("--- taught by ---")
        say(_exchange(exchange))
    for measured in detail.gate_details:
        say()
        say("--- measured ---")
        say(_exchange(measured))
    say()
    say("--- the change ---")
    say(detail.diff or detail.text)


def _trial(trial: TrialRow) -> str:
    state = f"{trial.state}: {trial.reason}" if trial.reason else trial.state
    told = f"trial of version {trial.version}, {trial.placed} of {trial.sessions} sessions, {state}"
    return f"{told}. {trial.words}"


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and "role" in value


def _exchange(value: object) -> str:
    """Whatever a room tells of an exchange: its parts by name, messages as messages."""
    if not isinstance(value, dict):
        return compact(value)
    lines = []
    for name, part in value.items():
        if isinstance(part, list) and part and all(_is_message(item) for item in part):
            lines += [message_lines(item) for item in part]
        elif name == "evidence" and isinstance(part, list):
            lines += [f"{each['kind']} {each['value']:+d}: {each['text']}" for each in part]
        elif _is_message(part):
            lines.append(message_lines(part))
        else:
            lines.append(f"{name}: {part if isinstance(part, str) else compact(part)}")
    return "\n".join(lines)


COMMANDS = [review, undo]
