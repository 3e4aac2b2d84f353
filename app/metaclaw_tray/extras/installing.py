"""Installing an extra, whole or not at all, and taking it away again.

The caller shows the plan and has a yes before it calls `add`. pip fetches the pinned files into a folder that
nobody imports from; what it made is imported once by a child, and only then gets its name.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from metaclaw_tray.child import own_command
from metaclaw_tray.errors import ExtraError
from metaclaw_tray.extras import pip as pips
from metaclaw_tray.extras.catalogue import Extra, System
from metaclaw_tray.extras.places import Found, extras_dir, find, place_of
from metaclaw_tray.files import in_words
from metaclaw_tray.lock import exclusive
from metaclaw_tray.paths import Paths

PULSE_SECONDS = 0.5
"""How often it is told how far it is."""

_SPARE_BYTES = 64 * 1024 * 1024  # left free on the disk, for everybody else
_MEGABYTE = 1e6


@dataclass(frozen=True)
class Plan:
    """What adding an extra means, to be shown before a yes is asked."""

    extra: Extra
    folder: Path
    bytes: int  # to download, at most
    host: str  # that pip asks; empty where it does not say

    def lines(self) -> list[str]:
        """The plan in plain words."""
        packages = (f"{each.name} {each.version} ({each.licence})" for each in self.extra.packages)
        return [
            f"{self.extra.title}: {self.extra.about}",
            f"Packages: {', '.join(packages)}",
            f"{self.bytes / _MEGABYTE:.0f} MB to download from "
            f"{self.host or 'the package index that pip is set up with'}, "
            f"{self.extra.bytes_installed / _MEGABYTE:.0f} MB on the disk, in {self.folder}",
            "Every file is checked against a hash that came with this program.",
        ]


@dataclass(frozen=True)
class Progress:
    """How far it is."""

    done: int  # bytes that have arrived
    total: int
    step: str  # what happens now, in a few words

    def __str__(self) -> str:
        share = min(99, 100 * self.done // max(1, self.total))
        return f"{share} %: {self.done / _MEGABYTE:.0f} of {self.total / _MEGABYTE:.0f} MB, {self.step}"


def plan(extra: Extra, paths: Paths) -> Plan:
    """What `add` would do. Contacts nobody. Blocking: asks pip for its settings.

    Raises ExtraError where it cannot be installed here at all.
    """
    system, pip = System.here(), pips.own_pip()
    if not extra.fits(system):
        raise ExtraError(
            f"{extra.title} is not there for this system",
            f"None of its files is for {system.tag}.",
            "Go on without it.",
        )
    if pip is None:
        raise ExtraError(
            "This Python has no pip",
            "An extra is fetched by pip, and the environment of this program was made without it.",
            "Run `python -m ensurepip` in that environment, or install the extra there.",
        )
    return Plan(extra, place_of(extra, paths, system), extra.bytes(system), pips.index_host(pip))


def add(planned: Plan, paths: Paths, progress: Callable[[Progress], None]) -> Found:
    """Install it, unless it is here. Blocking, for a minute or more: never on an event loop.

    An exception raised by `progress` ends it, and nothing of it is left. Two processes do not install at
    once: the second waits. Raises ExtraError: offline, refused, the disk is full, what came does not work.
    """
    extra, room = planned.extra, extras_dir(paths)
    try:
        room.mkdir(parents=True, exist_ok=True, mode=0o700)
        with exclusive(
            room / ".lock", lambda: progress(Progress(0, planned.bytes, "waiting for another one"))
        ):
            found = find(extra.name, paths)
            if found.state in ("here", "environment"):
                return found
            for left in room.glob(".adding-*"):  # by a process that was killed
                shutil.rmtree(left, ignore_errors=True)
            _require_room(room, planned.bytes + extra.bytes_installed)
            staging = room / f".adding-{os.urandom(4).hex()}"
            try:
                _install(planned, staging, progress)
            finally:
                shutil.rmtree(staging, ignore_errors=True)
            _remove_others(planned.folder)
            return find(extra.name, paths)
    except OSError as error:
        raise ExtraError(
            f"{extra.title} was not installed",
            f"{room}: {in_words(error)}.",
            "Mend that and start again; nothing was changed.",
        ) from error


def remove(name: str, paths: Paths) -> int:
    """Take it away; the bytes that this gave back. What runs with it ends as it would have.

    Raises ExtraError where it is not the app's own.
    """
    found = find(name, paths)
    if found.folder is None:
        words = {"missing": "It is not installed."}.get(
            found.state, "It belongs to the Python environment that this program runs in."
        )
        raise ExtraError(
            f"{found.extra.title} cannot be removed",
            words,
            "" if found.state == "missing" else "Use pip there.",
        )
    freed, room = 0, extras_dir(paths)
    with exclusive(room / ".lock", lambda: None):
        for folder in (room / name).iterdir():
            freed += size_of(folder)
            _discard(folder)
        (room / name).rmdir()
    return freed


def size_of(folder: Path) -> int:
    """Bytes of all files below it."""
    total = 0
    for inner, _, names in os.walk(folder):
        for name in names:
            try:
                total += (Path(inner) / name).lstat().st_size
            except FileNotFoundError:  # pip has just moved it
                continue
    return total


def _install(planned: Plan, staging: Path, progress: Callable[[Progress], None]) -> None:
    site, temporary = staging / "site", staging / "temporary"
    for folder in (site, temporary):
        folder.mkdir(parents=True, mode=0o700)
    wanted = staging / "wanted.txt"
    wanted.write_text("\n".join(planned.extra.requirements(System.here())) + "\n", "utf-8")
    command = [
        *(pips.own_pip() or []),
        *("install", "--target", str(site), "--requirement", str(wanted), "--require-hashes", "--no-deps"),
        *("--only-binary=:all:", "--no-compile", "--no-cache-dir", "--no-input", "--quiet"),
        *("--disable-pip-version-check", "--no-warn-script-location"),
    ]

    def told() -> None:
        arrived = min(size_of(temporary), planned.bytes)
        progress(Progress(arrived, planned.bytes, "unpacking" if any(site.iterdir()) else "downloading"))

    # What is downloaded lands on the disk whose room was checked. A person's own setting to install elsewhere
    # would contradict --target; messages come in the language we look for.
    environ = {"TMPDIR": str(temporary), "TEMP": str(temporary), "TMP": str(temporary), "LC_ALL": "C.UTF-8"}
    complaint = _run(command, {**environ, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0"}, told)
    if complaint is not None:
        raise _refusal(planned, complaint)
    progress(Progress(planned.bytes, planned.bytes, "trying it"))
    tried = _run([*own_command(), "--child", "try", str(site), planned.extra.module], {}, lambda: None)
    if tried is not None:
        raise ExtraError(
            f"{planned.extra.title} does not work on this system",
            f"It was fetched whole, but cannot be loaded: {pips.reason(tried)}",
            "Nothing of it was kept.",
        )
    if hasattr(os, "sync"):
        os.sync()  # the name must not reach the disk before the files do
    planned.folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    site.rename(planned.folder)


def _run(command: Sequence[str], environ: dict[str, str], told: Callable[[], None]) -> str | None:
    """Run it to its end and tell how far it is; what it complained of, or None where all went well."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**os.environ, **environ},
    )
    with process:
        try:
            while True:
                try:
                    _, complaint = process.communicate(timeout=PULSE_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    told()
        except BaseException:
            process.kill()
            raise
    return complaint if process.returncode else None


def _refusal(planned: Plan, complaint: str) -> ExtraError:
    """What pip's complaint means for a person."""
    title = f"{planned.extra.title} was not installed"
    if pips.WRONG_HASH in complaint:
        detail = (
            "A file that arrived is not the one that was tried with this program; nothing of it was kept."
        )
        return ExtraError(
            title, detail, "Try again. If it stays so, the index that you use has changed files."
        )
    if pips.NO_ROOM.search(complaint):
        return ExtraError(title, "The disk is full.", "Make room and start again; nothing was changed.")
    if pips.UNREACHABLE.search(complaint):
        host = planned.host or "The package index"
        return ExtraError(title, f"{host} could not be reached.", "Look at the network and start again.")
    return ExtraError(title, f"pip refused: {pips.reason(complaint)}", "Nothing was changed.")


def _require_room(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed + _SPARE_BYTES:
        raise ExtraError(
            "The disk is too full",
            f"{folder} needs {(needed + _SPARE_BYTES) / _MEGABYTE:.0f} MB, {free / _MEGABYTE:.0f} are free.",
            "Make room and start again.",
        )


def _remove_others(kept: Path) -> None:
    """Installations for earlier pins of the same Python; another Python's may still be wanted."""
    tag = kept.name.rsplit("-", 1)[0]
    for each in kept.parent.glob(f"{tag}-*"):
        if each != kept:
            _discard(each)


def _discard(folder: Path) -> None:
    """Out of the way in one step, then gone: nobody finds half of it."""
    gone = folder.parent.parent / f".adding-{os.urandom(4).hex()}"
    folder.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)
