"""One skill of somebody else, read from its folder into the form in which the library keeps skills.

Only its SKILL.md is taken. What lies beside it is counted, by its name alone: scripts are never opened, never
kept and never run.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from metaclaw_tray.skills.block import check_content, check_seen, too_long
from metaclaw_tray.skills.markdown import conform, problems, read_skill, write_skill
from metaclaw_tray.skills.reading import SKILL_BYTES, read_plainly
from metaclaw_tray.skills.texts import printable

SKILL_FILE = "SKILL.md"
_COUNTED = 2_000  # files and folders beside it that are looked at
_MENTIONED = 3  # names of files that one warning gives
_SCRIPTS = frozenset(
    ".bash .bat .cmd .com .exe .fish .go .jar .js .lua .mjs .php .pl .ps1 .py .pyz .rb .sh .ts .zsh".split()  # noqa: SIM905 - a list of words
)


@dataclass(frozen=True)
class FoundSkill:
    """A skill as it would be kept, and what the person should know before it is."""

    name: str
    description: str
    text: str  # the SKILL.md as it will be kept
    file: Path  # where it was found
    warnings: tuple[str, ...]
    scripts: int  # files beside it that look like programs
    others: int  # all other files beside it
    too_long: str = ""  # why it would never be injected, as a sentence

    @property
    def left_out(self) -> str:
        """What of its folder is not kept, as a sentence; empty where there is nothing else."""
        parts = []
        if self.scripts:
            were = "1 script was" if self.scripts == 1 else f"{self.scripts} scripts were"
            them = "it is" if self.scripts == 1 else "they are"
            parts.append(f"{were} left out; {them} never run")
        if self.others:
            parts.append(
                "1 other file was left out"
                if self.others == 1
                else f"{self.others} other files were left out"
            )
        return "; ".join(parts)


def shown(path: Path) -> str:
    """A path as text, also where its bytes are none."""
    return os.fsencode(path).decode("utf-8", "replace")


def read_found(file: Path, folder: Path) -> FoundSkill:
    """The skill of this file, which was found in `folder`. Blocking.

    Raises SkillError, OSError, and ValueError with words that can be shown.
    """
    data = read_plainly(file, SKILL_BYTES)
    read = read_skill(data, shown(file), printable(folder.name), headless=True)
    text = data.decode("utf-8")
    skill, warnings = read, list(read.warnings)
    if read.warnings or problems(read) or "\r" in text or text.startswith("\ufeff"):
        skill = conform(read)
        text, warnings = write_skill(skill), list(skill.warnings)
    check_content(skill.name, skill.body)
    check_seen(skill.name, "\n".join([skill.description, *skill.triggers]))
    if file.name != SKILL_FILE:
        warnings.append(f"its file is named {printable(file.name)}")
    beside = _beside(file.parent)
    scripts = [path for path, is_script in beside if is_script]
    further = sum(path.casefold().endswith(f"/{SKILL_FILE.casefold()}") for path, _ in beside)
    if further:
        warnings.append(f"{further} more {SKILL_FILE} below its folder; look for skills there to see them")
    wanted = [path for path, _ in beside if path in skill.body]
    if wanted:
        named = ", ".join(wanted[:_MENTIONED]) + (" and others" if len(wanted) > _MENTIONED else "")
        warnings.append(f"its text speaks of files that are left out: {named}")
    return FoundSkill(
        name=skill.name,
        description=skill.description,
        text=text,
        file=file,
        warnings=tuple(dict.fromkeys(warnings)),
        scripts=len(scripts),
        others=len(beside) - len(scripts),
        too_long=too_long(skill.body),
    )


def _beside(folder: Path) -> list[tuple[str, bool]]:
    """The files below a skill's folder, by their path in it, and whether each looks like a program."""
    found: list[tuple[str, bool]] = []
    folders, left = [""], _COUNTED
    while folders and left > 0:
        inside = folders.pop()
        try:
            with os.scandir(folder / inside) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        break
                    path = f"{inside}/{entry.name}" if inside else entry.name
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(path)
                    elif path.casefold() != SKILL_FILE.casefold():
                        found.append((path, _is_script(entry, path)))
        except OSError:
            continue  # what cannot be looked into is not kept either
    return sorted(found)


def _is_script(entry: os.DirEntry[str], path: str) -> bool:
    if path.startswith("scripts/") or Path(path).suffix.casefold() in _SCRIPTS:
        return True
    try:
        facts = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISREG(facts.st_mode) and bool(facts.st_mode & 0o111) and os.name != "nt"
