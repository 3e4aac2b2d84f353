"""Agents are let in, pointed here with lines to copy, tested, and pointed back."""

from __future__ import annotations

import json
import tomllib
from datetime import UTC, datetime

import msgspec
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QLineEdit, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from desktop.looking import press, said
from desktop.stand_in import StandInBridge
from metaclaw_tray.admin import api
from metaclaw_tray.desktop.connecting import ConnectLines
from metaclaw_tray.desktop.copying import CodeBlock, CopyButton
from metaclaw_tray.desktop.known import NO_MODEL, filled, guess, known_agents
from metaclaw_tray.desktop.pages.agents.adding import AddAgentDialog, as_name, free_name
from metaclaw_tray.desktop.pages.agents.page import AgentsPage
from metaclaw_tray.desktop.parts import Empty
from metaclaw_tray.desktop.sure import SureDialog
from metaclaw_tray.desktop.switch import Switch

TOKEN = "mct_" + "k" * 39 + "end1"
BASE = f"http://127.0.0.1:30000/a/{TOKEN}"
NEW = api.NewAgent(name="codex", token=TOKEN, base_url=f"{BASE}/v1", anthropic_base_url=BASE)
CODER = api.AgentRow(name="coder", observe_only=False, token_known=True)
SEEN = api.AgentRow(
    name="coder", observe_only=False, token_known=True, last_seen=datetime(2026, 3, 3, 12, tzinfo=UTC)
)


def upstream(name: str, model: str = "", *, default: bool = False) -> api.UpstreamRow:
    return api.UpstreamRow(
        name=name, base_url="http://127.0.0.1:9/v1", dialects=["chat"], model=model,
        credential="none", key_known=False, default=default, learning=False,
    )  # fmt: skip


@pytest.fixture
def page(qtbot: QtBot, bridge: StandInBridge) -> AgentsPage:
    bridge.answers[api.ListUpstreams] = [upstream("one", "m-1", default=True), upstream("two")]
    bridge.answers[api.ListAgents] = [CODER]
    made = AgentsPage(bridge)
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    qtbot.waitUntil(lambda: made.list.count() > 0)
    return made


def test_without_an_agent_the_page_says_what_to_do(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers |= {api.ListUpstreams: [], api.ListAgents: []}
    page = AgentsPage(bridge)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitUntil(lambda: any(each.isVisible() for each in page.findChildren(Empty)))
    press(page, "Add an agent")
    (dialog,) = page.findChildren(AddAgentDialog)
    assert dialog.form.name.text() == "claude-code"


def test_a_new_agent_is_shown_with_its_token_masked_until_the_person_has_it(
    qtbot: QtBot, bridge: StandInBridge, page: AgentsPage
) -> None:
    bridge.answers[api.AddAgent] = NEW
    page.add()
    (dialog,) = page.findChildren(AddAgentDialog)
    dialog.form.kinds.setCurrentIndex(dialog.form.kinds.findText("Codex"))
    bridge.answers[api.ListAgents] = [CODER, api.AgentRow(name="codex", observe_only=False, token_known=True)]
    press(dialog, "Add")
    qtbot.waitUntil(lambda: bool(page.findChildren(ConnectLines)))
    assert bridge.of(api.AddAgent) == [api.AddAgent("codex")]
    assert page.place() == "codex"
    (lines,) = page.findChildren(ConnectLines)
    assert lines.kind.id == "codex"
    shown = [each.toPlainText() for each in lines.findChildren(QPlainTextEdit)]
    assert 'model = "m-1"' in shown[0]
    assert not any(TOKEN in each for each in shown)
    assert "end1" in shown[1]
    fields = [each for each in page.findChildren(QLineEdit) if each.isReadOnly()]
    assert not any(TOKEN in each.text() for each in fields)
    next(each for each in page.findChildren(QPushButton) if each.text() == "Show").click()
    assert fields[0].text() == NEW.base_url
    (block, *_) = lines.findChildren(CodeBlock)[1:]
    block.findChild(CopyButton).click()
    copied = tomllib.loads(QGuiApplication.clipboard().text())
    assert copied["model_providers"]["metaclaw"]["experimental_bearer_token"] == TOKEN
    press(page, "I have it")
    qtbot.waitUntil(lambda: not page.findChildren(ConnectLines))


def test_nothing_is_cut_in_the_smallest_window(qtbot: QtBot, bridge: StandInBridge, page: AgentsPage) -> None:
    page.resize(860 - 212, 560)
    bridge.answers[api.RotateAgent] = msgspec.structs.replace(NEW, name="coder")
    press(page, "New token…")
    press(page.findChildren(SureDialog)[-1], "New token")
    qtbot.waitUntil(lambda: bool(page.findChildren(ConnectLines)))
    inner = page.scroller.widget()
    assert inner is not None
    qtbot.wait(20)
    assert inner.minimumSizeHint().width() <= page.scroller.viewport().width()


def test_a_test_says_that_nothing_came_until_something_comes(
    qtbot: QtBot, bridge: StandInBridge, page: AgentsPage
) -> None:
    press(page, "Test")
    assert "Nothing came yet. Ask coder anything" in said(page)
    bridge.answers[api.ListAgents] = [SEEN]
    page.news({"turns"})
    qtbot.waitUntil(lambda: "It works: a request of coder came" in said(page))


def test_an_agent_is_only_watched_and_reaches_a_model_of_its_own(
    qtbot: QtBot, bridge: StandInBridge, page: AgentsPage
) -> None:
    (switch,) = page.findChildren(Switch)
    assert switch.isChecked()
    switch.click()
    assert bridge.of(api.SetConfig) == [api.SetConfig(key="agents.coder.observe_only", value="true")]
    (reach,) = page.findChildren(QComboBox)
    assert reach.itemText(0) == "What all agents reach (one)"
    reach.setCurrentIndex(2)
    reach.activated.emit(2)
    assert bridge.of(api.UseUpstream) == [api.UseUpstream("two", "coder")]


def test_a_token_is_made_anew_and_an_agent_removed_only_after_a_yes(
    qtbot: QtBot, bridge: StandInBridge, page: AgentsPage
) -> None:
    press(page, "New token…")
    (sure,) = page.findChildren(SureDialog)
    press(sure, "Cancel")
    assert not bridge.of(api.RotateAgent)
    press(page, "Remove this agent…")
    sure = page.findChildren(SureDialog)[-1]
    press(sure, "Remove")
    assert bridge.of(api.RemoveAgent) == [api.RemoveAgent("coder")]


def test_a_name_is_made_usable_and_is_not_taken_twice() -> None:
    assert as_name("  My Coder! ") == "my-coder"
    assert free_name("codex", ["codex", "codex-2"]) == "codex-3"


@pytest.mark.parametrize("kind", known_agents(), ids=lambda kind: kind.id)
def test_the_lines_of_each_agent_are_what_its_file_can_take(kind: object) -> None:
    from metaclaw_tray.desktop.known import KnownAgent

    assert isinstance(kind, KnownAgent)
    assert kind.back
    assert guess(kind.id) == kind
    for each in kind.lines:
        text = filled(each.text, NEW, "m-1")
        assert BASE in text or "m-1" in text
        assert "{base" not in text
        assert "{token" not in text
        assert "{model" not in text
        if each.kind == "json":
            json.loads(text)
        elif each.kind == "toml":
            tomllib.loads(text)
        elif each.kind == "python":
            compile(text, each.where, "exec")
        elif each.kind == "yaml":
            assert "\t" not in text


def test_where_no_model_is_known_the_lines_say_where_it_goes(qtbot: QtBot) -> None:
    lines = ConnectLines(NEW, "")
    qtbot.addWidget(lines)
    assert NO_MODEL in said(lines)


def test_an_agent_that_nobody_knows_gets_the_lines_for_openai() -> None:
    assert guess("my-own-thing").id == "openai"
    assert guess("claude-code-2").id == "claude-code"
