"""The card of the calendars: what is connected is seen, connecting asks the app, disconnecting asks first."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from desktop.looking import press, said
from desktop.stand_in import StandInBridge
from metaclaw_tray.admin import api
from metaclaw_tray.admin.api.calendars import (
    CalendarRow,
    ConnectGoogle,
    ConnectIcs,
    DisconnectCalendar,
    ListCalendars,
    ReadCalendar,
)
from metaclaw_tray.desktop.bridge import Problem
from metaclaw_tray.desktop.pages.settings.calendars.dialog import GoogleDialog, IcsDialog
from metaclaw_tray.desktop.pages.settings.calendars.section import CalendarsSection
from metaclaw_tray.desktop.sure import SureDialog

WORK = CalendarRow(
    name="work",
    kind="ics",
    host="calendar.example.org",
    read_at=datetime(2026, 3, 3, 12, tzinfo=UTC),
    events=12,
    meetings=7,
    skipped=1,
)
HOME = CalendarRow(
    name="home", kind="google", host="www.googleapis.com", state="signed out", trouble="It is over."
)


@pytest.fixture
def section(qtbot: QtBot, bridge: StandInBridge) -> CalendarsSection:
    bridge.answers |= {
        ListCalendars: [WORK, HOME],
        ReadCalendar: WORK,
        DisconnectCalendar: api.Said(text="Gone."),
    }
    made = CalendarsSection(bridge)
    qtbot.addWidget(made)
    made.refresh()
    made.show()
    qtbot.waitUntil(lambda: any(each.text() == "home" for each in made.findChildren(QLabel)))
    return made


def test_each_calendar_says_where_it_is_from_and_how_it_is(section: CalendarsSection):
    words = said(section)
    assert "calendar.example.org" in words
    assert "12 event" in words
    assert "training may run in 7 of them" in words
    assert "1 could not be read" in words
    assert "Sign in again" in words
    assert "busy times only" in words


def test_an_address_is_connected(section: CalendarsSection, bridge: StandInBridge, qtbot: QtBot):
    bridge.answers[ConnectIcs] = WORK
    section.add()
    (dialog,) = section.findChildren(IcsDialog)
    press(dialog, "Connect")
    assert "Paste the address first" in said(dialog)
    dialog.address.setText("https://calendar.example.org/private/basic.ics")
    dialog.me.setText("me@example.org")
    press(dialog, "Connect")
    qtbot.waitUntil(lambda: any(isinstance(each, ConnectIcs) for each in bridge.asked))
    (asked,) = [each for each in bridge.asked if isinstance(each, ConnectIcs)]
    assert (asked.address, asked.path, asked.me) == (
        "https://calendar.example.org/private/basic.ics",
        "",
        "me@example.org",
    )


def test_a_refusal_is_said_in_the_dialog_and_can_be_tried_again(
    section: CalendarsSection, bridge: StandInBridge, qtbot: QtBot
):
    bridge.answers[ConnectIcs] = Problem.of("The calendar was not connected", "It is no calendar.", "")
    section.add()
    (dialog,) = section.findChildren(IcsDialog)
    dialog.address.setText("/home/you/photo.jpg")
    press(dialog, "Connect")
    qtbot.waitUntil(lambda: "It is no calendar." in said(dialog))
    (asked,) = [each for each in bridge.asked if isinstance(each, ConnectIcs)]
    assert asked.path == "/home/you/photo.jpg"


def test_a_google_account_is_connected_with_the_persons_own_client(
    section: CalendarsSection, bridge: StandInBridge, qtbot: QtBot
):
    bridge.answers[ConnectGoogle] = HOME
    section.add_google()
    (dialog,) = section.findChildren(GoogleDialog)
    dialog.file.setText("/home/you/client.json")
    dialog.titles.setChecked(True)
    press(dialog, "Connect")
    qtbot.waitUntil(lambda: any(isinstance(each, ConnectGoogle) for each in bridge.asked))
    (asked,) = [each for each in bridge.asked if isinstance(each, ConnectGoogle)]
    assert (asked.client_file, asked.titles) == ("/home/you/client.json", True)


def test_disconnecting_asks_first(section: CalendarsSection, bridge: StandInBridge, qtbot: QtBot):
    press(section, "Disconnect")
    (sure,) = section.findChildren(SureDialog)
    assert not any(isinstance(each, DisconnectCalendar) for each in bridge.asked)
    press(sure, "Disconnect")
    qtbot.waitUntil(lambda: DisconnectCalendar(name="work", yes=True) in bridge.asked)
