"""The skills, the proposals to read, and the way back."""

from __future__ import annotations

from pathlib import Path

import click

from metaclaw_tray.admin.api import (
    AddSkill,
    ApproveProposal,
    DisableSkill,
    EnableSkill,
    GenerationDetail,
    GenerationRow,
    ListGenerations,
    ListReview,
    ListSkills,
    ProposalDetail,
    ProposalRow,
    RejectProposal,
    RetireSkill,
    SearchSkills,
    ShowGeneration,
    ShowProposal,
    ShowSkill,
    ShowSkillHistory,
    SkillDetail,
    SkillHit,
    SkillRow,
    SkillVersionRow,
    Undo,
)
from metaclaw_tray.cli.asking import answer, ask, json_option, yes_option
from metaclaw_tray.cli.exporting import skills_export
from metaclaw_tray.cli.importing import skills_import
from metaclaw_tray.cli.output import pairs, say, table
from metaclaw_tray.cli.record import compact, limit_option, message_lines
from metaclaw_tray.errors import SkillError
from metaclaw_tray.files import in_words
from metaclaw_tray.skills.reading import read_plainly

SKILL_FILE = "SKILL.md"
_TEXT_LIMIT = 1024 * 1024  # bytes; a skill is a page


@click.group()
def skills() -> None:
    """What is put in front of the model."""


@skills.command("list")
@json_option
def skills_list(as_json: bool) -> None:
    """The library."""
    answer(ListSkills(), as_json, _show_skills)


@skills.command("show")
@click.argument("name")
@click.option("--version", type=click.IntRange(1), help="An older one.")
@json_option
def skills_show(name: str, version: int | None, as_json: bool) -> None:
    """One skill, whole."""
    answer(ShowSkill(name, version), as_json, _show_skill)


@skills.command("add")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@yes_option
def skills_add(path: Path, yes: bool) -> None:
    """Add a skill of your own: a folder with a SKILL.md, or the file itself."""
    file = path / SKILL_FILE if path.is_dir() else path
    try:
        text = read_plainly(file, _TEXT_LIMIT).decode()
    except OSError as error:
        raise SkillError("The skill cannot be read", f"{file}: {in_words(error)}.", "") from error
    except UnicodeDecodeError as error:
        raise SkillError(
            "The skill cannot be read", f"{file} is not UTF-8 text.", "Save it as UTF-8."
        ) from error
    except ValueError as error:
        raise SkillError("The skill cannot be read", f"{file}: {error}.", "") from error
    say(ask(AddSkill(text=text, folder=file.absolute().parent.name, yes=yes)).text)


@skills.command("enable")
@click.argument("name")
@yes_option
def skills_enable(name: str, yes: bool) -> None:
    """Let a disabled skill take effect again."""
    say(ask(EnableSkill(name=name, yes=yes)).text)


@skills.command("disable")
@click.argument("name")
@yes_option
def skills_disable(name: str, yes: bool) -> None:
    """Keep a skill from taking effect, for now."""
    say(ask(DisableSkill(name=name, yes=yes)).text)


@skills.command("retire")
@click.argument("name")
@yes_option
def skills_retire(name: str, yes: bool) -> None:
    """Take a skill out of the library; its history stays."""
    say(ask(RetireSkill(name=name, yes=yes)).text)


@skills.command("history")
@click.argument("name")
@json_option
def skills_history(name: str, as_json: bool) -> None:
    """The versions of a skill and what changed in each."""
    answer(ShowSkillHistory(name), as_json, _show_history)


@skills.command("search")
@click.argument("text", default="")
@click.option("--turn", default="", metavar="ID", help="How it was for this turn, instead of for a text.")
@click.option("--all", "all_", is_flag=True, help="Also those that share no word with it.")
@json_option
def skills_search(text: str, turn: str, all_: bool, as_json: bool) -> None:
    """Which skills fit a request, as the proxy would find them, and why the others do not."""
    if bool(text) == bool(turn):
        raise click.UsageError("Give a text, or a turn with --turn.")
    answer(SearchSkills(text=text, turn=turn, all=all_), as_json, _show_hits)


@click.group()
def review() -> None:
    """Changes to the library that wait for you."""


@review.command("list")
@click.option("--all", "all_", is_flag=True, help="Decided and refused ones too.")
@json_option
def review_list(all_: bool, as_json: bool) -> None:
    """What waits."""
    answer(ListReview(all_), as_json, _show_proposals)


@review.command("show")
@click.argument("id")
@json_option
def review_show(id: str, as_json: bool) -> None:
    """A proposal whole: what taught it, what was measured, what would change."""
    answer(ShowProposal(id), as_json, _show_proposal)


@review.command("approve")
@click.argument("id")
@yes_option
def review_approve(id: str, yes: bool) -> None:
    """Let it take effect, after reading it."""
    say(ask(ApproveProposal(id=id, yes=yes)).text)


@review.command("reject")
@click.argument("id")
@click.option("--reason", default="", metavar="TEXT", help="Why, for the record.")
@yes_option
def review_reject(id: str, reason: str, yes: bool) -> None:
    """Turn it down."""
    say(ask(RejectProposal(id=id, reason=reason, yes=yes)).text)


@click.command()
@click.argument("entry")
@yes_option
def undo(entry: str, yes: bool) -> None:
    """Take back what an entry of the ledger did."""
    say(ask(Undo(entry=entry, yes=yes)).text)


@click.group()
def generations() -> None:
    """The library over time."""


@generations.command("list")
@limit_option
@json_option
def generations_list(limit: int, as_json: bool) -> None:
    """The latest first."""
    answer(ListGenerations(limit), as_json, _show_generations)


@generations.command("show")
@click.argument("generation", type=click.IntRange(0))
@json_option
def generations_show(generation: int, as_json: bool) -> None:
    """Which skills a generation has, and what began it."""
    answer(ShowGeneration(generation), as_json, _show_generation)


def _show_skills(rows: list[SkillRow]) -> None:
    cells = [
        (row.name, row.version, row.state, row.source, row.trust, row.generation, row.description)
        for row in rows
    ]
    headers = ["name", "version", "state", "source", "trust", "since gen", "description"]
    say(table(headers, cells, empty="The library is empty."))


def _show_skill(detail: SkillDetail) -> None:
    skill = detail.skill
    say(
        pairs(
            [
                ("skill", f"{skill.name}@{skill.version}"),
                ("state", skill.state),
                ("source", skill.source),
                ("trust", skill.trust),
                ("live since generation", skill.generation),
                ("exchanges that carried it", detail.used),
            ]
        )
    )
    say()
    say(detail.text)


def _show_history(rows: list[SkillVersionRow]) -> None:
    for row in rows:
        say(f"version {row.version}, {row.at.astimezone():%Y-%m-%d %H:%M}, sha256 {row.digest[:12]}")
        if row.proposal:
            say(f"from the proposal {row.proposal}")
        say(row.diff)


def _show_hits(hits: list[SkillHit]) -> None:
    cells = [(f"{hit.score:.3f}", hit.chosen, hit.name, ", ".join(hit.words), hit.why) for hit in hits]
    say(table(["score", "chosen", "name", "found by", "why"], cells, empty="None fits."))


def _show_proposals(rows: list[ProposalRow]) -> None:
    cells = [(row.id, row.state, row.op, row.skill, len(row.evidence), _gate(row), row.why) for row in rows]
    headers = ["id", "state", "op", "skill", "evidence", "gate", "why"]
    say(table(headers, cells, empty="Nothing waits for you."))


def _show_proposal(detail: ProposalDetail) -> None:
    proposal = detail.proposal
    say(
        pairs(
            [
                ("proposal", proposal.id),
                ("state", proposal.state),
                ("what", f"{proposal.op} {proposal.skill}"),
                ("why", proposal.why),
                ("gate", _gate(proposal)),
                ("", proposal.gate.reason if proposal.gate else ""),
            ]
        )
    )
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


def _gate(proposal: ProposalRow) -> str:
    gate = proposal.gate
    if gate is None:
        return "not measured"
    words = "passed" if gate.passed else "not passed"
    return f"{words}: {gate.without_skill:+.2f} → {gate.with_skill:+.2f} on {gate.requests}"


def _show_generations(rows: list[GenerationRow]) -> None:
    cells = [(row.generation, row.at, row.support, row.query, row.holdout, row.why) for row in rows]
    say(table(["gen", "since", "support", "query", "holdout", "why"], cells, empty="None yet."))


def _show_generation(detail: GenerationDetail) -> None:
    _show_generations([detail.generation])
    say()
    say("\n".join(detail.skills) or "The library was empty.")
    if detail.entry:
        entry = detail.entry
        say(f"\nBegan with {entry.action} {entry.subject} ({entry.channel}).")
        say(f"Take it back: `metaclaw-tray undo {entry.id}`")


skills.add_command(skills_export)
skills.add_command(skills_import)

COMMANDS = [skills, review, undo, generations]
