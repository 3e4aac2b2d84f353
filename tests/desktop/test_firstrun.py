"""The first steps: offered where nothing could be served, left and gone on with, ended by a request."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QDoubleSpinBox
from pytestqt.qtbot import QtBot

from desktop.looking import press, said
from desktop.stand_in import StandInBridge
from metaclaw_tray.admin import api
from metaclaw_tray.admin.configuring import config_rows
from metaclaw_tray.desktop.connecting import ConnectLines
from metaclaw_tray.desktop.firstrun.agent import AgentStep
from metaclaw_tray.desktop.firstrun.allowed import AllowedStep
from metaclaw_tray.desktop.firstrun.dialog import FirstSteps
from metaclaw_tray.desktop.firstrun.model import ModelStep
from metaclaw_tray.desktop.firstrun.offering import FirstStepsKeeper
from metaclaw_tray.desktop.firstrun.trying import TryingStep
from metaclaw_tray.desktop.pages.settings.page import SettingsPage
from metaclaw_tray.desktop.window import Window
from metaclaw_tray.settings import Settings

KEY_OFFER = api.OfferRow(
    name="openai", label="OpenAI", base_url="https://api.openai.com/v1", dialect="chat",
    key_env="OPENAI_API_KEY",
)  # fmt: skip
SERVER_OFFER = api.OfferRow(
    name="ollama", label="Ollama", base_url="http://127.0.0.1:11434/v1", dialect="chat", models=["a", "b"]
)
CHOSEN = api.UpstreamRow(
    name="ollama", base_url="http://127.0.0.1:11434/v1", dialects=["chat"], model="a",
    credential="none", key_known=False, default=True, learning=False,
)  # fmt: skip
TOKEN = "mct_abcdefgh"
AGENT = api.NewAgent(
    name="claude-code",
    token=TOKEN,
    base_url=f"http://h/a/{TOKEN}/v1",
    anthropic_base_url=f"http://h/a/{TOKEN}",
)


@pytest.fixture(autouse=True)
def answers(bridge: StandInBridge) -> None:
    bridge.answers |= {
        api.ListUpstreams: [],
        api.ListOffers: [KEY_OFFER, SERVER_OFFER],
        api.ListModels: [],
        api.ListAgents: [],
        api.ListConfig: config_rows(Settings()),
        api.AddAgent: AGENT,
        api.TakeOffer: CHOSEN,
        api.KeepFirstRun: api.FirstRun(state="begun", step=0, needed=True, turns=0),
    }


def opened(qtbot: QtBot, bridge: StandInBridge, at: int = 0) -> FirstSteps:
    made = FirstSteps(None, bridge, at)
    qtbot.addWidget(made)
    made.show()
    return made


def test_what_is_here_already_is_offered_and_taken_with_one_click(
    qtbot: QtBot, bridge: StandInBridge
) -> None:
    steps = opened(qtbot, bridge)
    (step,) = steps.findChildren(ModelStep)
    qtbot.waitUntil(lambda: "Ollama" in said(step))
    assert "Its key was found in OPENAI_API_KEY." in said(step)
    assert "It answers on this machine: a, b" in said(step)
    assert not step.done
    bridge.answers[api.ListUpstreams] = [CHOSEN]
    press(step, "Use this", 1)
    assert bridge.of(api.TakeOffer) == [api.TakeOffer(name="ollama", model="a", default=True)]
    qtbot.waitUntil(lambda: step.done)
    assert "Chosen" in said(step)
    assert "It answers on this machine" not in said(step)  # it is not offered twice


def test_learning_gets_a_model_or_none(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers[api.ListUpstreams] = [CHOSEN]
    steps = opened(qtbot, bridge)
    (step,) = steps.findChildren(ModelStep)
    qtbot.waitUntil(step.learning.isVisible)
    step.learning.upstream.setCurrentIndex(1)
    step.learning.save()
    qtbot.waitUntil(lambda: "Learning asks a of ollama." in said(step))
    assert [(each.key, each.value) for each in bridge.of(api.SetConfig)] == [
        ("learning.upstream", "ollama"),
        ("learning.model", "a"),
    ]


def test_where_nothing_was_found_it_says_so(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers[api.ListOffers] = []
    steps = opened(qtbot, bridge)
    qtbot.waitUntil(lambda: "no model server answers on this machine" in said(steps))
    press(steps, "Go on without")
    assert steps.at == 1


def test_an_agent_is_let_in_and_its_lines_are_shown(qtbot: QtBot, bridge: StandInBridge) -> None:
    steps = opened(qtbot, bridge, 1)
    (step,) = steps.findChildren(AgentStep)
    qtbot.waitUntil(lambda: step.form is not None)
    press(step, "Let it in")
    qtbot.waitUntil(lambda: bool(step.findChildren(ConnectLines)))
    assert step.done
    steps.turn(2)
    steps.turn(1)
    qtbot.wait(1)
    assert step.findChildren(ConnectLines)  # what is shown once stays while the steps are open


def test_what_it_may_do_is_said_by_the_settings_themselves(qtbot: QtBot, bridge: StandInBridge) -> None:
    steps = opened(qtbot, bridge, 2)
    (step,) = steps.findChildren(AllowedStep)
    qtbot.waitUntil(lambda: len(step.findChildren(QDoubleSpinBox)) == 2)
    assert step.use.isChecked()
    step.watch.click()
    step.findChildren(QDoubleSpinBox)[0].setValue(0.25)
    assert [(each.key, each.value) for each in bridge.of(api.SetConfig)] == [
        ("injection.enabled", "false"),
        ("budget.day_usd", "0.25"),
    ]


def test_the_steps_end_with_a_request_that_is_seen(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers[api.ListAgents] = [api.AgentRow(name="coder", observe_only=False, token_known=True)]
    steps = opened(qtbot, bridge, 3)
    (step,) = steps.findChildren(TryingStep)
    qtbot.waitUntil(lambda: "Nothing came yet." in said(step))
    assert "Calendars are connected in the settings" in said(step)
    bridge.answers[api.ListAgents] = [
        api.AgentRow(name="coder", observe_only=False, token_known=True, last_seen=datetime.now(UTC))
    ]
    bridge.news.emit(["turns"])
    qtbot.waitUntil(lambda: step.done)
    assert "coder asked just now, and its request went through." in said(step)
    press(steps, "Finish")
    assert bridge.of(api.KeepFirstRun)[-1] == api.KeepFirstRun(state="done", step=3)


def test_the_place_is_kept_and_a_no_is_a_no(qtbot: QtBot, bridge: StandInBridge) -> None:
    steps = opened(qtbot, bridge)
    steps.turn(1)
    assert bridge.of(api.KeepFirstRun)[-1] == api.KeepFirstRun(state="begun", step=1)
    steps.turn(2)
    press(steps, "Not now")
    assert bridge.of(api.KeepFirstRun)[-1] == api.KeepFirstRun(state="skipped", step=2)


def test_closing_them_goes_on_at_the_same_step_the_next_time(qtbot: QtBot, bridge: StandInBridge) -> None:
    steps = opened(qtbot, bridge, 2)
    steps.close()
    assert bridge.of(api.KeepFirstRun)[-1] == api.KeepFirstRun(state="begun", step=2)


@pytest.mark.parametrize(
    ("state", "needed", "turns", "comes"),
    [
        ("new", True, 0, True),
        ("new", False, 0, False),
        ("begun", False, 0, True),
        ("begun", True, 5, True),
        ("begun", False, 5, False),  # somebody did the rest elsewhere, and it works
        ("skipped", True, 0, False),
    ],
)
def test_they_come_by_themselves_only_where_they_help(
    qtbot: QtBot,
    bridge: StandInBridge,
    tmp_path: Path,
    state: Literal["new", "begun", "skipped"],
    needed: bool,
    turns: int,
    comes: bool,
) -> None:
    bridge.answers[api.ShowFirstRun] = api.FirstRun(state=state, step=1, needed=needed, turns=turns)
    memory = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    page = SettingsPage(bridge)
    window = Window(bridge, [page], memory)
    qtbot.addWidget(window)
    keeper = FirstStepsKeeper(window, bridge)
    assert not bridge.of(api.ShowFirstRun)  # nothing is asked behind the tray
    window.open_page("")
    qtbot.waitUntil(lambda: bool(bridge.of(api.ShowFirstRun)))
    qtbot.wait(10)
    assert (keeper.dialog is not None) == comes
    if keeper.dialog is not None:
        assert keeper.dialog.at == 1
        keeper.dialog.close()
    else:
        page.first_steps.emit()
        assert keeper.dialog is not None
        keeper.dialog.close()


def test_enter_in_a_number_does_not_go_on_to_the_next_step(qtbot: QtBot, bridge: StandInBridge) -> None:
    steps = opened(qtbot, bridge, 2)
    qtbot.waitUntil(lambda: len(steps.findChildren(QDoubleSpinBox)) == 2)
    box = steps.findChildren(QDoubleSpinBox)[0]
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert steps.at == 2
