"""Letters that hide or turn text are shown for what they are."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from metaclaw_tray.desktop.pages.conversations.pieces import Speech
from metaclaw_tray.desktop.pages.skills.reading import SkillText
from metaclaw_tray.desktop.unhidden import unhidden


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("never \u202edelete\u202c", "never ⟨202E⟩delete⟨202C⟩"),
        ("pay\u200bpal", "pay⟨200B⟩pal"),
        ("\U000e0041", "⟨E0041⟩"),
        ("\u2066x\u2069", "⟨2066⟩x⟨2069⟩"),
    ],
)
def test_what_hides_or_turns_is_shown_as_its_number(text: str, shown: str) -> None:
    assert unhidden(text) == shown


@pytest.mark.parametrize("text", ["", "Zwölf & <b>", "می\u200cخواهم", "👩\u200d🔬", "שלום\u200f", "a\tb\n"])
def test_what_languages_need_stays(text: str) -> None:
    assert unhidden(text) == text


@pytest.mark.parametrize("raw", [True, False])
def test_a_skill_cannot_be_read_otherwise_than_it_is(qtbot: QtBot, raw: bool) -> None:
    shown = SkillText()
    qtbot.addWidget(shown)
    shown.show_text("# Safe\n\nAsk before you \u202edelete\u202c anything.", raw=raw)
    assert "\u202e" not in shown.toPlainText()
    assert "⟨202E⟩delete⟨202C⟩" in shown.toPlainText()


@pytest.mark.parametrize("sought", ["", "delete"])
def test_nor_can_what_was_said(qtbot: QtBot, sought: str) -> None:
    shown = Speech("You asked", "Please \u202edelete\u202c it.", sought=sought)
    qtbot.addWidget(shown)
    assert "\u202e" not in shown._shown.text()
    assert "⟨202E⟩" in shown._shown.text()
