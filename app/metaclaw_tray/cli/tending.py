"""Tending the library: for whom a skill is, its short form, its versions side by side, two put together."""

from __future__ import annotations

import click

from metaclaw_tray.admin.api import (
    CondenseSkill,
    DiffSkill,
    DuplicateRow,
    ListDuplicates,
    MergeSkills,
    ReturnToGeneration,
    ScopeSkill,
    SkillDiff,
)
from metaclaw_tray.cli.asking import answer, ask, json_option, yes_option
from metaclaw_tray.cli.output import columns, note, say, side_by_side, table


@click.command("scope")
@click.argument("name")
@click.option("--agent", "agents", multiple=True, metavar="NAME", help="May be given several times.")
@click.option("--all-agents", "all_", is_flag=True, help="For all of them again.")
@yes_option
def skills_scope(name: str, agents: tuple[str, ...], all_: bool, yes: bool) -> None:
    """Let a skill take effect for some agents only."""
    if bool(agents) == all_:
        raise click.UsageError("Name agents with --agent, or give --all-agents.")
    say(ask(ScopeSkill(name=name, agents=list(agents), yes=yes)).text)


@click.command("condense")
@click.argument("name")
def skills_condense(name: str) -> None:
    """Have the learning model write a short form of a skill that is too long. It is a proposal: nothing
    changes until you approve it."""
    say(ask(CondenseSkill(name)).text)


@click.command("diff")
@click.argument("name")
@click.argument("old", type=click.IntRange(1))
@click.argument("new", type=click.IntRange(1))
@click.option("--side", is_flag=True, help="Side by side.")
@json_option
def skills_diff(name: str, old: int, new: int, side: bool, as_json: bool) -> None:
    """What differs between two versions of a skill."""
    answer(DiffSkill(name, old, new), as_json, _show_sides if side else _show_diff)


@click.command("duplicates")
@json_option
def skills_duplicates(as_json: bool) -> None:
    """Skills that say much the same. `skills merge` puts two of them together."""
    answer(ListDuplicates(), as_json, _show_duplicates)


@click.command("merge")
@click.argument("keep")
@click.argument("other")
def skills_merge(keep: str, other: str) -> None:
    """Have one skill written in place of two; the second one is retired with it. It is a proposal: nothing
    changes until you approve it."""
    say(ask(MergeSkills(keep, other)).text)


@click.command("return")
@click.argument("generation", type=click.IntRange(0))
@yes_option
def generations_return(generation: int, yes: bool) -> None:
    """Bring the whole library back to what it was in a generation, in one step that can be undone."""
    note(f"The library is compared with generation {generation} …")
    say(ask(ReturnToGeneration(generation=generation, yes=yes)).text)


def _show_diff(found: SkillDiff) -> None:
    say(found.diff or "Nothing differs.")


def _show_sides(found: SkillDiff) -> None:
    labels = (f"{found.name}@{found.old}", f"{found.name}@{found.new}")
    say(side_by_side(found.old_text, found.new_text, labels, columns()))


def _show_duplicates(rows: list[DuplicateRow]) -> None:
    cells = [
        (
            row.keep,
            row.other,
            f"{row.words:.0%}",
            "-" if row.meaning is None else f"{row.meaning:.2f}",
            f"{row.proposal} ({row.state})" if row.proposal else "-",
        )
        for row in rows
    ]
    headers = ["keep", "other", "words in common", "meaning", "proposal"]
    say(table(headers, cells, empty="No two skills say the same."))


COMMANDS_OF_SKILLS = [skills_scope, skills_condense, skills_diff, skills_duplicates, skills_merge]
