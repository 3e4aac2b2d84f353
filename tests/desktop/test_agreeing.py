"""What a person is asked: every act that takes a yes has plain words, and a button named by the act."""

from __future__ import annotations

import re
from typing import Any

import pytest
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.looking import press, said
from desktop.stand_in import StandInBridge
from metaclaw_tray.admin import api
from metaclaw_tray.admin.api.base import Consented
from metaclaw_tray.admin.window import Sheet
from metaclaw_tray.desktop.agreeing import Agreements
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.sheet import ConsentSheet, tell_problem

ASKED: list[api.Verb[Any]] = [
    api.ApproveProposal(id="p1"),
    api.EditProposal(id="p1", text=""),
    api.RejectProposal(id="p1"),
    api.TryProposal(id="p1", sessions=20),
    api.AddSkill(text=""),
    api.EnableSkill(name="clear-dates"),
    api.DisableSkill(name="clear-dates"),
    api.RetireSkill(name="clear-dates"),
    api.TrustSkill(name="clear-dates", trusted=True),
    api.TrustSkill(name="clear-dates", trusted=False),
    api.ScopeSkill(name="clear-dates", agents=["coder"]),
    api.ScopeSkill(name="clear-dates", agents=[]),
    api.ImportSkills(skills=[]),
    api.Undo(entry="01ab"),
    api.ReturnToGeneration(generation=4),
    api.Reload(),
    api.FetchModel("qwen"),
    api.UseAdapter(id="a1"),
    api.RollBackAdapter(),
    api.AddExtra(name="embedded"),
    api.RemoveExtra(name="embedded"),
    api.AddUpstream(name="here", base_url="http://127.0.0.1:1"),
    api.ConnectIcs(address="https://calendar.example.org/private.ics"),
    api.ConnectGoogle(client_file="/home/you/client.json"),
    *(
        api.SetConfig(key=key, value="1")
        for key in (
            "budget.day_usd",
            "budget.month_usd",
            "review.policy",
            "retention.days",
            "learning.upstream",
            "learning.model",
            "upstreams.here.input_usd_per_million",
            "upstreams.here.base_url",
            "upstreams.here.credential",
        )
    ),
]
_CODES = re.compile(r"`|_|\bp1\b|01ab|generation|ledger|proposal id|metaclaw-tray", re.IGNORECASE)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("verb", ASKED, ids=[type(each).__name__ for each in ASKED])
def test_what_is_asked_is_said_in_words_with_the_way_back_or_a_warning(verb: api.Verb[Any]) -> None:
    asked = Agreements().of(verb, "the app's own name")
    assert asked.title.endswith("?")
    assert asked.happens.endswith(".")
    assert asked.yes
    assert "own name" not in asked.title + asked.yes
    assert asked.back or asked.danger
    words = " ".join((asked.title, asked.happens, asked.yes, asked.leaves, asked.costs, asked.back))
    assert not _CODES.search(words), words
    assert "{" not in words


def test_every_verb_that_takes_a_yes_has_its_words() -> None:
    known = {type(each) for each in ASKED}
    assert _below(Consented) - known == set()


def _below(kind: type) -> set[type]:
    return {each for child in kind.__subclasses__() for each in ({child} | _below(child))}


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QMainWindow()
    qtbot.addWidget(made)
    made.show()
    return made


def sheet_of(bridge: Bridge, parent: QWidget, verb: api.Verb[Any], text: str = "All of it.") -> ConsentSheet:
    return shown_sheet(bridge, parent, Sheet(1, 1, "undo the ledger entry 01ab", text), verb)


def shown_sheet(
    bridge: Bridge, parent: QWidget, sheet: Sheet, verb: api.Verb[Any] | None = None
) -> ConsentSheet:
    made = ConsentSheet(parent, bridge, sheet, verb)
    made.show()
    return made


def test_the_sheet_names_the_act_and_shows_the_whole_text(bridge: StandInBridge, parent: QWidget) -> None:
    sheet = sheet_of(bridge, parent, api.DisableSkill(name="clear-dates"), "Every word.\n" * 9)
    assert "Switch “Clear dates” off?" in said(sheet)
    assert "01ab" not in said(sheet)
    assert "The way back" in said(sheet)
    (shown,) = sheet.findChildren(QPlainTextEdit)
    assert shown.toPlainText() == "Every word.\n" * 9
    press(sheet, "Switch off")
    assert bridge.agreed[-1][1] is True


def test_the_return_key_is_no_yes(bridge: StandInBridge, parent: QWidget) -> None:
    sheet = sheet_of(bridge, parent, api.RetireSkill(name="clear-dates"))
    (default,) = [each for each in sheet.findChildren(QPushButton) if each.isDefault()]
    assert default.text() == "Cancel"
    sheet.close()
    assert bridge.agreed[-1][1] is False


def test_an_act_without_words_is_asked_by_its_own_name(bridge: StandInBridge, parent: QWidget) -> None:
    made = shown_sheet(bridge, parent, Sheet(99, 1, "polish the moon", "How it is done."))
    assert "Polish the moon?" in said(made)


def test_what_went_wrong_leads_to_the_page_that_mends_it(parent: QWidget) -> None:
    went: list[str] = []
    problem = Problem.of("No key", "There is none.", "Give it: `metaclaw-tray secret set upstream:here`.")
    tell_problem(parent, problem, went.append)
    (box,) = [each for each in parent.children() if hasattr(each, "accept")]
    assert isinstance(box, QWidget)
    assert "metaclaw-tray" not in said(box)
    press(box, "Take me there")
    assert went == ["settings/models"]
