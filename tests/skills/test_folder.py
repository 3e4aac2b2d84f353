"""The folder that shows the library, on a real file system."""

from __future__ import annotations

import errno
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from metaclaw_tray.errors import KnownError
from metaclaw_tray.skills import folder as view
from metaclaw_tray.skills.folder import OutsideChange, OutsideKind, materialise, materialising, reconcile
from metaclaw_tray.skills.stamps import Stamps
from metaclaw_tray.store.library import digest_of
from metaclaw_tray.store.tables_library import SkillVersion

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


def version_of(name: str, body: str = "Do.", number: int = 1) -> SkillVersion:
    text = f"---\nname: {name}\ndescription: About {name}.\n---\n\n{body}\n"
    return SkillVersion(name=name, version=number, text=text, digest=digest_of(text), description="", at=NOW)


ONE, TWO, NEWER = version_of("one"), version_of("two"), version_of("one", "Do more.", 2)
KNOWN = {(version.name, version.digest) for version in (ONE, TWO, NEWER)}
EDITED = ONE.text.replace("Do.", "Do as the page says.")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that shows two skills."""
    folder = tmp_path / "skills"
    assert materialise(folder, [ONE, TWO], KNOWN) == []
    return folder


def outside(folder: Path, *versions: SkillVersion) -> list[tuple[str, str]]:
    return [(change.kind, change.name) for change in reconcile(folder, versions, KNOWN)]


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.md"))
    }


def test_each_active_skill_has_its_folder_with_the_approved_bytes(folder: Path) -> None:
    assert contents(folder) == {"one/SKILL.md": ONE.text, "two/SKILL.md": TWO.text}
    assert outside(folder, ONE, TWO) == []


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_nobody_else_can_read_it(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "one").stat().st_mode & 0o777 == 0o700
    assert (folder / "one/SKILL.md").stat().st_mode & 0o777 == 0o600


def test_skill_that_was_renamed_or_copied_from_outside_is_found_and_kept(folder: Path) -> None:
    (folder / "one").rename(folder / "uno")
    assert outside(folder, ONE, TWO) == [("removed", "one"), ("added", "uno")]
    materialise(folder, [ONE, TWO], KNOWN)
    assert (folder / "uno/SKILL.md").exists()


def test_new_version_and_retired_skill_are_followed(folder: Path) -> None:
    assert materialise(folder, [NEWER], KNOWN) == []
    assert contents(folder) == {"one/SKILL.md": NEWER.text}
    assert not (folder / "two").exists()


def test_view_that_is_behind_the_store_is_no_change_from_outside(folder: Path) -> None:
    assert outside(folder, NEWER, version_of("three")) == []


def test_edit_from_outside_is_found_and_left_alone(folder: Path) -> None:
    (folder / "one/SKILL.md").write_text(EDITED, encoding="utf-8")
    (change,) = reconcile(folder, [ONE, TWO], KNOWN)
    assert change == OutsideChange(OutsideKind.CHANGED, "one", EDITED, change.why)
    assert materialise(folder, [NEWER, TWO], KNOWN) == ["one: left alone, it was changed from outside"]
    assert contents(folder)["one/SKILL.md"] == EDITED


def test_decided_edit_gives_way_to_the_approved_bytes(folder: Path) -> None:
    (folder / "one/SKILL.md").write_text(EDITED, encoding="utf-8")
    assert materialise(folder, [ONE, TWO], KNOWN | {("one", digest_of(EDITED))}) == []
    assert contents(folder)["one/SKILL.md"] == ONE.text


def test_edited_skill_that_was_retired_keeps_its_folder(folder: Path) -> None:
    (folder / "two/SKILL.md").write_text(EDITED, encoding="utf-8")
    materialise(folder, [ONE], KNOWN)
    assert contents(folder)["two/SKILL.md"] == EDITED


def test_other_files_beside_a_retired_skill_stay(folder: Path) -> None:
    (folder / "two/notes.txt").write_text("mine", encoding="utf-8")
    assert materialise(folder, [ONE], KNOWN) == ["two: its folder holds other files and stays"]
    assert (folder / "two/notes.txt").exists()
    assert not (folder / "two/SKILL.md").exists()


def test_added_skill_is_found_with_its_whole_text(folder: Path) -> None:
    added = version_of("brought")
    (folder / "brought").mkdir()
    (folder / "brought/SKILL.md").write_bytes(added.text.replace("\n", "\r\n").encode())
    (change,) = reconcile(folder, [ONE, TWO], KNOWN)
    assert (change.kind, change.text) == (OutsideKind.ADDED, added.text.replace("\n", "\r\n"))


def test_removed_skill_is_found_whether_file_or_folder_went(folder: Path) -> None:
    (folder / "one/SKILL.md").unlink()
    (folder / "two/SKILL.md").unlink()
    (folder / "two").rmdir()
    assert outside(folder, ONE, TWO) == [("removed", "one"), ("removed", "two")]


def test_skill_not_yet_written_is_not_taken_for_removed(folder: Path) -> None:
    assert outside(folder, ONE, TWO, version_of("three")) == []


def test_folder_that_is_gone_says_nothing(tmp_path: Path) -> None:
    assert outside(tmp_path / "nowhere", ONE) == []


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("latin", b"---\nname: latin\ndescription: caf\xe9\n---\n", "not UTF-8"),
        ("bare", b"Just text.", "header"),
        ("Bad Name", TWO.text.encode(), "no name for a skill"),
        ("huge", b"x" * 300_000, "larger than"),
    ],
)
def test_what_is_no_skill_is_a_note_and_stops_nothing(
    folder: Path, name: str, data: bytes, said: str
) -> None:
    (folder / name).mkdir()
    (folder / name / "SKILL.md").write_bytes(data)
    (folder / "three").mkdir()
    (folder / "three/SKILL.md").write_text(version_of("three").text, encoding="utf-8")
    found = {change.name: change for change in reconcile(folder, [ONE, TWO], KNOWN)}
    assert set(found) == {name, "three"}
    assert found[name].kind == OutsideKind.UNUSABLE
    assert not found[name].is_proposal
    assert said in found[name].why


def test_files_and_hidden_folders_beside_the_skills_are_ignored(folder: Path) -> None:
    (folder / "README [draft] é.md").write_text("x", encoding="utf-8")
    (folder / ".git").mkdir()
    (folder / "empty").mkdir()
    assert outside(folder, ONE, TWO) == []
    assert materialise(folder, [ONE, TWO], KNOWN) == []


class TestLinks:
    """E08"""

    def test_link_inside_the_folder_is_followed(self, folder: Path) -> None:
        (folder / "again").symlink_to(folder / "one", target_is_directory=True)
        (folder / "file").mkdir()
        (folder / "file/SKILL.md").symlink_to(folder / "two/SKILL.md")
        assert outside(folder, ONE, TWO) == [("added", "again"), ("added", "file")]

    def test_link_out_of_the_folder_is_not_read(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "private").mkdir()
        (tmp_path / "private/SKILL.md").write_text(version_of("out").text, encoding="utf-8")
        (folder / "out").symlink_to(tmp_path / "private", target_is_directory=True)
        (change,) = reconcile(folder, [ONE, TWO], KNOWN)
        assert (change.kind, change.text) == (OutsideKind.UNUSABLE, "")
        assert "outside the skills folder" in change.why

    @pytest.mark.parametrize("target", ["nowhere", "loop"])
    def test_link_that_leads_nowhere_is_a_note(self, folder: Path, target: str) -> None:
        (folder / "loop").symlink_to(folder / target, target_is_directory=True)
        assert outside(folder, ONE, TWO) == [("unusable", "loop")]
        assert materialise(folder, [ONE, TWO], KNOWN) == []

    def test_nothing_is_written_or_removed_through_a_link(self, folder: Path, tmp_path: Path) -> None:
        elsewhere = tmp_path / "elsewhere"
        (folder / "one").rename(elsewhere)
        (folder / "one").symlink_to(elsewhere, target_is_directory=True)
        assert materialise(folder, [NEWER, TWO], KNOWN) == ["one: left alone, it is not a plain folder"]
        assert (elsewhere / "SKILL.md").read_text(encoding="utf-8") == ONE.text
        materialise(folder, [TWO], KNOWN)
        assert (elsewhere / "SKILL.md").exists()


def test_leftovers_of_a_killed_program_are_cleaned(folder: Path) -> None:
    (folder / "one/.metaclaw-123.tmp").write_bytes(b"half")
    (folder / ".metaclaw-123.tmp").write_bytes(b"half")
    materialise(folder, [NEWER, TWO], KNOWN)
    assert not list(folder.rglob("*.tmp"))


def test_full_disk_is_said_plainly_and_leaves_the_earlier_bytes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KnownError, match="Approved skills still serve") as caught:
        materialise(folder, [NEWER, TWO], KNOWN)
    assert "the disk is full" in caught.value.detail
    assert contents(folder)["one/SKILL.md"] == ONE.text
    assert not list(folder.rglob("*.tmp"))


def test_folder_that_cannot_be_made_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "skills").write_text("in the way", encoding="utf-8")
    with pytest.raises(KnownError, match="Cannot write the skills folder"):
        materialise(tmp_path / "skills", [ONE], KNOWN)
    (change,) = reconcile(tmp_path / "skills", [ONE], KNOWN)
    assert (change.kind, change.is_proposal) == (OutsideKind.UNUSABLE, False)
    assert "no folder" in change.why


class TestPipes:
    """What blocks who opens it is never opened; the rest of the folder is looked at as ever."""

    def test_pipe_in_the_place_of_a_skill_file_is_a_note(self, folder: Path) -> None:
        (folder / "one/SKILL.md").unlink()
        os.mkfifo(folder / "one/SKILL.md")
        (folder / "three").mkdir()
        os.mkfifo(folder / "three/SKILL.md")
        found = {change.name: change for change in reconcile(folder, [ONE, TWO], KNOWN)}
        assert set(found) == {"one", "three"}
        assert all(change.why == "its SKILL.md is a pipe, not a file" for change in found.values())
        left_alone = "one: left alone, its SKILL.md is a pipe, not a file"
        assert materialise(folder, [NEWER, TWO], KNOWN) == [left_alone]
        assert (folder / "one/SKILL.md").is_fifo()

    def test_pipe_in_the_place_of_a_skill_or_of_our_record_is_a_note(self, folder: Path) -> None:
        os.mkfifo(folder / "pipe")
        (folder / ".materialised.json").unlink()
        os.mkfifo(folder / ".materialised.json")
        (change,) = reconcile(folder, [ONE, TWO], KNOWN)
        assert (change.kind, change.name, change.why) == (OutsideKind.UNUSABLE, "pipe", "it is no folder")
        assert materialise(folder, [ONE, TWO], KNOWN) == []
        assert (folder / ".materialised.json").is_file()

    def test_pipe_in_the_place_of_the_whole_folder_is_said(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "skills")
        (change,) = reconcile(tmp_path / "skills", [ONE], KNOWN)
        assert not change.is_proposal
        with pytest.raises(KnownError, match="Cannot write the skills folder"):
            materialise(tmp_path / "skills", [ONE], KNOWN)


def test_what_stands_in_the_way_of_one_skill_keeps_no_other_from_being_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def refused(self: Path, target: Path) -> Path:
        if target.parent.name == "one":
            raise PermissionError(errno.EACCES, "Permission denied", str(target))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refused)
    three = version_of("three")
    assert materialise(folder, [NEWER, three], KNOWN) == ["one: left alone, this user has no permission"]
    assert (folder / "three/SKILL.md").is_file()
    (folder / ".metaclaw-1.tmp").mkdir()
    assert len(materialise(folder, [NEWER, three], KNOWN)) == 1


def test_folder_is_written_in_steps_and_goes_on_where_it_was_left_off(tmp_path: Path) -> None:
    folder = tmp_path / "skills"
    versions = [version_of(f"s-{number}") for number in range(250)]
    steps = materialising(folder, versions, set(), [], Stamps())
    next(steps)
    assert 0 < len(contents(folder)) < 250
    steps.close()
    assert reconcile(folder, versions, set()) == []
    assert materialise(folder, versions, set()) == []
    assert len(contents(folder)) == 250


def test_untouched_files_are_neither_read_nor_written_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamps = Stamps(lambda: time.time_ns() + 10_000_000_000)
    assert materialise(folder, [ONE, TWO], KNOWN, stamps) == []

    def read(path: Path, limit: int) -> bytes:
        assert path.suffix == ".json", f"{path} was read again"
        return b'["one", "two"]'

    monkeypatch.setattr(view, "read_plainly", read)
    assert materialise(folder, [ONE, TWO], KNOWN, stamps) == []
    assert reconcile(folder, [ONE, TWO], KNOWN, stamps) == []
    monkeypatch.undo()
    (folder / "one/SKILL.md").write_text(EDITED, encoding="utf-8")
    (change,) = reconcile(folder, [ONE, TWO], KNOWN, stamps)
    assert change.kind == OutsideKind.CHANGED
