"""Calendars by command, in a running app: connected after a yes, read by a child, shown, and forgotten."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.admin.api.calendars import (
    CalendarRow,
    ConnectGoogle,
    ConnectIcs,
    DisconnectCalendar,
    ListCalendars,
    ListEvents,
    ReadCalendar,
)
from metaclaw_tray.errors import KnownError
from metaclaw_tray.omls.calendars.keeping import calendar_secret
from runtime.test_loop import House, house
from support.google import google
from support.web import Answer, Web, web

PATH = "/private-0123456789abcdef/basic.ics"
TITLE = "Talk with the notary"


def file_now(title: str = TITLE) -> bytes:
    """A calendar with a meeting that goes on now."""
    begin = datetime.now(UTC) - timedelta(minutes=30)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//test",
        "BEGIN:VEVENT",
        "UID:1",
        f"SUMMARY:{title}",
        f"DTSTART:{begin:%Y%m%dT%H%M%SZ}",
        "DURATION:PT2H",
        "END:VEVENT",
        "BEGIN:VEVENT",
        "UID:2",
        f"SUMMARY:{title}",
        "DTSTART:never",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "\r\n".join(lines).encode()


@pytest.fixture
def server() -> Iterator[Web]:
    with web() as made:
        made.give = lambda path, _headers: Answer(200, file_now()) if path == PATH else Answer(404)
        yield made


async def until(made: House, verb: api.ShowSchedule, name: str) -> str:
    """What the schedule says of a signal, once it says something of it."""
    async with asyncio.timeout(60):
        while True:
            found = await made.call(verb)
            for each in found.signals:
                if each.name == name:
                    return str(each.says)
            await asyncio.sleep(0.05)


async def test_a_calendar_by_its_secret_address(tmp_path: Path, server: Web, caplog):
    caplog.set_level(logging.DEBUG)
    async with house(tmp_path) as made:
        row: CalendarRow = await made.call(ConnectIcs(address=server.url + PATH, yes=True))
        host = server.url.removeprefix("http://")
        assert (row.name, row.kind, row.host, row.state) == ("calendar", "ics", host, "fresh")
        assert (row.events, row.meetings, row.skipped) == (1, 1, 1)
        assert await until(made, api.ShowSchedule(), "calendar") == "You are in a meeting."
        (event,) = await made.call(ListEvents())
        assert (event.title, event.meeting, event.why) == (TITLE, True, "It takes your time.")
        privacy = await made.call(api.ShowPrivacy())
        assert [(each.host, each.calendar) for each in privacy.hosts if each.purpose == "calendar"] == [
            (host, "calendar")
        ]
        told = await made.call(api.ListLedger())
        assert "private-" not in str(told)
        assert "private-" not in made.runtime.settings_file.path.read_text()
        server.give = lambda _path, _headers: Answer(404)
        row = await made.call(ReadCalendar("calendar"))
        assert host in row.trouble
        assert any("cannot be read" in each for each in made.runtime.trouble())
        assert (await made.call(ListEvents()))[0].meeting  # what it said last counts on
        said = await made.call(DisconnectCalendar(name="calendar", yes=True))
        assert "disconnected" in said.text
        assert await made.call(ListCalendars()) == []
        assert await made.call(ListEvents()) == []
        assert await made.runtime.vault.aget(calendar_secret("calendar")) is None
        assert not any("cannot be read" in each for each in made.runtime.trouble())
    assert "private-" not in caplog.text
    assert TITLE not in caplog.text


async def test_a_calendar_from_a_file(tmp_path: Path):
    file = tmp_path / "mine.ics"
    file.write_bytes(file_now())
    async with house(tmp_path / "home") as made:
        row = await made.call(ConnectIcs(path=str(file), name="mine", yes=True))
        assert (row.kind, row.host, row.events) == ("file", "", 1)
        assert made.runtime.settings.calendars["mine"].path == str(file)
        file.write_bytes(file_now("Another one") + b"\r\n")
        await made.call(ReadCalendar("mine"))
        (event,) = await made.call(ListEvents())
        assert event.title == "Another one"


MISTAKES = [
    (ConnectIcs(yes=True), "Which calendar"),
    (ConnectIcs(address="http://far.example/secret-path", yes=True), "not safe"),
    (ConnectIcs(path="relative.ics", yes=True), "Which file"),
    (ConnectIcs(path="/nowhere/at/all.ics", yes=True), "was not connected"),
    (ConnectIcs(path="/dev/null", name="Not A Name", yes=True), "cannot be a name"),
    (ConnectIcs(path="/dev/null", yes=True), "no calendar"),
    (ConnectGoogle(client="{}", yes=True), "client file"),
    (DisconnectCalendar(name="none", yes=True), "no calendar 'none'"),
    (ReadCalendar("none"), "no calendar 'none'"),
]


async def test_mistakes_are_said_and_connect_nothing(tmp_path: Path):
    async with house(tmp_path) as made:
        for verb, words in MISTAKES:
            with pytest.raises(KnownError) as refused:
                await made.call(verb)
            said = " ".join(refused.value.lines())
            assert words in said
            assert "secret-path" not in said
        assert made.runtime.settings.calendars == {}


async def test_nobody_is_asked_before_the_person_said_yes(tmp_path: Path, server: Web):
    async with house(tmp_path, scripted="0") as made:
        with pytest.raises(KnownError):
            await made.call(ConnectIcs(address=server.url + PATH, yes=True))
        assert server.asked == []
        assert made.runtime.settings.calendars == {}


async def test_a_google_account_from_sign_in_to_the_end(tmp_path: Path, monkeypatch):
    pytest.importorskip("googleapiclient")
    import sys

    script = tmp_path / "browser.py"
    script.write_text(
        "import sys, urllib.request as r\n"
        "r.build_opener(r.ProxyHandler({})).open(sys.argv[1], timeout=20).read()\n"
    )
    monkeypatch.setenv("BROWSER", f"{sys.executable} {script} %s &")
    begin = datetime.now(UTC) - timedelta(minutes=30)
    with google() as server:
        server.put(
            {
                "id": "now",
                "summary": TITLE,
                "start": {"dateTime": begin.isoformat()},
                "end": {"dateTime": (begin + timedelta(hours=2)).isoformat()},
            }
        )
        async with house(tmp_path / "home") as made:
            row = await made.call(ConnectGoogle(client=server.client_file(), titles=True, yes=True))
            assert (row.name, row.kind, row.titles, row.meetings) == ("google", "google", True, 1)
            assert await until(made, api.ShowSchedule(), "calendar") == "You are in a meeting."
            (event,) = await made.call(ListEvents())
            assert event.title == TITLE
            settings = made.runtime.settings_file.path.read_text()
            assert "GOCSPX" not in settings
            server.grants.clear()
            row = await made.call(ReadCalendar("google"))
            assert row.state == "signed out"
            assert (await made.call(ListEvents()))[0].meeting
            said = await made.call(DisconnectCalendar(name="google", yes=True))
            assert "Google was told" in said.text
            assert await made.runtime.vault.aget(calendar_secret("google")) is None
            assert len(server.revoked) == 1
