"""Skills written to plain folders, as any agent can read them.

They are always what the specification allows, and never written over what is there, unless told to.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from metaclaw_tray.errors import SkillError
from metaclaw_tray.files import in_words
from metaclaw_tray.skills.markdown import conform, read_skill, write_skill
from metaclaw_tray.skills.reading import read_plainly

_FILE = "SKILL.md"
_EVALS = ("evals", "evals.json")
_LARGEST = 1024 * 1024  # bytes; what is larger than any skill is another file


class Outcome(StrEnum):
    """What became of one skill."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"  # it stands there already, byte for byte
    DIFFERS = "differs"  # another text stands there and was left alone
    REFUSED = "refused"  # a link, or something that is no file, stands in the way


@dataclass(frozen=True)
class Exported:
    """One skill, and where it went or would have gone."""

    name: str
    file: Path
    outcome: Outcome
    why: str = ""
    warnings: tuple[str, ...] = ()  # what had to change to fit the specification


def export_text(text: str, name: str) -> tuple[str, str, tuple[str, ...]]:
    """The name and the text under which a skill leaves, and what had to change for that.

    The reference validator (https://github.com/agentskills/agentskills, skills-ref) accepts the text in a
    folder of that name. Raises SkillError where it is no skill at all.
    """
    read = read_skill(text, name, name, headless=True)
    skill = conform(read)
    return skill.name, write_skill(skill), skill.warnings


def export_skills(
    folder: Path, skills: Iterable[tuple[str, str]], *, overwrite: bool = False
) -> Iterator[Exported]:
    """Write each (name, text) to `folder/name/SKILL.md`, all or nothing for each; blocking.

    With `overwrite`, another text that stands there gives way; a link never does, nor what is written in this
    same export. `folder` itself may be a link, for the person named it. Raises OSError where the disk
    refuses, SkillError where a text is no skill.
    """
    folder.mkdir(parents=True, exist_ok=True)
    mine: set[str] = set()
    for name, text in skills:
        as_named, strict, warnings = export_text(text, name)
        file = folder / as_named / _FILE
        outcome, why = _export(file, strict.encode(), overwrite=overwrite and as_named not in mine)
        mine.add(as_named)
        yield Exported(as_named, file, outcome, why, warnings)


def export_evals(skill: Exported, evals: str, *, overwrite: bool = False) -> Exported:
    """Write what a skill was measured on beside it, in the form of the Agent Skills guide
    (https://agentskills.io, evals/evals.json); blocking. As with skills, nothing is written through links or
    over other texts. Raises OSError."""
    file = skill.file.parent / _EVALS[0] / _EVALS[1]
    outcome, why = _export(file, evals.encode(), overwrite=overwrite)
    return Exported(skill.name, file, outcome, why)


def _export(file: Path, data: bytes, *, overwrite: bool) -> tuple[Outcome, str]:
    for path, is_right, wanted in ((file.parent, stat.S_ISDIR, "folder"), (file, stat.S_ISREG, "file")):
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            break
        if stat.S_ISLNK(mode):
            return Outcome.REFUSED, f"{path} is a link, and nothing is written through links"
        if not is_right(mode):
            return Outcome.REFUSED, f"{path} is no {wanted}"
    else:
        if _holds(file, data):
            return Outcome.UNCHANGED, ""
        if not overwrite:
            return Outcome.DIFFERS, "another text stands there"
    file.parent.mkdir(exist_ok=True)
    if not _put(file, data, overwrite=overwrite):
        return Outcome.DIFFERS, "another text was just put there"
    return Outcome.WRITTEN, ""


def _holds(file: Path, data: bytes) -> bool:
    try:
        return read_plainly(file, _LARGEST) == data
    except (OSError, ValueError):
        return False


def _put(file: Path, data: bytes, *, overwrite: bool) -> bool:
    """Write to a new file beside it, then give that its name: no reader sees half, no link is followed.

    False where `overwrite` is off and a file has come into being meanwhile.
    """
    fresh = file.with_name(f".{file.name}.{os.urandom(4).hex()}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if overwrite:
            fresh.replace(file)
            return True
        return _name_once(fresh, file)
    finally:
        fresh.unlink(missing_ok=True)


def _name_once(fresh: Path, file: Path) -> bool:
    """Give `fresh` its name unless something has it."""
    try:
        os.link(fresh, file)
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links: the gap between asking and renaming stays
        if os.path.lexists(file):
            return False
        fresh.replace(file)
    return True


def failed(folder: Path, error: OSError) -> SkillError:
    """What to tell a person where the disk refused."""
    return SkillError("The skill cannot be written", f"{error.filename or folder}: {in_words(error)}.", "")
