"""What leaves is what the reference validator accepts, whatever it looked like when it came."""

from __future__ import annotations

import os
import string
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from skills_ref import read_properties, validate

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.exporting import Outcome, export_skills, export_text
from metaclaw_tray.skills.markdown import Skill, conform, read_skill, write_skill
from metaclaw_tray.skills.texts import printable

GOOD = "---\nname: iso-dates\ndescription: Write dates as ISO 8601.\n---\n\nDo.\n"
OTHER = GOOD.replace("Do.", "Do not.")


def exported(folder: Path, *skills: tuple[str, str], overwrite: bool = False) -> list[Outcome]:
    return [each.outcome for each in export_skills(folder, skills, overwrite=overwrite)]


def strictly(text: str, folder: str) -> tuple[str, str]:
    """The name and text that leave, after the reference validator has had its say."""
    name, strict, _ = export_text(text, folder)
    with tempfile.TemporaryDirectory() as made:
        target = Path(made)
        assert exported(target, (folder, text)) == [Outcome.WRITTEN]
        assert (target / name / "SKILL.md").read_text("utf-8") == strict
        assert validate(target / name) == []
        properties = read_properties(target / name)
        skill = read_skill(strict, name, name)
        assert (properties.name, properties.description) == (skill.name, skill.description.strip())
        assert (properties.metadata or {}) == skill.metadata
        assert properties.allowed_tools == skill.allowed_tools
    return name, strict


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a" * 64, "a" * 64),
        ("a" * 65, "a" * 64),
        ("a--b", "a-b"),
        ("-a", "a"),
        ("My Skill", "my-skill"),
        ("Café", "cafe"),
        ("skill_[draft]", "skill-draft"),
        ("../../etc", "etc"),
    ],
)
def test_names_are_mended_and_the_old_one_stays_under_metadata(name: str, kept: str) -> None:
    """E12"""
    left, text = strictly(f"---\nname: '{name}'\ndescription: x\n---\nDo.", "folder")
    assert left == kept
    assert read_skill(text, left).metadata.get("original-name", name) == name


def test_name_without_a_latin_letter_gets_one_and_keeps_its_own() -> None:
    name, text = strictly("---\nname: 日期\ndescription: x\n---\nDo.", "folder")
    assert name.startswith("skill-")
    assert read_skill(text, name).metadata["original-name"] == "日期"
    assert strictly("---\nname: 时间\ndescription: x\n---\nDo.", "folder")[0] != name


@pytest.mark.parametrize("length", [1024, 1025, 5000])
def test_end_of_a_long_description_stays_in_the_body(length: int) -> None:
    """E12"""
    description = ("word " * 1000)[: length - 1] + "!"
    name, text = strictly(f"---\nname: a\ndescription: {description}\n---\n# Do\n\nSo.", "a")
    skill = read_skill(text, name)
    assert len(skill.description) <= 1024
    head, _, rest = skill.body.partition("Description, continued: …")
    assert head.startswith("# Do\n\nSo.")
    assert (skill.description.removesuffix("…") + rest).replace(" ", "") == description.replace(" ", "")


def test_unknown_keys_move_into_metadata_beside_what_is_there() -> None:
    """E12"""
    text = "---\nname: a\ndescription: x\nauthor: me\nhooks:\n- b\nmetadata:\n  author: you\n---\nDo."
    name, strict = strictly(text, "a")
    assert read_skill(strict, name).metadata == {"author": "you", "author-2": "me", "hooks": '["b"]'}


@pytest.mark.parametrize(
    "header",
    [
        "description: before --- after\nmetadata: {a: 'b ---- c', '---': d}",
        "description: &x one\nmetadata: {}",
        "description: !!str tagged",
        "description: x\nlicense: [MIT, BSD]\ncompatibility: {python: '3'}",
        "description: x\nallowed-tools:",
        "description: x\nmetadata:\n- a\n- b",
        'description: "nul \\0 bell \\a next \\N line \\L para \\P c1 \\x9f"',
        "description: x\ncompatibility: " + "y" * 600,
        "description: x\nmetadata:\n  " + "k" * 300 + ": v",
    ],
)
def test_yaml_that_the_validator_refuses_is_written_in_a_way_it_takes(header: str) -> None:
    name, strict = strictly(f"---\nname: a\n{header}\n---\nDo.", "a")
    assert strictly(strict, name) == (name, strict)


TEXTS = st.text(max_size=60) | st.text(alphabet="-: #'\"\n\t{}[]&*!|>%@`,?abé日\\", max_size=40)
KEYS = st.text(min_size=1, max_size=20) | st.text(alphabet="-: #'\"\n?ab", min_size=1, max_size=80)
WILD = st.builds(
    Skill,
    name=st.text(min_size=1, max_size=90) | st.text(alphabet="aB-_ é", min_size=1, max_size=90),
    description=TEXTS
    | st.text(min_size=1000, max_size=1100)
    | st.text("ab -\n", min_size=1020, max_size=2500),
    body=TEXTS | st.sampled_from(["---\nname: x\n---", "a\n---\nb", "  indented"]),
    license=TEXTS,
    compatibility=TEXTS | st.text("ab -", min_size=490, max_size=520),
    allowed_tools=st.none() | TEXTS,
    metadata=st.dictionaries(KEYS, TEXTS, max_size=4),
    extra=st.dictionaries(KEYS, TEXTS | st.lists(TEXTS, max_size=3), max_size=3),
)


@settings(deadline=None)
@given(WILD)
@example(Skill("---", "---", "---", metadata={"---": "---"}))
@example(Skill("a", "\ud800", "", extra={"\n": "\x85", " ": "b", "": "c"}))
def test_any_skill_survives_import_export_and_import(skill: Skill) -> None:
    stored = write_skill(conform(skill))
    name, strict = strictly(stored, "whatever")
    again = read_skill(strict, name, name)
    assert again.warnings == ()
    assert export_text(strict, name) == (name, strict, ())
    held = " ".join([again.name, again.description, again.body, *again.metadata.values()])
    if again.name != skill.name:
        assert printable(skill.name) in again.metadata.values()
    for value in [
        *skill.metadata.values(),
        *(each for each in skill.extra.values() if isinstance(each, str)),
    ]:
        assert printable(value) in again.metadata.values()
    for word in printable(skill.description).split():
        if len(word) < 200:  # a longer one may be cut in two
            assert word in held
    assert (again.allowed_tools is None) == (skill.allowed_tools is None)


HEADERS = st.lists(
    st.builds(
        lambda key, value: f"{key}: {value}",
        st.sampled_from(["name", "description", "allowed-tools", "x", "metadata", "license", "\u00e9"]),
        TEXTS.map(lambda text: text.replace("\n", " ")) | st.text(string.printable, max_size=30),
    ),
    max_size=5,
).map("\n".join)


@settings(deadline=None)
@given(HEADERS, TEXTS)
@example("name: &0\ndescription: &0", "x")
def test_any_file_that_can_be_read_can_be_exported(header: str, body: str) -> None:
    text = f"---\n{header}\n---\n{body}"
    try:
        read_skill(text, "fuzz", "some folder")
    except SkillError:
        return
    strictly(text, "some folder")


class TestFolders:
    def test_same_text_is_no_change_and_another_one_stays_until_told(self, tmp_path: Path) -> None:
        target = tmp_path / "new/er"
        assert exported(target, ("iso-dates", GOOD)) == [Outcome.WRITTEN]
        assert exported(target, ("iso-dates", GOOD)) == [Outcome.UNCHANGED]
        assert exported(target, ("iso-dates", OTHER)) == [Outcome.DIFFERS]
        assert (target / "iso-dates/SKILL.md").read_text("utf-8") == GOOD
        assert exported(target, ("iso-dates", OTHER), overwrite=True) == [Outcome.WRITTEN]
        assert (target / "iso-dates/SKILL.md").read_text("utf-8") == OTHER
        assert [path.name for path in (target / "iso-dates").iterdir()] == ["SKILL.md"]

    def test_two_skills_of_one_name_never_overwrite_each_other(self, tmp_path: Path) -> None:
        outcomes = exported(tmp_path, ("a", GOOD), ("b", OTHER), overwrite=True)
        assert outcomes == [Outcome.WRITTEN, Outcome.DIFFERS]

    @pytest.mark.parametrize("overwrite", [True, False])
    @pytest.mark.parametrize("where", ["iso-dates", "iso-dates/SKILL.md"])
    def test_nothing_is_written_through_a_link(self, tmp_path: Path, where: str, overwrite: bool) -> None:
        elsewhere = tmp_path / "elsewhere"
        link = tmp_path / "out" / where
        link.parent.mkdir(parents=True)
        if where.endswith(".md"):
            elsewhere.write_text("private", "utf-8")
        else:
            elsewhere.mkdir()
        link.symlink_to(elsewhere)
        assert exported(tmp_path / "out", ("a", GOOD), overwrite=overwrite) == [Outcome.REFUSED]
        assert elsewhere.is_dir() or elsewhere.read_text("utf-8") == "private"
        assert elsewhere.is_file() or not list(elsewhere.iterdir())

    @pytest.mark.parametrize("where", ["iso-dates", "iso-dates/SKILL.md"])
    def test_pipe_in_the_way_is_neither_opened_nor_replaced(self, tmp_path: Path, where: str) -> None:
        (tmp_path / where).parent.mkdir(exist_ok=True)
        os.mkfifo(tmp_path / where)
        assert exported(tmp_path, ("a", GOOD), overwrite=True) == [Outcome.REFUSED]
        assert (tmp_path / where).is_fifo()

    def test_file_that_comes_into_being_meanwhile_is_kept(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        link = os.link

        def slow(fresh: Path, file: Path) -> None:
            file.write_text("came first", "utf-8")
            link(fresh, file)

        monkeypatch.setattr(os, "link", slow)
        assert exported(tmp_path, ("a", GOOD)) == [Outcome.DIFFERS]
        assert (tmp_path / "iso-dates/SKILL.md").read_text("utf-8") == "came first"

    def test_full_disk_leaves_the_earlier_text(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        exported(tmp_path, ("a", GOOD))

        def full(descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            exported(tmp_path, ("a", OTHER), overwrite=True)
        assert (tmp_path / "iso-dates/SKILL.md").read_text("utf-8") == GOOD
        assert len(list((tmp_path / "iso-dates").iterdir())) == 1
