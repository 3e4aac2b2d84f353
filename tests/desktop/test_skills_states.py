"""What the page of skills says when there is no answer, and how it asks."""

from __future__ import annotations

from typing import Any

import msgspec
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.stand_in import AWAY, StandInBridge
from metaclaw_tray.admin.api import (
    AgentRow,
    CondenseSkill,
    ListAgents,
    ListReview,
    ListSkills,
    ProposalRow,
    Said,
    ScopeSkill,
    ShowSkill,
    ShowSkillHistory,
    SkillDetail,
    SkillRow,
    TrustSkill,
    Undo,
    WriteSkills,
)
from metaclaw_tray.desktop.pages.skills.asking import ScopeSheet
from metaclaw_tray.desktop.pages.skills.page import SkillsPage

TEXT = "---\nname: dates\ndescription: Dates.\n---\n\nUse ISO.\n"


def skill(name: str = "dates", **more: Any) -> SkillRow:
    values: dict[str, Any] = {"state": "active", "source": "person", "trust": "reviewed"}
    return SkillRow(name=name, version=1, generation=1, description="Dates.", **(values | more))


def filled(bridge: StandInBridge, **more: Any) -> None:
    bridge.answers |= {
        ListReview: [],
        ListSkills: [skill(**more)],
        ShowSkill: SkillDetail(skill=skill(**more), text=TEXT, used=0),
        ShowSkillHistory: [],
    }


def shown(qtbot: QtBot, bridge: StandInBridge) -> SkillsPage:
    page = SkillsPage(bridge)
    qtbot.addWidget(page)
    page.resize(1000, 700)
    page.show()
    return page


def said(widget: QWidget) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel) if each.isVisible())


def opened(qtbot: QtBot, bridge: StandInBridge) -> SkillsPage:
    page = shown(qtbot, bridge)
    qtbot.waitUntil(lambda: page.detail.tabs.isVisible())
    return page


def test_no_answer_says_why_and_is_asked_for_again(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers |= {ListReview: AWAY, ListSkills: AWAY}
    page = shown(qtbot, bridge)
    qtbot.waitUntil(lambda: AWAY.title in said(page))
    filled(bridge)
    again = next(each for each in page.findChildren(QPushButton) if each.text() == "Try again")
    again.click()
    qtbot.waitUntil(lambda: page.detail.tabs.isVisible())


def test_a_skill_that_cannot_be_read_says_so_beside_the_list(qtbot: QtBot, bridge: StandInBridge) -> None:
    filled(bridge)
    bridge.answers[ShowSkill] = AWAY
    page = shown(qtbot, bridge)
    qtbot.waitUntil(lambda: AWAY.title in said(page.detail))
    assert page.listing.list.isVisible()
    assert page.listing.current is not None


def test_an_answer_that_takes_long_is_waited_for_aloud(qtbot: QtBot, bridge: StandInBridge) -> None:
    page = shown(qtbot, bridge)
    qtbot.waitUntil(lambda: "One moment" in said(page))


def test_a_large_library_is_asked_for_in_parts(qtbot: QtBot, bridge: StandInBridge) -> None:
    rows = [skill(f"s-{number:05}") for number in range(4_100)]

    def part(verb: ListSkills) -> list[SkillRow]:
        assert verb.limit is not None
        start = next((at + 1 for at, row in enumerate(rows) if row.name == verb.after), 0)
        return rows[start : start + verb.limit]

    filled(bridge)
    bridge.answers[ListSkills] = part
    page = shown(qtbot, bridge)
    qtbot.waitUntil(lambda: page.listing.model.found == len(rows))
    assert [verb.after for verb in bridge.of(ListSkills)] == ["", "s-01999", "s-03999"]


def test_what_waits_is_asked_for_apart_from_what_was_decided(qtbot: QtBot, bridge: StandInBridge) -> None:
    def review(verb: ListReview) -> list[ProposalRow]:
        state = "pending" if verb.waiting else "refused"
        row = ProposalRow(
            id=f"p-{state}", op="create", skill=state, why="so", evidence=[], gate=None, state=state
        )
        return [row] if not verb.all else [row, msgspec.structs.replace(row, id="old", state="approved")]

    filled(bridge)
    bridge.answers[ListReview] = review
    page = shown(qtbot, bridge)
    qtbot.waitUntil(lambda: page.listing.model.found == 2)  # the one that waits, and the skill
    page.listing.states.setCurrentIndex(page.listing.states.findData("refused"))
    assert page.listing.current is not None
    assert page.listing.current.proposal == "p-refused"


def test_news_ask_again_only_while_the_page_is_seen(qtbot: QtBot, bridge: StandInBridge) -> None:
    filled(bridge)
    page = opened(qtbot, bridge)
    asked = len(bridge.of(ListSkills))
    page.news({"settings"})
    page.hide()
    page.news({"library"})
    assert len(bridge.of(ListSkills)) == asked
    page.show()
    qtbot.waitUntil(lambda: len(bridge.of(ListSkills)) == asked + 1)


def test_trust_passes_the_text_that_is_on_the_screen(qtbot: QtBot, bridge: StandInBridge) -> None:
    filled(bridge)
    page = opened(qtbot, bridge)
    page.detail.actions_bar._trust(True)
    assert bridge.of(TrustSkill) == [TrustSkill(name="dates", trusted=True)]
    assert bridge.seen[bridge.asked.index(bridge.of(TrustSkill)[0])] == TEXT


def test_agents_are_ticked_and_the_app_shows_what_that_means(qtbot: QtBot, bridge: StandInBridge) -> None:
    filled(bridge, agents=["codex"])
    bridge.answers[ListAgents] = [
        AgentRow(name=name, observe_only=False, token_known=True) for name in ("claude-code", "codex")
    ]
    page = opened(qtbot, bridge)
    page.detail.actions_bar._scope()
    sheet = page.findChild(ScopeSheet)
    qtbot.waitUntil(lambda: len(sheet.boxes) == 2)
    assert sheet.boxes["codex"].isChecked()
    sheet.boxes["claude-code"].setChecked(True)
    sheet.accept()
    assert bridge.of(ScopeSkill) == [ScopeSkill(name="dates", agents=["claude-code", "codex"])]
    assert bridge.seen[-1] is None  # its terms stand on no screen yet: the app's own sheet comes


def test_a_long_text_offers_a_short_form(qtbot: QtBot, bridge: StandInBridge) -> None:
    filled(bridge, too_long="too long")
    page = opened(qtbot, bridge)
    assert "too long to be used" in said(page.detail)
    page.detail.actions_bar._condense()
    assert bridge.of(CondenseSkill) == [CondenseSkill("dates")]


def test_what_was_done_can_be_undone_from_the_notice(qtbot: QtBot, bridge: StandInBridge) -> None:
    filled(bridge)
    page = opened(qtbot, bridge)
    bridge.answers[WriteSkills] = Said(text="Written.", undo="")
    page.acting.do(WriteSkills(folder="/x", names=["dates"]), "")
    qtbot.waitUntil(lambda: "Written." in said(page.notice))
    assert not page.notice._undo.isVisible()
    page.notice.tell("Off.", "entry1")
    page.notice._undo.click()
    assert bridge.of(Undo) == [Undo(entry="entry1")]


def test_a_refusal_is_told_and_the_buttons_come_back(qtbot: QtBot, bridge: StandInBridge) -> None:
    filled(bridge)
    page = opened(qtbot, bridge)
    bridge.answers[TrustSkill] = AWAY
    with qtbot.waitSignal(bridge.problem):
        page.detail.actions_bar._trust(True)
    assert page.detail.actions_bar.isEnabled()
