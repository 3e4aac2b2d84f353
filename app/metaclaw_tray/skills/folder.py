"""The skills folder: a view of the library for people and other programs, never its source.

After each decision the active skills are written there as `name/SKILL.md`. What somebody changes there is
found by its hash and becomes a proposal; until it is decided, the approved bytes keep serving from the store
and the changed file is left alone. Files that nobody touched are known by their stamps and not read again.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from metaclaw_tray.errors import KnownError, SkillError
from metaclaw_tray.files import in_words
from metaclaw_tray.skills.markdown import is_name, read_skill
from metaclaw_tray.skills.reading import SKILL_BYTES, read_plainly
from metaclaw_tray.skills.stamps import Stamps

_FILE = "SKILL.md"
_RECORD = ".materialised.json"  # what was last written here: tells a removed skill from one not yet written
_LEFTOVER = ".metaclaw-*.tmp"
_RECORD_LIMIT = 16 * 1024 * 1024  # bytes; 65 for each of 200,000 skills
_IN_THE_WAY = {errno.EACCES, errno.EPERM, errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ELOOP}
_BATCH = 100  # skills between two pauses of `materialising`


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


class Version(Protocol):
    """An approved version of a skill, as the store gives it."""

    @property
    def name(self) -> str: ...

    @property
    def digest(self) -> str: ...

    @property
    def text(self) -> str: ...


def materialise(
    folder: Path,
    versions: Iterable[Version],
    known: Collection[tuple[str, str]],
    stamps: Stamps | None = None,
) -> list[str]:
    """Write the active skills into the folder; blocking. Gives a note for each that was left alone.

    `known` are names and digests of texts that the store keeps: only such files are overwritten or removed.
    Raises KnownError where the folder cannot be written; the skills then still serve from the store.
    """
    notes: list[str] = []
    for _ in materialising(folder, versions, known, notes, stamps or Stamps()):
        pass
    return notes


def materialising(
    folder: Path,
    versions: Iterable[Version],
    known: Collection[tuple[str, str]],
    notes: list[str],
    stamps: Stamps,
) -> Iterator[None]:
    """`materialise` in steps of a hundred skills, for who may have to leave off between two of them: what was
    written until then is whole, and the next time goes on from there."""
    active = {version.name: version for version in versions}
    with _said_plainly(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _sweep(folder)
        for done, (name, version) in enumerate(sorted(active.items()), start=1):
            with _alone(name, notes):
                _place(folder, name, version, known, notes, stamps)
            if done % _BATCH == 0:
                yield
        for name in _skill_folders(folder):
            if name not in active:
                with _alone(name, notes):
                    _remove(folder, name, known, notes)
        if _recorded(folder) != active.keys():
            _write(folder / _RECORD, json.dumps(sorted(active)).encode())


def reconcile(
    folder: Path,
    versions: Iterable[Version],
    known: Collection[tuple[str, str]],
    stamps: Stamps | None = None,
) -> list[OutsideChange]:
    """What stands in the folder that the store did not put there, by name; blocking, changes nothing.

    Files with `known` bytes are an older view of ours and no change. A folder that is not there at all, or
    cannot be looked into, says nothing about what the person wants.
    """
    stamps = stamps or Stamps()
    active = {version.name: version for version in versions}
    changes = []
    written = _recorded(folder)
    try:
        found = set(_skill_folders(folder))
    except OSError as error:
        return [OutsideChange(OutsideKind.UNUSABLE, str(folder), "", _reason(error))]
    for name in sorted(found):
        change = _compare(folder, name, active.get(name), known, written, stamps)
        if change is not None:
            changes.append(change)
    for name in sorted((written & active.keys()) - found):
        changes.append(OutsideChange(OutsideKind.REMOVED, name, "", "its folder was removed from outside"))
    return sorted(changes, key=lambda change: change.name)


def _compare(
    folder: Path,
    name: str,
    version: Version | None,
    known: Collection[tuple[str, str]],
    written: Collection[str],
    stamps: Stamps,
) -> OutsideChange | None:
    try:
        digest = _digest(folder, name, stamps)
        if (name, digest) in known or (version is not None and digest == version.digest):
            return None
        data = _read(folder, name)
    except FileNotFoundError:
        if _is_link(folder, name):
            return OutsideChange(OutsideKind.UNUSABLE, name, "", "it is a link to nowhere")
        if version is None or name not in written:
            return None
        return OutsideChange(OutsideKind.REMOVED, name, "", "its SKILL.md was removed from outside")
    except (OSError, ValueError) as error:
        return OutsideChange(OutsideKind.UNUSABLE, name, "", _reason(error))
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
    folder: Path,
    name: str,
    version: Version,
    known: Collection[tuple[str, str]],
    notes: list[str],
    stamps: Stamps,
) -> None:
    target = folder / name
    if not is_name(name) or not _may_be_folder(target):
        notes.append(f"{name}: left alone, it is not a plain folder")
        return
    try:
        digest = _digest(folder, name, stamps)
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
    _write(target / _FILE, version.text.encode())


def _remove(folder: Path, name: str, known: Collection[tuple[str, str]], notes: list[str]) -> None:
    target = folder / name
    if target.is_symlink():
        return
    try:
        if (name, _digest(folder, name, Stamps())) not in known:
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
    return read_plainly(real, SKILL_BYTES)


def _digest(folder: Path, name: str, stamps: Stamps) -> str:
    """The digest of a skill's file. Raises as `_read` does."""
    return stamps.digest(folder / name / _FILE, lambda: _read(folder, name))


def _may_be_folder(target: Path) -> bool:
    """True for a plain folder, and for nothing at all."""
    try:
        return stat.S_ISDIR(os.lstat(target).st_mode)
    except FileNotFoundError:
        return True


def _is_link(folder: Path, name: str) -> bool:
    return (folder / name).is_symlink() or (folder / name / _FILE).is_symlink()


def _skill_folders(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except FileNotFoundError:
        return []
    return sorted(
        name
        for name, plain in found
        if not name.startswith(".") and (plain or not os.path.isfile(folder / name))  # noqa: PTH113 - never raises
    )


def _recorded(folder: Path) -> set[str]:
    try:
        found = json.loads(read_plainly(folder / _RECORD, _RECORD_LIMIT))
    except (OSError, ValueError):
        return set()
    return {name for name in found if isinstance(name, str)} if isinstance(found, list) else set()


def _write(path: Path, data: bytes) -> None:
    """All or nothing, even where the power fails: a temporary file, flushed, then renamed. A rename that is
    lost with the power is made up for at the next start."""
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


def _sweep(folder: Path) -> None:
    """Remove temporary files that a killed program left."""
    for leftover in folder.glob(_LEFTOVER):
        if leftover.is_symlink() or not leftover.is_dir():
            leftover.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    if isinstance(error, NotADirectoryError):
        return "it is no folder"
    return in_words(error) if isinstance(error, OSError) else str(error)


@contextmanager
def _alone(name: str, notes: list[str]) -> Iterator[None]:
    """What stands in the way of one skill keeps no other from being written; a full disk would."""
    try:
        yield
    except OSError as error:
        if error.errno not in _IN_THE_WAY:
            raise
        notes.append(f"{name}: left alone, {_reason(error)}")


@contextmanager
def _said_plainly(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise KnownError(
            "Cannot write the skills folder",
            f"{error.filename or folder}: {in_words(error)}. Approved skills still serve.",
            f"Free some space and make {folder} writable for you; it is written anew at the next start.",
        ) from error
