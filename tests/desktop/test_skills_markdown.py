"""A skill's text acts on nothing, whatever stands in it; and what changed is told by sign."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.skills import diffing
from metaclaw_tray.desktop.pages.skills.changes import DiffView
from metaclaw_tray.desktop.pages.skills.diffing import Kind, Line
from metaclaw_tray.desktop.pages.skills.markdown import LONGEST, split_head, to_html
from metaclaw_tray.desktop.pages.skills.reading import SkillText

TAGS = re.compile(r"<\s*/?\s*([a-z0-9]+)", re.IGNORECASE)
OURS = {
    *("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "em", "strong", "code", "pre", "span", "br"),
    *("blockquote", "hr", "table", "thead", "tbody", "tr", "th", "td"),
}


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src='https://evil.example/x.png'> b",
        "<a href='file:///etc/passwd'>x</a>",
        "<style>* { display: none }</style>",
        "![x](https://evil.example/x.png)",
        "![x](file:///etc/passwd)",
        "[x](javascript:alert(1))",
        "[x](file:///etc/passwd 'title')",
        "<https://evil.example>",
        "[x]: https://evil.example/y\n\n[x] and ![x]",
        "```html\n<script>1</script>\n```",
        "`<script>`",
    ],
)
def test_nothing_in_a_text_becomes_a_tag_that_acts(qapp: object, text: str) -> None:
    made = to_html(text, theme.LIGHT)
    assert {tag.lower() for tag in TAGS.findall(made)} <= OURS
    tags = "".join(re.findall(r"<[^>]*>", made))
    assert "href" not in tags
    assert "src" not in tags


@given(st.text(alphabet="<>a/\"'=[]()!`\n& :simgcrptef", max_size=80))
def test_no_text_at_all_makes_another_tag_than_ours(text: str) -> None:
    assert {tag.lower() for tag in TAGS.findall(to_html(text, theme.DARK))} <= OURS


def test_the_address_of_a_link_is_shown_beside_its_words(qapp: object) -> None:
    made = to_html("[the page](https://a.example/b)", theme.LIGHT)
    assert "the page" in made
    assert "(https://a.example/b)" in made


def test_a_picture_is_named_and_never_loaded(qtbot: QtBot) -> None:
    shown = SkillText()
    qtbot.addWidget(shown)
    shown.show_text("![the plan](file:///etc/hostname)")
    assert "the plan" in shown.toPlainText()
    assert "file:///etc/hostname" in shown.toPlainText()
    assert shown.loadResource(QTextDocument.ResourceType.ImageResource, QUrl("file:///etc/hostname")) is None
    assert not shown.openLinks()
    assert not shown.openExternalLinks()


def test_the_head_is_shown_too_since_the_yes_is_for_all_of_it(qtbot: QtBot) -> None:
    shown = SkillText()
    qtbot.addWidget(shown)
    shown.show_text("---\nname: x\ndescription: about\n---\n\n# Title\n\nDo it.\n")
    assert all(part in shown.toPlainText() for part in ("name: x", "description: about", "Title", "Do it."))
    assert split_head("no head") == ("", "no head")


@pytest.mark.parametrize("raw", [True, False])
def test_what_is_very_long_is_shown_as_it_is_written(qtbot: QtBot, raw: bool) -> None:
    shown = SkillText()
    qtbot.addWidget(shown)
    text = "# x\n" if raw else "# x\n" + "a\n\n" * LONGEST
    shown.show_text(text, raw=raw)
    assert shown.toPlainText().startswith("# x")


def test_code_is_coloured_from_the_theme(qapp: object) -> None:
    made = to_html("```python\nreturn 'x'\n```", theme.DARK)
    assert theme.DARK.accent in made.lower()
    assert theme.DARK.good in made.lower()
    assert "<span" not in to_html("```no-such-language\nx\n```", theme.DARK)


def test_a_change_is_told_by_sign_and_a_long_same_part_is_folded() -> None:
    old = "\n".join(f"line {number}" for number in range(20))
    new = old.replace("line 10", "another")
    lines = diffing.lines_of(old, new)
    assert [line for line in lines if line.kind in (Kind.ADDED, Kind.REMOVED)] == [
        Line(Kind.REMOVED, "line 10"),
        Line(Kind.ADDED, "another"),
    ]
    assert sum(line.kind is Kind.GAP for line in lines) == 2
    assert diffing.counted(lines) == (1, 1)
    assert (Line(Kind.REMOVED, "line 10"), Line(Kind.ADDED, "another")) in diffing.pairs_of(old, new)
    assert diffing.lines_of(old, old) == []


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_each_side_of_a_change_is_one_of_the_texts(old: list[str], new: list[str]) -> None:
    pairs = diffing.pairs_of("\n".join(old), "\n".join(new))
    left = [each for each, _ in pairs if each is not None and each.kind is not Kind.GAP]
    right = [each for _, each in pairs if each is not None and each.kind is not Kind.GAP]
    hidden = sum(int(each.text) for each, _ in pairs if each is not None and each.kind is Kind.GAP)
    assert len(left) + hidden == len(old)
    assert len(right) + hidden == len(new)


def test_a_change_is_shown_with_its_signs_in_both_ways(qtbot: QtBot) -> None:
    shown = DiffView()
    qtbot.addWidget(shown)
    for beside in (False, True):
        shown.show_change("a\n<b>\nc", "a\nd\nc", beside=beside)
        assert all(part in shown.toPlainText() for part in ("−", "+", "<b>", "d"))
    shown.show_change("a", "a")
    assert shown.toPlainText() == "Nothing differs."
    shown.show_change("x\n" * (diffing.MOST_LINES + 1), "y")
    assert "too long" in shown.toPlainText()
