"""The skills and their generations."""

from __future__ import annotations

from pathlib import Path

import click

from metaclaw_tray.admin.api import (
    AddSkill,
    DisableSkill,
    EnableSkill,
    GenerationDetail,
    GenerationRow,
    ListGenerations,
    ListSkills,
    RetireSkill,
    SearchSkills,
    ShowGeneration,
    ShowSkill,
    ShowSkillHistory,
    SkillDetail,
    SkillHit,
    SkillRow,
    SkillVersionRow,
    TrustSkill,
)
from metaclaw_tray.cli.asking import answer, ask, json_option, yes_option
from metaclaw_tray.cli.exporting import skills_export
from metaclaw_tray.cli.importing import skills_import
from metaclaw_tray.cli.ledger import skills_effect, skills_trace
from metaclaw_tray.cli.measuring import skills_measure
from metaclaw_tray.cli.output import pairs, say, table
from metaclaw_tray.cli.record import limit_option
from metaclaw_tray.cli.tending import COMMANDS_OF_SKILLS, generations_return
from metaclaw_tray.errors import SkillError
from metaclaw_tray.files import in_words
from metaclaw_tray.skills.reading import SKILL_BYTES, read_plainly

SKILL_FILE = "SKILL.md"


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
        text = read_plainly(file, SKILL_BYTES, "it").decode()
    except OSError as error:
        raise SkillError("The skill cannot be read", f"{file}: {in_words(error)}.", "") from error
    except UnicodeDecodeError as error:
        raise SkillError(
            "The skill cannot be read", f"{file} is not UTF-8 text.", "Save it as UTF-8."
        ) from error
    except ValueError as error:
        raise SkillError("The skill cannot be read", f"{file}: {error}.", "") from error
    # A file of another name lies in a folder that says nothing of it.
    folder = file.absolute().parent.name if file.name.casefold() == SKILL_FILE.casefold() else ""
    say(ask(AddSkill(text=text, folder=folder, yes=yes)).text)


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


@skills.command("trust")
@click.argument("name")
@click.option("--no", "off", is_flag=True, help="No longer.")
@yes_option
def skills_trust(name: str, off: bool, yes: bool) -> None:
    """Say that it is as good as your own: with review.policy automatic, updates of it that were measured
    better take effect by themselves."""
    say(ask(TrustSkill(name=name, trusted=not off, yes=yes)).text)


@skills.command("history")
@click.argument("name")
@json_option
def skills_history(name: str, as_json: bool) -> None:
    """The versions of a skill and what changed in each."""
    answer(ShowSkillHistory(name), as_json, _show_history)


@skills.command("search")
@click.argument("text", default="")
@click.option("--turn", default="", metavar="ID", help="How it was for this turn, instead of for a text.")
@click.option("--agent", default="", metavar="NAME", help="As this agent would be served.")
@click.option("--all", "all_", is_flag=True, help="Also those that share no word with it.")
@json_option
def skills_search(text: str, turn: str, agent: str, all_: bool, as_json: bool) -> None:
    """Which skills fit a request, as the proxy would find them, and why the others do not."""
    if bool(text) == bool(turn):
        raise click.UsageError("Give a text, or a turn with --turn.")
    answer(SearchSkills(text=text, turn=turn, all=all_, agent=agent), as_json, _show_hits)


skills.add_command(skills_effect)
skills.add_command(skills_trace)


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
    scoped = any(row.agents for row in rows)
    cells = [
        (
            row.name,
            row.version,
            row.state,
            row.source,
            row.trust,
            row.generation,
            *([row.agents or "all"] if scoped else []),
            row.description,
        )
        for row in rows
    ]
    headers = ["name", "version", "state", "source", "trust", "since gen"]
    headers += ["agents", "description"] if scoped else ["description"]
    say(table(headers, cells, empty="The library is empty."))
    if long := [row for row in rows if row.too_long]:
        say()
        say("\n".join(f"{row.name}: {row.too_long}" for row in long))
    if off := [row for row in rows if row.source == "builtin" and row.state == "disabled"]:
        said = "1 built-in skill is" if len(off) == 1 else f"{len(off)} built-in skills are"
        say(f"\n{said} off. `metaclaw-tray skills enable NAME` shows the text of one and turns it on.")


def _show_skill(detail: SkillDetail) -> None:
    skill = detail.skill
    rows = [
        ("skill", f"{skill.name}@{skill.version}"),
        ("state", skill.state),
        ("source", f"{skill.source}, from {skill.origin}" if skill.origin else skill.source),
        ("trust", skill.trust),
        ("agents", skill.agents or "all"),
        ("live since generation", skill.generation or "never"),
        ("exchanges it was chosen for", detail.used),
        ("measured", detail.measured or "never"),
    ]
    say(pairs([*rows, *([("careful", skill.too_long)] if skill.too_long else [])]))
    say("\n".join(detail.effect))
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


def _show_generations(rows: list[GenerationRow]) -> None:
    cells = [(row.generation, row.at, row.support, row.query, row.holdout, row.why) for row in rows]
    say(table(["gen", "since", "support", "query", "holdout", "why"], cells, empty="None yet."))


def _show_generation(detail: GenerationDetail) -> None:
    _show_generations([detail.generation])
    say()
    say("\n".join(detail.skills) or "The library was empty.")
    if detail.exchanges:
        say()
        sets = ", ".join(f"{name} {count}" for name, count in sorted(detail.generation.sets.items()))
        say(f"Exchanges made with it: {sets}. The newest:")
        cells = [(each.exchange, each.set, each.why) for each in detail.exchanges]
        say(table(["exchange", "set", "why"], cells, empty=""))
    if detail.entry:
        entry = detail.entry
        say(f"\nBegan with {entry.action} {entry.subject} ({entry.channel}).")
        say(f"Take it back: `metaclaw-tray undo {entry.id}`")


skills.add_command(skills_export)
skills.add_command(skills_import)
for _command in COMMANDS_OF_SKILLS:
    skills.add_command(_command)
generations.add_command(generations_return)
skills.add_command(skills_measure)

COMMANDS = [skills, generations]
