"""Skills of other programs, found below a folder: `.claude/skills`, `.agents/skills`, plugins, MetaClaw's.

All of them keep a skill as a folder with a SKILL.md (https://agentskills.io/specification), only at different
depths. So the whole tree is looked through, within bounds, and every such folder is a skill. Nothing ends the
search early: what cannot be taken is said. Links are followed inside the root; one that leads out of it is
only told, for the person to allow, since what lies there may be private.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from metaclaw_tray.errors import SkillError
from metaclaw_tray.files import in_words
from metaclaw_tray.skills.imported import SKILL_FILE, FoundSkill, read_found, shown

# Folders of machines, in which nobody keeps skills.
_PRUNED = frozenset(
    (".git", ".hg", ".svn", "node_modules", ".venv", "venv", "site-packages", "__pycache__", ".tox", ".cache")
)


@dataclass(frozen=True)
class Limits:
    """How far one search goes. Not by time, so that the same folder always gives the same answer."""

    skills: int = 2_000
    folders: int = 20_000
    entries: int = 200_000  # files and folders looked at by name
    depth: int = 10  # folders below the root
    size: int = 32 * 1024 * 1024  # bytes of all texts that are kept


@dataclass(frozen=True)
class Outside:
    """A link that leads out of the folder; nothing there was looked at."""

    link: Path
    target: Path


@dataclass(frozen=True)
class Skipped:
    """What looked like a skill, or the way to one, and why it was left."""

    path: Path
    why: str


@dataclass
class Found:
    """What a search gave, in the order of its paths; links after plain folders."""

    root: Path
    skills: list[FoundSkill] = field(default_factory=list)
    outside: list[Outside] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    stopped: str = ""  # why the search ended before its end, as a sentence


def find_skills(root: Path, allowed: Collection[Path] = (), limits: Limits | None = None) -> Found:
    """Every skill in `root`: a folder at whatever level, or a SKILL.md itself. Blocking; changes nothing.

    `allowed` are the targets outside that links may lead to as well. Raises SkillError where `root` itself
    cannot be looked at.
    """
    try:
        real = root.resolve(strict=True)
        is_folder = real.is_dir()
        homes = [real if is_folder else real.parent, *(path.resolve() for path in allowed)]
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: ELOOP before Python 3.13
        raise SkillError("Cannot look for skills", f"{shown(root)}: {_words(error)}.", "") from error
    search = _Search(Found(root), homes, limits or Limits())
    try:
        if is_folder:
            search.through(root if root.name not in ("", "..") else real)
        else:
            search.take(root, root.absolute().parent)
    except _Enough as enough:
        search.found.stopped = str(enough)
    return search.found


class _Enough(Exception):  # noqa: N818 - no error: the bounds are reached
    """The search ends here."""


class _Search:
    def __init__(self, found: Found, homes: list[Path], limits: Limits) -> None:
        self.found = found
        self._homes = homes
        self._limits = limits
        self._plain: deque[tuple[Path, int]] = deque()
        self._links: deque[tuple[Path, int]] = deque()
        self._folders: set[tuple[int, int]] = set()  # by device and inode
        self._files: dict[tuple[int, int], Path] = {}
        self._names: dict[str, Path] = {}
        self._entries = 0
        self._size = 0

    def through(self, root: Path) -> None:
        """Look through the tree. Links come last, so that a skill is told by its own place."""
        self._plain.append((root, 0))
        while self._plain or self._links:
            if self._plain:
                self._look(*self._plain.popleft())
            else:
                self._follow(*self._links.popleft())

    def _look(self, folder: Path, depth: int) -> None:
        try:
            facts = folder.stat()
            if (facts.st_dev, facts.st_ino) in self._folders:
                if depth:
                    self._skip(folder, "it leads to a folder that was looked at already")
                return
            self._folders.add((facts.st_dev, facts.st_ino))
            if len(self._folders) > self._limits.folders:
                raise _Enough(f"it has more than {self._limits.folders} folders")
            with os.scandir(folder) as listing:
                entries = sorted(
                    islice(listing, self._limits.entries - self._entries), key=lambda entry: entry.name
                )
        except OSError as error:
            self._skip(folder, _words(error))
            return
        self._entries += len(entries)
        file = _skill_file([entry.name for entry in entries])
        if file and (folder / file).is_symlink():
            self._links.append((folder / file, depth))
        elif file:
            self.take(folder / file, folder)
        elif depth < self._limits.depth:
            self._queue(folder, entries, depth + 1)
        elif any(entry.is_dir(follow_symlinks=False) for entry in entries):
            self._skip(folder, f"it lies {depth} folders deep, and the search goes no deeper")
        if self._entries >= self._limits.entries:
            raise _Enough(f"it holds more than {self._limits.entries} files")

    def _queue(self, folder: Path, entries: list[os.DirEntry[str]], depth: int) -> None:
        for entry in entries:
            if entry.name in _PRUNED:
                continue
            if entry.is_symlink():
                self._links.append((folder / entry.name, depth))
            elif entry.is_dir(follow_symlinks=False):
                self._plain.append((folder / entry.name, depth))

    def _follow(self, link: Path, depth: int) -> None:
        if _is_skill_file(link.name):
            self.take(link, link.parent)
            return
        target = self._target(link)
        if target is not None and target.is_dir():
            self._look(link, depth)

    def _target(self, path: Path) -> Path | None:
        """Where a path really leads, if that may be looked at; else that is noted."""
        try:
            real = path.resolve(strict=True)
        except FileNotFoundError:
            self._skip(path, "it is a link to nowhere")
        except (OSError, RuntimeError) as error:
            self._skip(path, _words(error))
        else:
            if any(real.is_relative_to(home) for home in self._homes):
                return real
            if real.is_dir() or _is_skill_file(path.name):
                self.found.outside.append(Outside(path, real))
        return None

    def take(self, file: Path, folder: Path) -> None:
        """Read one skill. Raises _Enough."""
        real = self._target(file)
        if real is None:
            return
        try:
            facts = real.stat()
            first = self._files.setdefault((facts.st_dev, facts.st_ino), file)
            if first is not file:
                self._skip(file, f"it is the same file as {shown(first)}")
                return
            skill = read_found(file, folder.absolute())
        except SkillError as error:
            self._skip(file, f"{error.detail.removeprefix(f'{shown(file)}: ')} {error.remedy}".rstrip())
        except (OSError, ValueError) as error:
            self._skip(file, _words(error))
        else:
            self._add(skill)

    def _add(self, skill: FoundSkill) -> None:
        if len(self.found.skills) >= self._limits.skills:
            raise _Enough(f"it holds more than {self._limits.skills} skills")
        self._size += len(skill.text.encode())
        if self._size > self._limits.size:
            raise _Enough(f"its skills hold more than {self._limits.size // (1024 * 1024)} MiB of text")
        first = self._names.setdefault(skill.name, skill.file)
        if first is not skill.file:
            skill = replace(skill, warnings=(*skill.warnings, f"{shown(first)} has the same name"))
        self.found.skills.append(skill)

    def _skip(self, path: Path, why: str) -> None:
        self.found.skipped.append(Skipped(path, why))


def _skill_file(names: list[str]) -> str:
    """The name under which a folder has its SKILL.md: the right one, else the first in another case."""
    if SKILL_FILE in names:
        return SKILL_FILE
    return next(filter(_is_skill_file, names), "")


def _is_skill_file(name: str) -> bool:
    return name.casefold() == SKILL_FILE.casefold()


def _words(error: Exception) -> str:
    if isinstance(error, RuntimeError):
        return "it is a link that leads to itself"
    if isinstance(error, FileNotFoundError):
        return "there is nothing"
    return in_words(error) if isinstance(error, OSError) else str(error)
