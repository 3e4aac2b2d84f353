"""Google's own client against a server that behaves as Google's."""

from __future__ import annotations

import json
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("googleapiclient")

from metaclaw_tray.omls.calendars import google as reading
from metaclaw_tray.omls.calendars.asking import ask_child
from metaclaw_tray.omls.calendars.frames import (
    Failed,
    Found,
    ReadGoogle,
    SignedIn,
    SignedOut,
    SignIn,
    SignInAt,
    SignOut,
)
from metaclaw_tray.omls.calendars.google import EVENTS, FREE_BUSY, Account
from metaclaw_tray.omls.calendars.serving import answer
from support.google import Google, google

BEGIN, END = datetime(2026, 11, 20, tzinfo=UTC), datetime(2026, 12, 20, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[Google]:
    with google() as made:
        yield made


def account(server: Google, token: str = "") -> str:
    return Account(
        client_id="an-app",
        client_secret="GOCSPX-of-the-client",
        token_uri=f"{server.url}/token",
        refresh_token=token or server.granted(),
    ).text()


def ask(server: Google, kept: str = "", *, titles: bool = True, **known: Any) -> ReadGoogle:
    return ReadGoogle(
        account=kept or account(server),
        ids=known.pop("ids", ["primary"]),
        titles=titles,
        zone=known.pop("zone", "Europe/Amsterdam"),
        begin=BEGIN,
        end=END,
        **known,
    )


def found(message: ReadGoogle) -> Found:
    said = answer(message)
    assert isinstance(said, Found), said
    return said


def failed(message: Any) -> Failed:
    said = answer(message)
    assert isinstance(said, Failed), said
    return said


def item(name: str, day: int = 1, hour: int = 9, **more: Any) -> dict[str, Any]:
    begin = datetime(2026, 12, day, hour, tzinfo=UTC)
    times = {"start": begin, "end": begin + timedelta(hours=1)}
    stamps = {key: {"dateTime": value.isoformat().replace("+00:00", "Z")} for key, value in times.items()}
    return {"id": name, "status": "confirmed", "summary": f"About {name}", **stamps, **more}


def names(found: Found) -> list[str]:
    return sorted(each.uid.partition(" ")[2] for each in found.events)


def test_level_one_asks_for_busy_times_and_no_word_of_an_event_arrives(server):
    server.put(item("a"))
    server.busy = [("2026-12-01T09:00:00Z", "2026-12-01T10:00:00Z")]
    said = found(ask(server, titles=False))
    assert [(each.begin.hour, each.title, each.all_day) for each in said.events] == [(9, "", False)]
    assert server.paths() == ["/token", "/calendar/v3/freeBusy"]
    assert said.whole


def test_busy_from_midnight_to_midnight_is_a_whole_day(server):
    server.busy = [("2026-11-30T23:00:00Z", "2026-12-01T23:00:00Z")]
    (event,) = found(ask(server, titles=False)).events
    assert (event.all_day, event.begin.day, event.end.day) == (True, 1, 2)


def test_events_come_in_pages_and_the_last_page_has_the_token(server):
    server.put(*(item(name) for name in "abcde"))
    said = found(ask(server))
    assert names(said) == list("abcde")
    assert said.tokens == {"primary": str(server.revision)}
    assert server.paths().count("/calendar/v3/calendars/primary/events") == 3


def test_afterwards_only_what_changed_is_asked_for_and_a_token_stands_alone(server):
    server.put(item("a"), item("b"))
    kept = account(server)
    first = found(ask(server, kept))
    server.put(item("c"))
    server.remove("a")
    then = found(ask(server, kept, tokens=first.tokens))
    assert (then.whole, names(then), then.gone) == (False, ["c"], ["primary a"])
    _, _, query = server.asked[-1]
    assert query["syncToken"] == first.tokens["primary"]
    assert not {"timeMin", "timeMax", "orderBy"} & query.keys()


def test_a_token_that_is_too_old_has_all_of_it_read_again(server):
    server.put(item("a"), item("b"), item("c"))
    kept = account(server)
    first = found(ask(server, kept))
    server.remove("a", forgotten=True)
    server.oldest = server.revision
    again = found(ask(server, kept, tokens=first.tokens))
    assert (again.whole, names(again)) == (True, ["b", "c"])
    assert again.tokens == {"primary": str(server.revision)}
    assert found(ask(server, kept, tokens=again.tokens)).events == []


def test_what_an_event_says_is_read(server):
    me = {"self": True, "responseStatus": "declined"}
    server.put(
        item("declined", attendees=[{"responseStatus": "accepted"}, me]),
        item("free", transparency="transparent"),
        item("out", eventType="outOfOffice"),
        item("focus", eventType="focusTime"),
        item("maybe", status="tentative"),
        {"id": "day", "summary": "Fair", "start": {"date": "2026-12-03"}, "end": {"date": "2026-12-04"}},
        {"id": "broken", "start": {"dateTime": "?"}, "end": {}},
    )
    said = found(ask(server))
    events = {each.uid.partition(" ")[2]: each for each in said.events}
    assert events["declined"].response == "declined"
    assert not events["free"].busy
    assert events["out"].kind == "outOfOffice"
    assert events["focus"].kind == "focusTime"
    assert events["maybe"].status == "tentative"
    assert events["day"].all_day
    assert events["free"].title == "About free"
    assert said.skipped == 1


def test_several_calendars_of_an_account_are_read(server):
    server.put(item("a"))
    server.put(item("a", day=2), calendar="team@example.org")
    said = found(ask(server, ids=["primary", "team@example.org"]))
    assert len({each.uid for each in said.events}) == 2
    assert set(said.tokens) == {"primary", "team@example.org"}


def test_a_token_that_ran_out_is_renewed_in_between(server):
    server.put(item("a"))
    server.failures = ["expired"]
    assert names(found(ask(server))) == ["a"]
    assert server.paths().count("/token") == 2


def test_a_permission_that_google_replaces_is_handed_on_to_be_kept(server):
    server.rotate = True
    said = found(ask(server))
    assert Account.of(said.account).refresh_token in server.grants


def test_a_revoked_permission_asks_for_a_new_sign_in(server):
    said = failed(ask(server, account(server, "1//revoked-long-ago")))
    assert said.trouble == "signed out"
    assert "7 days" in said.detail


@pytest.mark.parametrize(
    ("failure", "trouble", "after"),
    [
        ((403, "rateLimitExceeded", {}), "busy", 0),
        ((429, "rateLimitExceeded", {"Retry-After": "120"}), "busy", 120),
        ((403, "forbidden", {}), "refused", 0),
        ((403, "accessNotConfigured", {}), "refused", 0),
        ((404, "notFound", {}), "refused", 0),
        ((500, "backendError", {}), "away", 0),
        ((503, "backendError", {"Retry-After": "30"}), "away", 30),
        ("token", "away", 0),
    ],
)
@pytest.mark.parametrize("titles", [True, False])
def test_what_google_refuses_is_said_in_words(server, failure, trouble, after, titles):
    server.failures = [failure, failure, failure, failure]
    said = failed(ask(server, titles=titles))
    assert (said.trouble, said.after) == (trouble, after)


def test_a_connection_that_is_cut_is_a_network_that_is_away(server):
    server.failures = ["cut"] * 9
    assert failed(ask(server)).trouble == "away"


def test_a_server_that_does_not_answer_is_left(server, monkeypatch):
    monkeypatch.setattr(reading, "_SECONDS", 0.5)
    server.failures = ["slow"] * 9
    assert failed(ask(server)).trouble == "away"


def test_nobody_there_is_a_network_that_is_away(server):
    kept = account(server).replace(str(server.port), "9")
    assert failed(ask(server, kept)).trouble == "away"


def test_an_unknown_calendar_is_said(server):
    assert failed(ask(server, ids=["nobody@example.org"])).trouble == "refused"
    assert failed(ask(server, ids=["nobody@example.org"], titles=False)).trouble == "refused"


BROWSER = """
import sys, urllib.error, urllib.request
address = sys.argv[1]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
print(opener.open(address, timeout=20).read())
"""


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system opens pages with is a program of the test's."""
    script = tmp_path / "browser.py"
    script.write_text(BROWSER)
    monkeypatch.setenv("BROWSER", f"{sys.executable} {script} %s &")


def signing_in(server: Google, *, titles: bool = False, seconds: float = 60.0) -> SignIn:
    return SignIn(client=server.client_file(), titles=titles, seconds=seconds)


@pytest.mark.parametrize("titles", [True, False])
def test_a_person_signs_in_in_their_browser(server, titles):
    """The page is opened as a browser would, from what is told of it."""
    pages: list[str] = []

    def visit(said: SignInAt) -> None:
        pages.append(said.url)
        door = (
            said.url.partition("redirect_uri=")[2].partition("&")[0].replace("%3A", ":").replace("%2F", "/")
        )
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

        def walk() -> None:
            for stray in ("favicon.ico", "?state=guessed&code=stolen", "?error=access_denied"):
                with pytest.raises(urllib.error.HTTPError):
                    opener.open(f"{door}{stray}", timeout=20)
            opener.open(said.url, timeout=20).read()

        threading.Thread(target=walk).start()

    import webbrowser

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(webbrowser, "open", lambda _url: True)
        said = answer(signing_in(server, titles=titles), visit)
    assert isinstance(said, SignedIn), said
    scope = urllib.parse.parse_qs(urllib.parse.urlsplit(pages[0]).query)["scope"]
    assert scope == [EVENTS if titles else FREE_BUSY]
    kept = Account.of(said.account)
    assert kept.refresh_token in server.grants
    assert any(form.get("code_verifier") for _, path, form in server.asked if path == "/token")
    assert found(ask(server, said.account, titles=titles)).events == []


async def test_the_systems_browser_is_asked_to_open_the_page_by_a_child(server, browser):
    told: list[str] = []

    async def tell(url: str) -> None:
        told.append(url)

    assert isinstance(await ask_child(signing_in(server), tell), SignedIn)
    assert [each.partition("?")[0] for each in told] == [f"{server.url}/o/oauth2/v2/auth"]


async def test_who_says_no_connects_nothing(server, browser):
    server.consent = False
    said = await ask_child(signing_in(server))
    assert isinstance(said, Failed)
    assert said.trouble == "declined"
    assert not server.grants


def test_nobody_signing_in_is_not_waited_for_for_ever(server, monkeypatch):
    import webbrowser

    monkeypatch.setattr(webbrowser, "open", lambda _url: True)
    assert failed(signing_in(server, seconds=0.1)).trouble == "declined"


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[]",
        "{}",
        json.dumps({"web": {"client_id": "x"}}),
        json.dumps({"installed": {"client_id": ""}}),
        json.dumps({"installed": {"client_id": "x", "token_uri": "https://evil.example/token"}}),
        json.dumps({"installed": {"client_id": "x", "auth_uri": "http://accounts.google.com/auth"}}),
    ],
)
def test_a_file_that_is_no_client_of_googles_is_refused(text):
    assert failed(SignIn(client=text, titles=False)).trouble == "refused"


def test_a_permission_is_given_back(server):
    token = server.granted()
    assert isinstance(answer(SignOut(account=account(server, token))), SignedOut)
    assert server.revoked == [token]
    assert isinstance(answer(SignOut(account=account(server, token))), SignedOut)  # it was void
