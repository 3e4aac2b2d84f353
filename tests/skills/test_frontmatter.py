"""The quick way through a plain header gives what YAML gives, or nothing."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ruamel.yaml.error import YAMLError

from metaclaw_tray.skills.frontmatter import read_plain, read_yaml
from metaclaw_tray.skills.markdown import Skill, write_skill

KEYS = st.sampled_from(["name", "description", "metadata", "a", "null", "yes", "_x", "k-1", "y"])
MARKS = st.text(alphabet=" :#'\"-?,[]{}&*!|>%@`~=<\\.\t/ab1é日\xa0\x85\u2028\ufeff\n", max_size=12)
VALUES = st.one_of(
    MARKS,
    MARKS.map(lambda text: f"'{text}'"),
    MARKS.map(lambda text: f'"{text}"'),
    st.text(max_size=20),
    st.sampled_from(["", "null", "1.0", "no", "2025-01-01", "0x1F", "...", "---", "| x", "> x", "a ", " b"]),
)
LINES = st.builds(
    lambda indent, key, colon, value: f"{indent}{key}{colon}{value}",
    st.sampled_from(["", "", "  ", "  ", "    "]),
    KEYS,
    st.sampled_from([":", ": ", ":  ", " : "]),
    VALUES,
)
HEADERS = st.lists(LINES, min_size=1, max_size=6).map("\n".join)


def by_yaml(text: str) -> Mapping[str, object] | None:
    try:
        return read_yaml(text)
    except (YAMLError, RecursionError, ValueError):
        return None


@settings(deadline=None, max_examples=1000)
@given(HEADERS)
@example("metadata:\n  a: b\nname: c\n  a: d")
@example("metadata:\nname:")
@example("metadata:\n  a:\n    b: c")
@example("metadata: \n  a: b\n   c: d")
def test_what_the_quick_way_reads_yaml_reads_alike(header: str) -> None:
    plain = read_plain(header)
    if plain is not None:
        assert plain == by_yaml(header)
        assert list(plain) == list(by_yaml(header) or ())


def test_what_we_write_goes_the_quick_way() -> None:
    skill = Skill(
        "iso-dates",
        "Write dates: it's ISO 8601, not “1.2.”; 日期. Use when asked [a, b].",
        "Body.",
        license="MIT",
        allowed_tools="Read Bash(git:*)",
        metadata={"source": "learnt", "version": "1.10", "triggers": "date; what time?; 日期", "note": ""},
    )
    header = write_skill(skill).split("---\n")[1].removesuffix("\n")
    plain = read_plain(header)
    assert plain == read_yaml(header)
    assert plain["description"] == skill.description
    assert plain["metadata"] == skill.metadata


@pytest.mark.parametrize(
    "header",
    [
        "name: a\nname: b",
        "a: b\n  c",
        "a: b: c",
        "a: b #c",
        "a: [b]",
        "a: 'b' c",
        'a: "\\n"',
        "- a",
        "a:\n- b",
        "a: >\n  b",
        "# a",
        "a: b\n\nc: d",
        "a:\tb",
        "a: b:",
        "",
    ],
)
def test_all_else_is_left_to_yaml(header: str) -> None:
    assert read_plain(header) is None
