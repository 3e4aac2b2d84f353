"""The skills folder: a view of the library for people and other programs, never its source.

After each decision the active skills are written there as `name/SKILL.md`. What somebody changes there is
found by its hash and becomes a proposal; until it is decided, the approved bytes keep serving from the store
and the changed file is left alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from metaclaw_tray.errors import KnownError, SkillError
from metaclaw_tray.skills.markdown import is_name, read_skill
from metaclaw_tray.store.tables import SkillVersion

_FILE = "SKILL.md"
_RECORD = ".materialised.json"  # what was last written here: tells a removed skill from one not yet written
_LEFTOVER = ".metaclaw-*.tmp"
_SIZE_LIMIT = 256 * 1024  # bytes


class OutsideKind(StrEnum):
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    UNUSABLE = "unusable"  # cannot be read, or is no skill; a note for the person, not a proposal


@dataclass(frozen=True)
class OutsideChange:
    """Something in the folder that the store did not put there."""

    kind: OutsideKind
    name: str
    text: str  # the whole file as it stands; empty where it was removed or is unusable
    why: str

    @property
    def is_proposal(self) -> bool:
        return self.kind != OutsideKind.UNUSABLE


def materialise(
    folder: Path, versions: Iterable[SkillVersion], known: Collection[tuple[str, str]]
) -> list[str]:
    """Write the active skills into the folder; blocking. Gives a note for each that was left alone.

    `known` are names and digests of texts that the store keeps: only such files are overwritten or removed.
    Raises KnownError where the folder cannot be written; the skills then still serve from the store.
    """
    notes: list[str] = []
    active = {version.name: version for version in versions}
    with _said_plainly(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _sweep(folder)
        for name, version in sorted(active.items()):
            _place(folder, name, version, known, notes)
        for name in _skill_folders(folder):
            if name not in active:
                _remove(folder, name, known, notes)
        _write(folder / _RECORD, json.dumps(sorted(active)).encode())
    return notes


def reconcile(
    folder: Path, versions: Iterable[SkillVersion], known: Collection[tuple[str, str]]
) -> list[OutsideChange]:
    """What stands in the folder that the store did not put there, by name; blocking, changes nothing.

    Files with `known` bytes are an older view of ours and no change. A folder that is not there at all says
    nothing about what the person wants.
    """
    active = {version.name: version for version in versions}
    changes = []
    written = _recorded(folder)
    found = set(_skill_folders(folder))
    for name in sorted(found):
        change = _compare(folder, name, active.get(name), known)
        if change is not None:
            changes.append(change)
    for name in sorted((written & active.keys()) - found):
        changes.append(OutsideChange(OutsideKind.REMOVED, name, "", "its folder was removed from outside"))
    return sorted(changes, key=lambda change: change.name)


def _compare(
    folder: Path, name: str, version: SkillVersion | None, known: Collection[tuple[str, str]]
) -> OutsideChange | None:
    try:
        data = _read(folder, name)
    except FileNotFoundError:
        if _is_link(folder, name):
            return OutsideChange(OutsideKind.UNUSABLE, name, "", "it is a link to nowhere")
        if version is None or name not in _recorded(folder):
            return None
        return OutsideChange(OutsideKind.REMOVED, name, "", "its SKILL.md was removed from outside")
    except (OSError, ValueError) as error:
        return OutsideChange(OutsideKind.UNUSABLE, name, "", _reason(error))
    digest = _digest(data)
    if (name, digest) in known or (version is not None and digest == version.digest):
        return None
    if not is_name(name):
        why = "its folder's name is no name for a skill: a-z, 0-9 and single hyphens"
        return OutsideChange(OutsideKind.UNUSABLE, name, "", why)
    try:
        read_skill(data, f"{name}/{_FILE}", name)
    except SkillError as error:
        return OutsideChange(OutsideKind.UNUSABLE, name, "", f"{error.detail} {error.remedy}")
    text = data.decode("utf-8")
    if version is None:
        return OutsideChange(OutsideKind.ADDED, name, text, "added to the skills folder from outside")
    return OutsideChange(OutsideKind.CHANGED, name, text, "changed in the skills folder from outside")


def _place(
    folder: Path, name: str, version: SkillVersion, known: Collection[tuple[str, str]], notes: list[str]
) -> None:
    target = folder / name
    if not is_name(name) or target.is_symlink() or (target.exists() and not target.is_dir()):
        notes.append(f"{name}: left alone, it is not a plain folder")
        return
    data = version.text.encode()
    try:
        digest = _digest(_read(folder, name))
    except FileNotFoundError:
        digest = ""
    except (OSError, ValueError) as error:
        notes.append(f"{name}: left alone, {_reason(error)}")
        return
    if digest == version.digest:
        return
    if digest and (name, digest) not in known:
        notes.append(f"{name}: left alone, it was changed from outside")
        return
    target.mkdir(exist_ok=True, mode=0o700)
    _sweep(target)
    _write(target / _FILE, data)


def _remove(folder: Path, name: str, known: Collection[tuple[str, str]], notes: list[str]) -> None:
    target = folder / name
    if target.is_symlink():
        return
    try:
        if (name, _digest(_read(folder, name))) not in known:
            return
    except (OSError, ValueError):
        return  # what cannot be read is not ours; `reconcile` tells of it
    _sweep(target)
    (target / _FILE).unlink()
    if any(target.iterdir()):
        notes.append(f"{name}: its folder holds other files and stays")
    else:
        target.rmdir()


def _read(folder: Path, name: str) -> bytes:
    """The bytes of a skill's file. Raises OSError, or ValueError where they are not to be taken."""
    try:
        real = (folder / name / _FILE).resolve(strict=True)
    except RuntimeError as error:  # what Python before 3.13 makes of ELOOP
        raise ValueError("it is a link that leads to itself") from error
    if not real.is_relative_to(folder.resolve()):
        raise ValueError("it is a link to somewhere outside the skills folder")
    if not real.is_file():
        raise ValueError(f"its {_FILE} is not a file")
    if real.stat().st_size > _SIZE_LIMIT:
        raise ValueError(f"its {_FILE} is larger than {_SIZE_LIMIT // 1024} KiB")
    return real.read_bytes()


def _is_link(folder: Path, name: str) -> bool:
    return (folder / name).is_symlink() or (folder / name / _FILE).is_symlink()


def _skill_folders(folder: Path) -> list[str]:
    try:
        entries = sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    return [entry.name for entry in entries if not entry.name.startswith(".") and not entry.is_file()]


def _recorded(folder: Path) -> set[str]:
    try:
        found = json.loads((folder / _RECORD).read_bytes())
    except (OSError, ValueError):
        return set()
    return {name for name in found if isinstance(name, str)} if isinstance(found, list) else set()


def _write(path: Path, data: bytes) -> None:
    """All or nothing, even where the power fails: a temporary file, flushed, then renamed."""
    temporary = path.with_name(f".metaclaw-{os.getpid()}.tmp")
    try:
        with open(temporary, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    if os.name == "posix":
        descriptor = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _sweep(folder: Path) -> None:
    """Remove temporary files that a killed program left."""
    for leftover in folder.glob(_LEFTOVER):
        leftover.unlink(missing_ok=True)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


@contextmanager
def _said_plainly(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise KnownError(
            "Cannot write the skills folder",
            f"{error.filename or folder}: {error.strerror or error}. Approved skills still serve.",
            f"Free some space and make {folder} writable for you; it is written anew at the next start.",
        ) from error
