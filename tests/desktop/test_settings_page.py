"""The page of settings: each setting with its control, changes said at once, refusals in place."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QSpinBox,
    QTimeEdit,
)
from pytestqt.qtbot import QtBot

from desktop.looking import press, said
from desktop.stand_in import StandInBridge
from metaclaw_tray.admin import api
from metaclaw_tray.admin.configuring import config_rows, host_rows
from metaclaw_tray.desktop.bridge import NOT_DONE, Problem
from metaclaw_tray.desktop.fetching import ModelCard
from metaclaw_tray.desktop.pages.settings import words
from metaclaw_tray.desktop.pages.settings.controls import as_text
from metaclaw_tray.desktop.pages.settings.models.card import UpstreamCard
from metaclaw_tray.desktop.pages.settings.models.dialog import UpstreamDialog
from metaclaw_tray.desktop.pages.settings.page import SettingsPage
from metaclaw_tray.desktop.pages.settings.sections import Section, section_of
from metaclaw_tray.desktop.parts import Scroller
from metaclaw_tray.desktop.sure import SureDialog
from metaclaw_tray.desktop.switch import Switch
from metaclaw_tray.settings import Agent, Settings, Upstream
from metaclaw_tray.settings.model import Budget, Learning

FAR, HERE = "https://far.example/v1", "http://127.0.0.1:11434/v1"
PUT = Settings(
    default_upstream="far",
    upstreams={"far": Upstream(base_url=FAR, credential="key"), "here": Upstream(base_url=HERE)},
    learning=Learning(upstream="here", model="m"),
    budget=Budget(day_usd=1.0),
    agents={"coder": Agent()},
)
MODEL = api.ModelRow(
    id="small", name="Small", publisher="Someone", licence="MIT", bytes=1_100_000_000, missing=1_100_000_000,
    present=False, plan=["Small by Someone, licence MIT", "1.10 GB to download", "from far.example"],
)  # fmt: skip


def upstream_rows(settings: Settings) -> list[api.UpstreamRow]:
    return [
        api.UpstreamRow(
            name=name, base_url=each.base_url, dialects=list(each.dialects), model=each.model,
            credential=each.credential, key_known=each.credential == "key",
            default=name == settings.chosen_upstream, learning=name == settings.learning.upstream,
        )
        for name, each in settings.upstreams.items()
    ]  # fmt: skip


@pytest.fixture
def page(qtbot: QtBot, bridge: StandInBridge) -> SettingsPage:
    bridge.answers |= {
        api.ListConfig: config_rows(PUT, ["en", "nl"]),
        api.ListUpstreams: upstream_rows(PUT),
        api.ListModels: [MODEL],
        api.ShowPrivacy: api.Privacy(
            hosts=host_rows(PUT, [("Small", "hub.example")]),
            files=[api.FileRow(what="record", path="/home/you/store.sqlite3", bytes=5_000_000)],
        ),
        api.ShowAutostart: api.Autostart(on=False, place="/home/you/autostart"),
        api.ListAgents: [api.AgentRow(name="coder", observe_only=False, token_known=True)],
    }
    made = SettingsPage(bridge)
    qtbot.addWidget(made)
    made.resize(980, 700)
    made.show()
    qtbot.waitUntil(lambda: len(made.findChildren(UpstreamCard)) == 2 and bool(made.findChildren(ModelCard)))
    qtbot.waitUntil(lambda: made.data.which.count() > 0)
    return made


def test_every_declared_setting_has_a_place_a_title_and_a_sentence() -> None:
    for row in config_rows(Settings()):
        assert words.title(row.key)
        assert words.explanation(row).endswith(".")
        assert section_of(row.key) is None or words.has_words(row.key), row.key


def test_a_change_is_said_at_once_as_a_person_would_type_it(
    page: SettingsPage, bridge: StandInBridge
) -> None:
    page.field("learning.enabled").findChild(Switch).click()
    page.field("budget.day_usd").findChild(QDoubleSpinBox).setValue(2.5)
    page.field("learning.votes").findChild(QSpinBox).setValue(5)
    policy = page.field("review.policy").findChild(QComboBox)
    policy.setCurrentIndex(2)
    policy.activated.emit(2)
    name = page.field("learning.model").findChild(QLineEdit)
    name.setText("other")
    name.editingFinished.emit()
    page.field("notifications.quiet_from").findChild(QTimeEdit).setTime(
        page.field("notifications.quiet_from").findChild(QTimeEdit).time().addSecs(3600)
    )
    assert [(each.key, each.value) for each in bridge.of(api.SetConfig)] == [
        ("learning.enabled", "false"),
        ("budget.day_usd", "2.50"),
        ("learning.votes", "5"),
        ("review.policy", "off"),
        ("learning.model", "other"),
        ("notifications.quiet_from", "23:00"),
    ]


def test_what_was_refused_stands_below_the_setting_and_the_former_value_again(
    qtbot: QtBot, page: SettingsPage, bridge: StandInBridge
) -> None:
    bridge.answers[api.SetConfig] = Problem("No", "It must be less.", "Nothing was changed.")
    field = page.field("budget.day_usd")
    box = field.findChild(QDoubleSpinBox)
    box.setValue(9)
    qtbot.waitUntil(lambda: "It must be less. Nothing was changed." in said(field))
    assert box.value() == 1.0


def test_the_persons_own_no_is_not_told_them(qtbot: QtBot, page: SettingsPage, bridge: StandInBridge) -> None:
    bridge.answers[api.SetConfig] = Problem(NOT_DONE, "Nothing was changed.", "")
    field = page.field("budget.day_usd")
    box = field.findChild(QDoubleSpinBox)
    box.setValue(9)
    qtbot.waitUntil(lambda: box.value() == 1.0)
    assert "Nothing was changed" not in said(field)


def test_what_is_not_at_its_default_is_marked_and_goes_back(
    qtbot: QtBot, page: SettingsPage, bridge: StandInBridge
) -> None:
    page.go_to("budget")
    day, month = page.field("budget.day_usd"), page.field("budget.month_usd")
    assert "Changed" in said(day)
    assert "Changed" not in said(month)
    assert "A change asks for your yes." in said(day)
    press(day, "Reset")
    assert bridge.of(api.SetConfig) == [api.SetConfig(key="budget.day_usd", value="0.5")]
    bridge.answers[api.ListConfig] = config_rows(Settings(**{**PUT.model_dump(), "budget": Budget()}))
    page.news({"settings"})
    qtbot.waitUntil(lambda: "Changed" not in said(page.field("budget.day_usd")))


def test_a_search_looks_into_all_sections_and_gives_the_fields_back(qtbot: QtBot, page: SettingsPage) -> None:
    page.go_to("notifications")
    page.search.setText("cost in a day")
    assert "Learning may cost in a day" in said(page)
    assert "Quiet from" not in said(page)
    page.search.setText("there is no such thing")
    qtbot.waitUntil(lambda: "No setting has" in said(page))
    page.search.clear()
    assert "Quiet from" in said(page)
    page.go_to("budget")
    assert "Learning may cost in a day" in said(page)


def test_settings_for_few_wait_behind_a_line(page: SettingsPage) -> None:
    page.go_to("learning")
    assert "Opinions on one answer" not in said(page)
    press(page.panes[Section.LEARNING], "More settings")
    assert "Opinions on one answer" in said(page)


def test_each_section_is_a_place(page: SettingsPage) -> None:
    for section in Section:
        page.go_to(str(section))
        assert page.place() == section
    page.go_to("nowhere")
    assert page.place() == Section.PROGRAM


def test_a_provider_is_tested_used_and_removed_after_a_yes(
    qtbot: QtBot, page: SettingsPage, bridge: StandInBridge
) -> None:
    bridge.answers[api.TestUpstream] = api.UpstreamTest(
        name="here", ok=True, status=200, milliseconds=12.4, models=["a", "b", "c", "d", "e"], detail=""
    )
    far, here = page.findChildren(UpstreamCard)
    assert "Agents use it" in said(far)
    assert "key kept" in said(far)
    assert "Learning uses it" in said(here)
    press(here, "Test")
    qtbot.waitUntil(lambda: "It answers, in 12 ms. Models: a, b, c, d" in said(here))
    press(here, "Use for agents")
    assert bridge.of(api.UseUpstream) == [api.UseUpstream("here")]
    press(here, "Remove…")
    (sure,) = page.models.findChildren(SureDialog)
    press(sure, "Remove")
    assert bridge.of(api.RemoveUpstream) == [api.RemoveUpstream("here")]


def test_the_model_of_the_apps_own_is_let_go_of_by_all_that_names_it(
    qtbot: QtBot, page: SettingsPage, bridge: StandInBridge
) -> None:
    own = api.UpstreamRow(
        name="embedded", base_url="", dialects=["chat"], model="small", credential="none", key_known=False,
        default=True, learning=True,
    )  # fmt: skip
    bridge.answers[api.ListUpstreams] = [own]
    page.models.refresh()
    qtbot.waitUntil(lambda: "Nothing leaves, nothing costs." in said(page.models))
    press(page.models, "Stop using it")
    qtbot.waitUntil(lambda: len(bridge.of(api.SetConfig)) == 3)
    asked = [(each.key, each.value) for each in bridge.of(api.SetConfig)]
    assert asked == [("default_upstream", ""), ("learning.upstream", ""), ("embedded.model", "")]


def test_a_provider_is_added_with_its_key_and_never_shows_one(
    qtbot: QtBot, page: SettingsPage, bridge: StandInBridge
) -> None:
    page.models.add()
    (dialog,) = page.models.findChildren(UpstreamDialog)
    assert dialog.address.text() == "https://api.openai.com/v1"
    dialog.key.setText(" sk-1 ")
    assert dialog.key.echoMode() == QLineEdit.EchoMode.Password
    dialog.map.setPlainText("gpt-* = big\n\nold = small")
    dialog.input_price.setText(QLocale().toString(0.25))
    dialog.save()
    (asked,) = bridge.of(api.AddUpstream)
    assert (asked.name, asked.key, asked.credential, asked.default) == ("openai", "sk-1", "key", False)
    assert asked.dialects == ["chat", "responses"]
    assert asked.models == {"gpt-*": "big", "old": "small"}
    assert (asked.input_usd_per_million, asked.output_usd_per_million) == (0.25, None)
    dialog.map.setPlainText("what is this")
    dialog.save()
    assert "is not like a = b" in said(dialog)
    assert len(bridge.of(api.AddUpstream)) == 1


def test_a_provider_keeps_its_key_unless_another_is_given_or_it_is_forgotten(
    page: SettingsPage, bridge: StandInBridge
) -> None:
    press(page.findChildren(UpstreamCard)[0], "Change…")
    (dialog,) = page.models.findChildren(UpstreamDialog)
    assert dialog.key.text() == ""
    assert "One is kept." in said(dialog)
    dialog.save()
    assert bridge.of(api.AddUpstream)[0].key is None
    press(dialog, "Forget the key")
    assert bridge.of(api.RemoveSecret) == [api.RemoveSecret("upstream:far")]


def test_a_model_is_fetched_with_a_bar_and_the_plan_that_was_seen(
    qtbot: QtBot, bridge: StandInBridge
) -> None:
    card = ModelCard(bridge, MODEL, used=False)
    qtbot.addWidget(card)
    card.show()
    assert "1.10 GB to download" in said(card)
    heard: list[str] = []
    card.use.connect(heard.append)
    bridge.answers[api.FetchModel] = None
    press(card, "Download and use")
    assert bridge.seen[-1] == "\n".join(MODEL.plan)
    card._told("37 %: 400 of 1,100 MB, from far.example")
    assert "37 % · 400 of 1,100 MB, from far.example" in said(card)
    qtbot.waitUntil(lambda: heard == ["small"])


def test_a_download_that_is_stopped_keeps_what_came(qtbot: QtBot, bridge: StandInBridge) -> None:
    bridge.answers[api.FetchModel] = lambda _verb: Problem("No", "The disk is full.", "")
    card = ModelCard(bridge, MODEL, used=False)
    qtbot.addWidget(card)
    card.show()
    card.fetch()
    card.stop()
    assert "What has arrived is kept" in said(card)


def test_privacy_says_what_leaves_host_by_host(page: SettingsPage) -> None:
    page.go_to("privacy")
    text = said(page.privacy)
    assert "far.example\nLeaves this machine" in text
    assert "far: all requests of coder, word for word" in text
    assert "The key that you gave opens it." in text
    assert "hub.example\nOnly if you ask for it" in text
    assert "On this machine\nStays here" in text
    assert "blacked out" in text
    assert "Training is not part of this version" in text


def test_forgetting_shows_first_what_would_go(
    qtbot: QtBot, page: SettingsPage, bridge: StandInBridge
) -> None:
    until = datetime(2026, 3, 3, tzinfo=UTC)
    bridge.answers[api.LookAtForgetting] = api.ForgetOutlook(
        turns=20, exchanges=12, sessions=3, messages=40, bytes=1, first_at=until, last_at=until, shared=0,
        under_way=0, claims=0, proposals=["p1"], skills=[], copies=[], until=until,
    )  # fmt: skip
    bridge.answers[api.ForgetTurns] = api.Forgotten(
        turns=20, exchanges=12, sessions=3, messages=40, withdrawn=[], skills=[]
    )
    page.go_to("data")
    page.data.which.setCurrentIndex(page.data.which.findText("All of coder"))
    press(page.data, "Look and forget…")
    qtbot.waitUntil(lambda: bool(page.data.findChildren(SureDialog)))
    (sure,) = page.data.findChildren(SureDialog)
    assert "12 exchange(s) would be gone for good." in said(sure)
    assert not bridge.of(api.ForgetTurns)
    press(sure, "Forget")
    assert bridge.of(api.ForgetTurns) == [api.ForgetTurns(agent="coder", until=until)]
    qtbot.waitUntil(lambda: "Gone: 12 exchange(s)." in said(page.data))


def test_it_starts_with_the_computer_by_a_switch(page: SettingsPage, bridge: StandInBridge) -> None:
    page.program.findChild(Switch).click()
    assert bridge.of(api.SetAutostart) == [api.SetAutostart(on=True)]


def test_the_languages_are_named_in_themselves(page: SettingsPage) -> None:
    box = page.field("window.language").findChild(QComboBox)
    assert [box.itemText(each) for each in range(box.count())] == ["As the system", "English", "Nederlands"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "none"), (True, "true"), (3, "3"), (["a", "b"], "a,b"), ({"a": "b"}, "a=b"), ("x", "x")],
)
def test_a_value_is_written_as_on_the_command_line(value: Any, text: str) -> None:
    assert as_text(value) == text


def test_a_number_is_written_as_people_write_it(page: SettingsPage) -> None:
    assert page.field("learning.timeout_seconds").findChild(QDoubleSpinBox).text() == "120 seconds"
    assert page.field("budget.day_usd").findChild(QDoubleSpinBox).text() == "1.00 USD"
    assert page.field("server.port").findChild(QSpinBox).text() == "30000"


@pytest.mark.usefixtures("dutch")
def test_nothing_is_cut_in_the_smallest_window_in_dutch_either(qtbot: QtBot, page: SettingsPage) -> None:
    assert page.title() == "Instellingen"
    holds_the_smallest_window(qtbot, page)


def test_nothing_is_cut_in_the_smallest_window(qtbot: QtBot, page: SettingsPage) -> None:
    holds_the_smallest_window(qtbot, page)


def holds_the_smallest_window(qtbot: QtBot, page: SettingsPage) -> None:
    page.resize(860 - 212, 560)
    for section, pane in page.panes.items():
        page.go_to(str(section))
        qtbot.waitUntil(pane.isVisible)
        (area,) = pane.findChildren(Scroller)
        inner = area.widget()
        assert inner is not None
        assert inner.minimumSizeHint().width() <= area.viewport().width(), section
