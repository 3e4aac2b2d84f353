"""Skills written to plain folders."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metaclaw_tray.admin.api import ExportedSkill, ExportSkills
from metaclaw_tray.cli.asking import ask, json_option
from metaclaw_tray.cli.output import note, plain, say, say_json
from metaclaw_tray.errors import KnownError

if TYPE_CHECKING:
    from metaclaw_tray.skills.exporting import Exported


_TOLD = 500  # skills after which it is told how far it is


@click.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("names", nargs=-1)
@click.option("--force", is_flag=True, help="Write over other texts that stand there.")
@click.option("--with-quotes", is_flag=True, help="Let evals quote what you said; it is shown first.")
@json_option
def skills_export(
    folder: Path, names: tuple[str, ...], force: bool, with_quotes: bool, as_json: bool
) -> None:
    """Write skills to plain folders, as any agent can read them; all active ones if none are named. A text of
    another kind that stands there stays, unless you say so. What a skill was measured on goes with it, in
    evals/evals.json, without your own words unless you say so."""
    from metaclaw_tray.skills.exporting import Outcome  # late: it reads YAML, and most commands do not

    exported = ask(ExportSkills(list(names), quotes=with_quotes))
    _say_quotes(exported, with_quotes=with_quotes)
    texts = {each.name: each.text for each in exported}
    overwritten = set(texts) if force else set[str]()
    done = _export(folder, texts, overwrite=force)
    if sys.stdin.isatty() and not as_json:
        wanted = {name for name, each in done.items() if each.outcome == Outcome.DIFFERS and _agreed(each)}
        done |= _export(folder, {name: texts[name] for name in wanted}, overwrite=True)
        overwritten |= wanted
    there = [each for each in done.values() if each.outcome in (Outcome.WRITTEN, Outcome.UNCHANGED)]
    for skill in exported:
        if skill.evals and done[skill.name] in there:
            _export_evals(done[skill.name], skill.evals, overwrite=skill.name in overwritten)
    for each in done.values():
        for warning in each.warnings:
            note(f"{each.name}: {warning}")
    if as_json:
        say_json([str(each.file) for each in there])
    else:
        say("\n".join(str(each.file) for each in there) or "There is no active skill to export.")
    left = [each for each in done.values() if each not in there]
    if left:
        differ = any(each.outcome == Outcome.DIFFERS for each in left)
        raise KnownError(
            "Not every skill was written",
            "; ".join(f"{each.file}: {each.why}" for each in left) + ".",
            "Add --force to write over other texts." if differ else "Choose another folder.",
        )


def _say_quotes(exported: list[ExportedSkill], *, with_quotes: bool) -> None:
    """What of the person's own words leaves with the evals, before anything is written, or that none does."""
    quoted = [each for each in exported if each.evals and each.quotes]
    for each in quoted if with_quotes else ():
        said = "; ".join(f"“{quote}”" for quote in each.quotes)
        note(f"{each.name}: its evals quote what you said: {said}")
    if quoted and not with_quotes:
        note("What you said yourself is left out of the evals; --with-quotes puts it in.")


def _export(folder: Path, texts: dict[str, str], *, overwrite: bool) -> dict[str, Exported]:
    from metaclaw_tray.skills.exporting import export_skills, failed

    try:
        done: dict[str, Exported] = {}
        for name, each in zip(texts, export_skills(folder, texts.items(), overwrite=overwrite), strict=True):
            done[name] = each
            if len(done) % _TOLD == 0:
                note(f"{len(done)} of {len(texts)} skills are there")
        return done
    except OSError as error:
        raise failed(folder, error) from error


def _export_evals(skill: Exported, evals: str, *, overwrite: bool) -> None:
    """What a skill was measured on goes with it; other evals that stand there stay, and that is said."""
    from metaclaw_tray.skills.exporting import Outcome, export_evals, failed

    try:
        done = export_evals(skill, evals, overwrite=overwrite)
    except OSError as error:
        raise failed(skill.file.parent, error) from error
    if done.outcome not in (Outcome.WRITTEN, Outcome.UNCHANGED):
        note(f"{skill.name}: its evals were not written to {done.file}: {done.why}.")


def _agreed(each: Exported) -> bool:
    return click.confirm(plain(f"{each.file} holds another text. Write over it?"), default=False, err=True)
