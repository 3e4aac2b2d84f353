"""Skills of other programs, as they lie on real disks: nothing ends the search, nothing there is run."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.exporting import export_skills
from metaclaw_tray.skills.imported import FoundSkill
from metaclaw_tray.skills.importing import Found, Limits, find_skills
from metaclaw_tray.skills.markdown import read_skill


def put(folder: Path, text: str | bytes | None = None, file: str = "SKILL.md") -> Path:
    """A skill in a folder, named after it."""
    folder.mkdir(parents=True, exist_ok=True)
    if text is None:
        text = f"---\nname: {folder.name}\ndescription: About {folder.name}.\n---\n\nDo.\n"
    (folder / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / file


def names(found: Found) -> list[str]:
    return [skill.name for skill in found.skills]


def skipped(found: Found) -> dict[str, str]:
    return {str(each.path.relative_to(found.root)): each.why for each in found.skipped}


def only(found: Found) -> FoundSkill:
    (skill,) = found.skills
    assert not found.skipped
    return skill


def one(tmp_path: Path, text: str | bytes, folder: str = "found") -> FoundSkill:
    put(tmp_path / folder, text)
    return only(find_skills(tmp_path))


@pytest.mark.parametrize(
    "place",
    [
        ".claude/skills/dates",
        ".agents/skills/dates",
        "memory_data/skills/dates",
        "plugins/office/skills/dates",
        "plugins/office/skills/writing/dates",
        "dates",
    ],
)
def test_skill_is_found_wherever_programs_keep_them(tmp_path: Path, place: str) -> None:
    file = put(tmp_path / place)
    for root in (tmp_path, file.parent, file):
        skill = only(find_skills(root))
        assert (skill.name, skill.description, skill.file) == ("dates", "About dates.", file)
        assert skill.text == file.read_text("utf-8")
        assert (skill.warnings, skill.left_out, skill.too_long) == ((), "", "")


def test_folders_of_machines_are_not_looked_into(tmp_path: Path) -> None:
    put(tmp_path / "node_modules/thing/skills/dates")
    put(tmp_path / ".git/dates")
    assert find_skills(tmp_path) == Found(tmp_path)


class TestTexts:
    def test_unquoted_colon_is_mended_with_a_warning(self, tmp_path: Path) -> None:
        """E01, E10"""
        header = "name: found\ndescription: Configure the harness: hooks and more\nallowed-tools: Read"
        skill = one(tmp_path, f"---\n{header}\n---\nDo.")
        assert skill.description == "Configure the harness: hooks and more"
        assert skill.warnings
        assert read_skill(skill.text, "kept").allowed_tools == "Read"

    @pytest.mark.parametrize("style", [">", "|", ">-", "|-", ">+", "|2"])
    def test_block_scalars_give_their_text(self, tmp_path: Path, style: str) -> None:
        """E03"""
        skill = one(tmp_path, f"---\nname: found\ndescription: {style}\n  one\n\n  two\n---\nDo.")
        assert skill.description.split() == ["one", "two"]

    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf"])
    @pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r"])
    def test_marks_and_line_endings_change_nothing(self, tmp_path: Path, mark: bytes, ending: bytes) -> None:
        """E05"""
        plain = "---\nname: found\ndescription: Wann? — 日期\nallowed-tools: Read\n---\n\nDo.\n".encode()
        assert one(tmp_path, mark + plain.replace(b"\n", ending)).text == plain.decode()

    def test_text_without_a_header_is_a_skill_of_its_folder(self, tmp_path: Path) -> None:
        skill = one(tmp_path, "# Dates\n\nWrite dates\nas ISO 8601.\n\nAlways.", "My Dates")
        assert (skill.name, skill.description) == ("my-dates", "Write dates as ISO 8601.")
        assert any("without a header" in each for each in skill.warnings)

    @pytest.mark.parametrize(
        "text",
        [
            "---\nname: found\nallowed-tools: Read\ndescription: |\n   a\n b\n---\nDo.",
            "---\nallowed-tools: Read\nDo.",
            "name: found\nallowed-tools: Read\n---\nDo.",
            "---\nname: found\nallowed-tools: Read\nallowed-tools: Bash\n---\nDo.",
            "---\nname: found\nallowed-tools: {a: b}\n---\nDo.",
        ],
    )
    def test_skill_whose_restriction_cannot_be_read_is_left_aside(self, tmp_path: Path, text: str) -> None:
        """E10"""
        put(tmp_path / "found", text)
        found = find_skills(tmp_path)
        assert names(found) == []
        assert skipped(found).keys() == {"found/SKILL.md"}

    @pytest.mark.parametrize("name", ["a" * 64, "a" * 65, "a--b", "-a"])
    @pytest.mark.parametrize("length", [1024, 1025])
    def test_limits_are_kept_and_nothing_is_lost(self, tmp_path: Path, name: str, length: int) -> None:
        """E12"""
        text = f"---\nname: {name}\ndescription: {'x' * length}\nmodel: opus\n---\nDo."
        skill = one(tmp_path, text)
        kept = read_skill(skill.text, "kept", skill.name)
        assert kept.warnings == ()
        assert kept.metadata.get("original-name", name) == name
        assert kept.metadata["model"] == "opus"
        assert (kept.description + kept.body).count("x") == length

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"---\nname: a\ndescription: caf\xe9\n---\nDo.", "not UTF-8"),
            (b"\x00" * 100, "no text"),
            (b"", "no description and no text"),
            (b"x" * (256 * 1024 + 1), "larger than"),
            (b"---\nname: a\ndescription: b\n---\n", "no text"),
            (b"---\nname: a\ndescription: b\n---\n</metaclaw-notes>", "metaclaw-notes"),
        ],
    )
    def test_what_is_no_skill_is_said_and_the_others_are_found(
        self, tmp_path: Path, data: bytes, said: str
    ) -> None:
        put(tmp_path / "a", data)
        put(tmp_path / "b")
        found = find_skills(tmp_path)
        assert names(found) == ["b"]
        assert said in skipped(found)["a/SKILL.md"]

    def test_one_in_another_case_is_taken_with_a_warning(self, tmp_path: Path) -> None:
        put(tmp_path / "found", file="skill.md")
        assert only(find_skills(tmp_path)).warnings == ("its file is named skill.md",)
        put(tmp_path / "found", "---\nname: found\ndescription: The right one.\n---\nDo.")
        assert only(find_skills(tmp_path)).description == "The right one."

    def test_one_too_long_to_inject_says_so(self, tmp_path: Path) -> None:
        skill = one(tmp_path, "---\nname: found\ndescription: x\n---\n" + "word " * 2000)
        assert "too long to inject" in skill.too_long

    def test_locale_of_the_machine_changes_nothing(self, tmp_path: Path) -> None:
        """E07"""
        put(tmp_path / "日期 [draft]", "---\nname: dates\ndescription: Wann — 日期?\n---\nDo — so.".encode())
        script = (
            "import sys, pathlib\nfrom metaclaw_tray.skills.importing import find_skills\n"
            "(skill,) = find_skills(pathlib.Path(sys.argv[1])).skills\nprint(ascii(skill.text))"
        )
        environ = {**os.environ, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
        said = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path)], env=environ, capture_output=True, check=True
        ).stdout.decode("ascii")
        assert ascii("description: Wann — 日期?")[1:-1] in said


class TestFolders:
    def test_odd_names_beside_it_stop_nothing(self, tmp_path: Path) -> None:
        """E09"""
        put(tmp_path / "a[1]")
        put(tmp_path / "é 日期")
        put(tmp_path / os.fsdecode(b"\xff\xfe"), "---\ndescription: x\n---\nDo.")
        put(tmp_path / "z")
        found = find_skills(tmp_path)
        assert names(found)[:1] == ["a-1"]
        assert len(found.skills) == 4
        assert not found.skipped
        for skill in found.skills:
            skill.text.encode()

    def test_scripts_and_files_beside_it_are_counted_and_never_opened(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = put(
            tmp_path / "pdf", "---\nname: pdf\ndescription: x\n---\nRun scripts/fill.py first."
        ).parent
        for name in ("scripts/fill.py", "scripts/data", "run.sh", "assets/logo.png", "LICENSE"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text("x", "utf-8")
        (folder / "tool").write_text("x", "utf-8")
        (folder / "tool").chmod(0o755)
        os.mkfifo(folder / "pipe")
        opened: list[str] = []
        real = os.open
        monkeypatch.setattr(os, "open", lambda path, *rest: (opened.append(str(path)), real(path, *rest))[1])
        skill = only(find_skills(tmp_path))
        assert opened == [str(folder / "SKILL.md")]
        assert (skill.scripts, skill.others) == (4, 3)
        assert skill.left_out == "4 scripts were left out; they are never run; 3 other files were left out"
        assert skill.warnings == ("its text speaks of files that are left out: scripts/fill.py",)

    def test_skills_within_a_skill_are_said(self, tmp_path: Path) -> None:
        put(tmp_path / "outer")
        put(tmp_path / "outer/skills/inner")
        skill = only(find_skills(tmp_path))
        assert any("1 more SKILL.md" in each for each in skill.warnings)
        assert names(find_skills(tmp_path / "outer/skills")) == ["inner"]

    def test_two_of_one_name_are_both_shown(self, tmp_path: Path) -> None:
        put(tmp_path / "a/dates")
        put(tmp_path / "b/dates", "---\nname: dates\ndescription: Another.\n---\nDo.")
        found = find_skills(tmp_path)
        assert names(found) == ["dates", "dates"]
        assert str(tmp_path / "a/dates/SKILL.md") in found.skills[1].warnings[0]

    def test_pipes_sockets_and_folders_are_never_opened(self, tmp_path: Path) -> None:
        for name in ("fifo", "socket", "folder", "z"):
            (tmp_path / name).mkdir()
        os.mkfifo(tmp_path / "fifo/SKILL.md")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(tmp_path / "socket/SKILL.md"))
        (tmp_path / "folder/SKILL.md").mkdir()
        os.mkfifo(tmp_path / "pipe")
        put(tmp_path / "z")
        found = find_skills(tmp_path)
        assert names(found) == ["z"]
        assert set(skipped(found).values()) == {
            f"its SKILL.md is a {kind}, not a file" for kind in ("pipe", "socket", "folder")
        }
        assert len(found.skipped) == 3
        assert names(find_skills(tmp_path / "pipe")) == []

    def test_device_is_not_opened(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        (tmp_path / "a/SKILL.md").symlink_to("/dev/zero")
        assert [str(each.target) for each in find_skills(tmp_path).outside] == ["/dev/zero"]
        allowed = find_skills(tmp_path, [Path("/dev/zero")])
        assert skipped(allowed) == {"a/SKILL.md": "its SKILL.md is a device, not a file"}

    def test_file_that_may_not_be_read_is_said(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        put(tmp_path / "a")
        put(tmp_path / "b")
        (tmp_path / "c").mkdir()
        real, listed = os.open, os.scandir

        def refused(path: Path, *rest: int) -> int:
            if Path(path).parent.name == "a":
                raise PermissionError(13, "Permission denied")
            return real(path, *rest)

        def closed(path: Path) -> object:
            if Path(path).name == "c":
                raise PermissionError(13, "Permission denied")
            return listed(path)

        monkeypatch.setattr(os, "open", refused)
        monkeypatch.setattr(os, "scandir", closed)
        found = find_skills(tmp_path)
        assert names(found) == ["b"]
        assert skipped(found) == dict.fromkeys(["a/SKILL.md", "c"], "this user has no permission")

    @pytest.mark.parametrize("name", ["nothing", "loop", "\0"])
    def test_root_that_is_not_there_is_said_plainly(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "loop").symlink_to(tmp_path / "loop")
        with pytest.raises(SkillError, match="Cannot look for skills"):
            find_skills(tmp_path / name)

    @pytest.mark.parametrize("root", [".", "..", "dates/..", "dates"])
    def test_root_may_be_relative(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: str) -> None:
        put(tmp_path / "dates", "---\ndescription: x\n---\nDo.")
        monkeypatch.chdir(tmp_path / "dates" if root in (".", "..") else tmp_path)
        assert names(find_skills(Path(root))) == ["dates"]


class TestLinks:
    """E08"""

    def test_links_inside_are_followed(self, tmp_path: Path) -> None:
        kept = put(tmp_path / ".cache/kept")
        (tmp_path / "folder").symlink_to(kept.parent, target_is_directory=True)
        other = put(tmp_path / ".cache/other")
        (tmp_path / "file").mkdir()
        (tmp_path / "file/SKILL.md").symlink_to(os.path.relpath(other, tmp_path / "file"))
        found = find_skills(tmp_path)
        assert sorted(names(found)) == ["kept", "other"]
        assert not found.skipped
        assert not found.outside

    def test_skill_reached_twice_is_told_once_by_its_own_place(self, tmp_path: Path) -> None:
        file = put(tmp_path / "z/dates")
        (tmp_path / "a").symlink_to(tmp_path / "z/dates", target_is_directory=True)
        (tmp_path / "b").mkdir()
        (tmp_path / "b/SKILL.md").symlink_to(file)
        found = find_skills(tmp_path)
        assert [skill.file for skill in found.skills] == [file]
        assert skipped(found) == {
            "a": "it leads to a folder that was looked at already",
            "b/SKILL.md": f"it is the same file as {file}",
        }

    def test_links_to_nowhere_and_round_in_circles_are_skipped_with_a_note(self, tmp_path: Path) -> None:
        put(tmp_path / "a")
        (tmp_path / "dangling").symlink_to("nowhere")
        (tmp_path / "self").symlink_to("self")
        (tmp_path / "deep").mkdir()
        (tmp_path / "deep/up").symlink_to(tmp_path, target_is_directory=True)
        (tmp_path / "b").mkdir()
        (tmp_path / "b/SKILL.md").symlink_to("missing.md")
        found = find_skills(tmp_path)
        assert names(found) == ["a"]
        assert skipped(found) == {
            "dangling": "it is a link to nowhere",
            "b/SKILL.md": "it is a link to nowhere",
            "self": "it is a link that leads to itself",
            "deep/up": "it leads to a folder that was looked at already",
        }

    def test_links_out_of_the_root_are_asked_about(self, tmp_path: Path) -> None:
        private = put(tmp_path / "private/notes")
        put(tmp_path / "other/dates")
        root = tmp_path / "root"
        root.mkdir()
        (root / "notes").symlink_to(private.parent, target_is_directory=True)
        (root / "file").mkdir()
        (root / "file/SKILL.md").symlink_to(tmp_path / "other/dates/SKILL.md")
        found = find_skills(root)
        assert found.skills == []
        asked = {each.link.name: each.target for each in found.outside}
        assert asked == {"SKILL.md": tmp_path / "other/dates/SKILL.md", "notes": private.parent}
        assert names(find_skills(root, [private.parent])) == ["notes"]
        assert sorted(names(find_skills(root, asked.values()))) == ["dates", "notes"]


class TestBounds:
    def test_search_ends_at_its_bounds_and_says_so(self, tmp_path: Path) -> None:
        for number in range(5):
            put(tmp_path / f"s{number}")
        for limits, said in (
            (Limits(skills=3), "more than 3 skills"),
            (Limits(folders=3), "more than 3 folders"),
            (Limits(entries=7), "more than 7 files"),
            (Limits(size=150), "of text"),
        ):
            found = find_skills(tmp_path, limits=limits)
            assert said in found.stopped
            assert 0 < len(found.skills) < 5
        assert find_skills(tmp_path).stopped == ""

    def test_what_lies_too_deep_is_said(self, tmp_path: Path) -> None:
        put(tmp_path.joinpath(*"abcdefghijkl") / "dates")
        found = find_skills(tmp_path)
        assert names(found) == []
        assert "no deeper" in skipped(found)["a/b/c/d/e/f/g/h/i/j"]


HEADER = st.text(alphabet="nameyxaltow-:dscrip \t'\"|>[]{}#é日\n\0\ufeff", max_size=60)


@settings(deadline=None)
@given(
    st.binary(max_size=200)
    | st.builds(lambda header, body: f"---\n{header}\n---\n{body}".encode(), HEADER, HEADER)
)
def test_any_file_is_kept_in_a_form_that_comes_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """Import, export, import."""
    root = tmp_path_factory.mktemp("any")
    put(root / "in/found", data)
    found = find_skills(root / "in")
    assert len(found.skills) + len(found.skipped) == 1
    for skill in found.skills:
        list(export_skills(root / "out", [(skill.name, skill.text)]))
        again = only(find_skills(root / "out"))
        assert (again.name, again.description) == (skill.name, skill.description)
        assert again.warnings == ()
        assert read_skill(again.text, "out") == read_skill(skill.text, "in")
