"""SKILL.md as people and programs write it, and as the specification wants it."""

from __future__ import annotations

import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.markdown import Skill, conform, problems, read_skill, slug, write_skill

PLAIN = """---
name: iso-dates
description: Write dates as ISO 8601.
license: MIT
allowed-tools: Read Bash(git:*)
metadata:
  source: learnt
  version: 1.10
  triggers: date; what time ;  ; 日期
---

# Dates

Write every date as ISO 8601.
"""


def read(text: bytes | str, folder: str = "iso-dates") -> Skill:
    return read_skill(text, "here/SKILL.md", folder)


def described(header: str) -> Skill:
    return read(f"---\nname: iso-dates\n{header}\n---\nBody.\n")


def test_a_plain_skill_is_read_without_warnings() -> None:
    skill = read(PLAIN)
    assert skill.name == "iso-dates"
    assert skill.description == "Write dates as ISO 8601."
    assert skill.body == "# Dates\n\nWrite every date as ISO 8601."
    assert skill.license == "MIT"
    assert skill.allowed_tools == "Read Bash(git:*)"
    assert skill.triggers == ("date", "what time", "日期")
    assert skill.warnings == ()


def test_values_stay_the_text_that_was_written() -> None:
    assert read(PLAIN).metadata["version"] == "1.10"
    assert described("description: no").description == "no"
    assert described("description: 2025-01-01").description == "2025-01-01"


def test_unquoted_colon_is_mended_with_a_warning() -> None:
    """E01"""
    skill = described("description: Configure the harness: hooks and more")
    assert skill.description == "Configure the harness: hooks and more"
    assert "description" in skill.warnings[0]


def test_mending_never_loses_allowed_tools() -> None:
    """E10"""
    skill = described("description: Configure the harness: hooks and more\nallowed-tools: Read")
    assert skill.allowed_tools == "Read"
    assert described('license: "MIT\nallowed-tools: Read\ndescription: "x": y').allowed_tools == "Read"


@pytest.mark.parametrize(
    "header",
    [
        "description: Use: this\n allowed-tools: Read",
        "description: [x\n  - Allowed_Tools : Read",
    ],
)
def test_header_is_refused_rather_than_mended_around_a_restriction(header: str) -> None:
    """E10"""
    with pytest.raises(SkillError):
        described(header)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("description: Use: when\n  asked: twice", "Use: when asked: twice"),
        ("description: @home and `code`", "@home and `code`"),
        ("description: [draft] Use when asked", "[draft] Use when asked"),
        ('description: "C:\\path" says: no', '"C:\\path" says: no'),
        ('description: "C:\\projects"', "C:\\projects"),
        ("description: it's: fine", "it's: fine"),
        ("description: 100% sure: yes", "100% sure: yes"),
        ("description: ends with a colon:", "ends with a colon:"),
    ],
)
def test_what_yaml_cannot_read_is_taken_as_it_stands(written: str, meant: str) -> None:
    skill = described(written)
    assert skill.description == meant
    assert skill.warnings


def test_a_value_under_metadata_is_mended_too() -> None:
    skill = described("description: x\nmetadata:\n  note: a: b\n  other: c")
    assert skill.metadata == {"note": "a: b", "other": "c"}


@pytest.mark.parametrize(
    ("style", "meant"),
    [
        (">", "one two\nthree"),
        (">-", "one two\nthree"),
        (">+", "one two\nthree"),
        ("|", "one\ntwo\n\nthree"),
        ("|-", "one\ntwo\n\nthree"),
        ("|2", "one\ntwo\n\nthree"),
    ],
)
def test_block_scalars_give_their_text(style: str, meant: str) -> None:
    """E03"""
    skill = described(f"description: {style}\n  one\n  two\n\n  three")
    assert skill.description == meant
    assert skill.warnings == ()


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf"])
def test_byte_order_marks_change_nothing(mark: bytes) -> None:
    """E05"""
    assert read(mark + PLAIN.encode()) == read(PLAIN)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings_change_nothing(ending: str) -> None:
    assert read(PLAIN.replace("\n", ending)) == read(PLAIN)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"---\nname: a\ndescription: caf\xe9\n---\n", "line 3 is not UTF-8"),
        ("Just text.", "does not begin with a header"),
        ("", "does not begin with a header"),
        ("---\nname: a\n", "header has no end"),
        ("---\n- a\n---\n", "not a list of"),
        ("---\nallowed-tools: Read\nallowed-tools: All\nname: a\n---\nx", "duplicate key"),
        ("---\nallowed-tools: Read\nallowed_tools: All\nname: a\n---\nx", "stands there twice"),
        ("---\nname: a\nallowed-tools: {read: yes}\n---\nx", "allowed-tools"),
        ("---\nname: a\ndescription: |\n   a\n b\n---\nx", "line"),
        ("---\nname: a\n---\n", "no description and no text"),
        ("---\nname: a\n---\n" + "x" * 300_000, "larger than"),
    ],
)
def test_what_cannot_be_used_is_refused_with_place_and_remedy(source: bytes | str, said: str) -> None:
    with pytest.raises(SkillError) as caught:
        read(source)
    assert "here/SKILL.md" in caught.value.detail
    assert said in caught.value.detail
    assert caught.value.remedy


def test_aliases_and_deep_nesting_never_unfold() -> None:
    skill = described("description: *all* of it\nbomb: &a [x, x]\nmore: [*a, *a]")
    assert skill.description == "*all* of it"
    assert skill.extra["more"] == "[*a, *a]"
    for deep in ("description: " + "[" * 5000, "- " * 5000):
        with pytest.raises(SkillError, match="nested too deeply"):
            described(deep)
    with pytest.raises(SkillError, match="larger than"):
        described("x: y\n" * 5000)


def test_allowed_tools_survives_any_spelling_and_shape() -> None:
    assert described("description: x\nAllowed_Tools: Read").allowed_tools == "Read"
    assert described("description: x\nallowedTools: Read").allowed_tools == "Read"
    assert described("description: x\nallowed-tools: [Read, Grep]").allowed_tools == "Read Grep"
    assert described("description: x\nallowed-tools:\n- Read\n- Grep").allowed_tools == "Read Grep"
    assert (
        described("description: x\nallowed-tools: Bash(git: *), Read").allowed_tools == "Bash(git: *), Read"
    )


def test_empty_allowed_tools_restricts_to_none() -> None:
    skill = described("description: x\nallowed-tools:")
    assert skill.allowed_tools == ""
    assert read(write_skill(skill)).allowed_tools == ""
    assert described("description: x").allowed_tools is None


def test_unknown_keys_are_kept_aside_with_a_warning_and_leave_as_metadata() -> None:
    skill = described("description: x\ncategory: code\nhooks: {a: [b]}")
    assert skill.extra == {"category": "code", "hooks": {"a": ["b"]}}
    assert "category" in skill.warnings[0]
    with pytest.raises(SkillError, match="unknown keys"):
        write_skill(skill)
    written = read(write_skill(conform(skill)))
    assert written.metadata == {"category": "code", "hooks": '{"a": ["b"]}'}


def test_last_of_two_equal_keys_counts_with_a_warning() -> None:
    skill = described("description: x\nversion: 1\ndescription: y: z\nmetadata:\n  a: 1\n  a: 2")
    assert (skill.description, skill.metadata) == ("y: z", {"a": "2"})
    assert "“description” stands there more than once; the last one counts" in skill.warnings


def test_tabs_before_a_line_are_read_as_spaces_with_a_warning() -> None:
    skill = described("description: x\nmetadata:\n\tauthor: me\n\tnote: a: b\nallowed-tools:\tRead")
    assert skill.metadata == {"author": "me", "note": "a: b"}
    assert skill.allowed_tools == "Read"
    assert skill.warnings


def test_control_characters_become_spaces_with_a_warning() -> None:
    skill = described("description: a\0b\x1b[31m\nallowed\0-tools: Read")
    assert skill.description == "a b [31m"
    assert skill.allowed_tools == "Read"
    assert "characters that cannot be shown were read as spaces" in skill.warnings
    assert "characters that cannot be shown become spaces" in read(PLAIN + "a\0b").warnings


@pytest.mark.parametrize("written", ["triggers: [a b, 日期]", "metadata:\n  triggers:\n  - a b\n  - 日期"])
def test_list_of_trigger_phrases_is_understood(written: str) -> None:
    assert conform(described(f"description: x\n{written}")).triggers == ("a b", "日期")


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("metadata: text", {"metadata": "text"}),
        ("metadata: [a, b]", {"metadata": '["a", "b"]'}),
        ("metadata:\n  a: {b: c}", {"a": '{"b": "c"}'}),
    ],
)
def test_metadata_of_another_shape_is_kept_as_text(written: str, kept: dict[str, str]) -> None:
    skill = described(f"description: x\n{written}")
    assert skill.metadata == kept
    assert skill.warnings


class TestWithoutHeader:
    def test_text_is_a_body_where_that_is_wanted(self) -> None:
        skill = read_skill("\ufeff# Title\r\n\r\nDo this.\r\n", "x", "found", headless=True)
        assert (skill.name, skill.description, skill.body) == ("found", "Do this.", "# Title\n\nDo this.")
        assert skill.warnings[0] == "without a header"

    @pytest.mark.parametrize(
        "source",
        [
            "name: a\nallowed-tools: Read\n---\nDo.",
            "\u2060---\nname: a\nAllowed_Tools : Read\n---\nDo.",
            "```yaml\n- `allowedTools`: Read\n```\nDo.",
            "--- \nname: a\nallowed-tools: Read\nDo.",
            "",
        ],
    )
    def test_what_may_have_been_meant_as_one_is_refused(self, source: str) -> None:
        """E10"""
        with pytest.raises(SkillError):
            read_skill(source, "x", "found", headless=True)

    def test_header_below_blank_lines_is_one(self) -> None:
        assert read("  \n\n" + PLAIN) == read(PLAIN)


def test_name_comes_from_the_folder_where_the_file_has_none() -> None:
    skill = read("---\ndescription: x\n---\nBody.", folder="found")
    assert skill.name == "found"
    assert skill.warnings
    with pytest.raises(SkillError, match="no name"):
        read("---\ndescription: x\n---\nBody.", folder="")


def test_first_paragraph_stands_in_for_a_missing_description() -> None:
    skill = read("---\nname: a\n---\n# Title\n\nDo this\nand that.\n\nMore.", folder="a")
    assert skill.description == "Do this and that."


@pytest.mark.parametrize(("name", "valid"), [("a" * 64, True), ("a" * 65, False), ("a--b", False)])
def test_limits_of_names(name: str, valid: bool) -> None:
    """E12"""
    skill = Skill(name, "x", "body")
    assert (not problems(skill)) is valid
    write_skill(conform(skill))


@pytest.mark.parametrize("name", ["-a", "a-", "A", "a_b", "é", "", "a\n"])
def test_other_names_the_specification_forbids(name: str) -> None:
    assert problems(Skill(name, "x", "body"))


def test_name_without_a_letter_is_refused() -> None:
    with pytest.raises(SkillError, match="no usable name"):
        slug("日期")


@pytest.mark.parametrize(("length", "valid"), [(1024, True), (1025, False)])
def test_limits_of_descriptions(length: int, valid: bool) -> None:
    """E12"""
    skill = Skill("a", "x" * length, "body")
    assert (not problems(skill)) is valid
    assert len(read(write_skill(conform(skill)), "a").description) <= 1024


def test_text_that_cannot_be_encoded_is_never_written() -> None:
    skill = Skill("a", "x", "broken \ud800 half")
    with pytest.raises(SkillError):
        write_skill(skill)
    write_skill(conform(skill)).encode()


def test_provenance_goes_under_metadata() -> None:
    skill = Skill("a", "x", "body").with_metadata(source="learnt", learnt_from="01h 01j")
    assert "metadata:\n  learnt-from: 01h 01j\n  source: learnt\n" in write_skill(skill)


def test_written_keys_stand_in_the_order_people_expect() -> None:
    lines = write_skill(read(PLAIN)).split("\n")
    keys = [line.split(":")[0] for line in lines if line[:1].isalpha() and ":" in line]
    assert keys[:5] == ["name", "description", "license", "allowed-tools", "metadata"]


NAMES = st.from_regex(r"[a-z0-9]+(-[a-z0-9]+){0,3}", fullmatch=True).filter(lambda name: len(name) <= 64)
TEXTS = st.text(max_size=200)
SKILLS = st.builds(
    Skill,
    name=NAMES,
    description=st.text(min_size=1, max_size=1100).filter(str.strip),
    body=st.text(max_size=400) | st.sampled_from(["---\nname: x\n---", "a\n---\nb", "  indented"]),
    license=TEXTS,
    compatibility=TEXTS,
    allowed_tools=st.none() | TEXTS,
    metadata=st.dictionaries(st.text(min_size=1, max_size=20), TEXTS, max_size=4),
    extra=st.dictionaries(st.text(string.ascii_letters, min_size=1), TEXTS | st.lists(TEXTS), max_size=2),
)


@settings(deadline=None)
@given(SKILLS)
@example(Skill("a", "x", "", metadata={"'": "\t- a: 'b'\n# c", "null": "~", "1": "0x1F"}))
def test_a_skill_written_and_read_again_is_the_same(skill: Skill) -> None:
    skill = conform(skill)
    if problems(skill):  # nothing printable was left of the description
        return
    again = read_skill(write_skill(skill), "written", skill.name)
    trimmed = Skill(
        skill.name,
        skill.description.strip(),
        skill.body,
        skill.license.strip(),
        skill.compatibility.strip(),
        None if skill.allowed_tools is None else skill.allowed_tools.strip(),
        skill.metadata,
    )
    assert again == trimmed
    assert again.warnings == ()
    assert write_skill(again) == write_skill(conform(again))


@settings(deadline=None)
@given(
    st.binary(max_size=300) | st.binary(max_size=300).map(lambda tail: b"---\nname: a\n" + tail + b"\n---\nx")
)
def test_any_bytes_give_a_skill_or_a_sentence(source: bytes) -> None:
    try:
        skill = read_skill(source, "fuzz", "a")
    except SkillError:
        return
    assert skill.name
    assert skill.description


HEADER_LINES = st.sampled_from(
    [
        "name: a",
        "description: x: y",
        "allowed-tools: Read",
        "  allowed-tools: Read",
        "description: z",
        "metadata:",
        "  k: v: w",
        "  - z",
        "- q",
        "\tq",
        "> t",
    ]
)


@settings(deadline=None)
@given(st.lists(HEADER_LINES, max_size=8))
def test_no_mending_ever_drops_a_restriction(lines: list[str]) -> None:
    try:
        skill = read_skill("---\n" + "\n".join(lines) + "\n---\nbody", "fuzz", "a")
    except SkillError:
        return
    if "allowed-tools: Read" in lines:
        assert skill.allowed_tools is not None
        assert skill.allowed_tools.startswith("Read")
