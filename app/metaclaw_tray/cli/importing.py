"""Skills of other programs: what is there, what would be kept of it, and bringing it in."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metaclaw_tray.admin.api import BroughtSkill, ImportSkills
from metaclaw_tray.cli.asking import ask, json_option, yes_option
from metaclaw_tray.cli.output import note, say, say_json, table
from metaclaw_tray.errors import NotFoundError

if TYPE_CHECKING:
    from metaclaw_tray.skills.imported import FoundSkill
    from metaclaw_tray.skills.importing import Found

_TOLD = 40  # things left aside that a person is told of one by one
_AT_ONCE = 10 * 1024 * 1024  # bytes of texts that are read and agreed to at once, and undone by one entry


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.argument("names", nargs=-1)
@click.option("--all", "all_", is_flag=True, help="Every skill that was found.")
@click.option("--list", "list_", is_flag=True, help="Only tell what was found.")
@click.option(
    "--allow",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A folder outside PATH that links in it may lead to; may be given several times.",
)
@yes_option
@json_option
def skills_import(
    path: Path,
    names: tuple[str, ...],
    all_: bool,
    list_: bool,
    allow: tuple[Path, ...],
    yes: bool,
    as_json: bool,
) -> None:
    """Bring in skills of other programs: PATH is a folder such as .claude/skills. With NAMES or --all they
    are shown in full, and taken in when you say yes; without, or with --json, it only tells what is there.
    Nothing there is run, and scripts are left out."""
    # Late: it reads YAML, and most commands do not.
    from metaclaw_tray.skills.importing import find_skills

    # As the shell would have said it. Path's own raises for a user that is not there.
    root, *more = (Path(os.path.expanduser(each)) for each in (path, *allow))  # noqa: PTH111
    found = find_skills(root, more)
    chosen = choose(found, names, all_=all_ or not names)
    if as_json:
        say_json(as_rows(found, chosen))
        return
    _show(found, chosen)
    if (names or all_) and not list_ and chosen:
        brought = [
            BroughtSkill(text=skill.text, origin=_text(skill.file.absolute()), remarks=_remarks(skill))
            for skill in chosen
        ]
        parts = _parts(brought)
        if len(parts) > 1:
            say(f"\nThey are too large for one import, so it is done in {len(parts)}, each undone by itself.")
        for part in parts:
            say()
            note(f"{len(part)} skills are looked at …")
            say(ask(ImportSkills(skills=part, yes=yes)).text)


def _parts(brought: Sequence[BroughtSkill]) -> list[list[BroughtSkill]]:
    """As few imports as what one may hold allows."""
    parts: list[list[BroughtSkill]] = [[]]
    size = 0
    for skill in brought:
        size += len(skill.text.encode())
        if size > _AT_ONCE and parts[-1]:
            parts.append([])
            size = len(skill.text.encode())
        parts[-1].append(skill)
    return parts


def choose(found: Found, names: Sequence[str], *, all_: bool) -> list[FoundSkill]:
    """The skills of these names. Raises NotFoundError where one is not there, or is there twice."""
    if all_:
        return list(found.skills)
    chosen = []
    for name in dict.fromkeys(names):
        named = [skill for skill in found.skills if skill.name == name]
        if not named:
            raise NotFoundError("No such skill", f"“{name}” is not among those found.", "See --list.")
        if len(named) > 1:
            files = ", ".join(_text(skill.file) for skill in named)
            raise NotFoundError(
                "Two skills of one name", f"“{name}”: {files}.", "Name the folder of one as PATH."
            )
        chosen += named
    return chosen


def as_rows(found: Found, chosen: Sequence[FoundSkill]) -> dict[str, Any]:
    """What was found, for scripts."""
    return {
        "skills": [
            {
                "name": skill.name,
                "description": skill.description,
                "file": _text(skill.file),
                "warnings": list(skill.warnings),
                "scripts": skill.scripts,
                "others": skill.others,
                "left_out": skill.left_out,
                "too_long": skill.too_long,
                "text": skill.text,
            }
            for skill in chosen
        ],
        "outside": [{"link": _text(each.link), "target": _text(each.target)} for each in found.outside],
        "skipped": [{"path": _text(each.path), "why": each.why} for each in found.skipped],
        "stopped": found.stopped,
    }


def _show(found: Found, chosen: Sequence[FoundSkill]) -> None:
    cells = [(skill.name, _text(skill.file), skill.description) for skill in chosen]
    say(table(["name", "file", "description"], cells, empty=f"No skill lies in {_text(found.root)}."))
    for skill in chosen:
        if remarks := _remarks(skill):
            say(f"\n{skill.name}:")
            say("\n".join(f"  {remark}" for remark in remarks))
    if found.outside:
        say("\nLinks that lead out of the folder; nothing there was looked at:")
        say("\n".join(f"  {_text(each.link)} → {_text(each.target)}" for each in found.outside))
        say("Allow one with --allow and what it leads to.")
    if found.skipped:
        say("\nLeft aside:")
        say("\n".join(f"  {_text(each.path)}: {each.why}" for each in found.skipped[:_TOLD]))
        if len(found.skipped) > _TOLD:
            say(f"  and {len(found.skipped) - _TOLD} more; --json has them all.")
    if found.stopped:
        say(f"\nThe search ended early: {found.stopped}. Name a folder further in.")


def _remarks(skill: FoundSkill) -> list[str]:
    """What a person should know before it is kept."""
    return [each for each in (*skill.warnings, skill.left_out, skill.too_long) if each]


def _text(path: Path) -> str:
    from metaclaw_tray.skills.imported import shown

    return shown(path)
