"""Addresses of calendars, and getting what is there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from metaclaw_tray.errors import UsageError
from metaclaw_tray.omls.calendars.addresses import Got, checked_address, fetch, host_of
from metaclaw_tray.omls.calendars.frames import FailedError
from support.web import Answer, Web, web

SECRET = "/private-0123456789abcdef/basic.ics"


@pytest.fixture
def server() -> Iterator[Web]:
    with web() as made:
        yield made


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("https://calendar.example.org/x.ics?token=a", "https://calendar.example.org/x.ics?token=a"),
        ("webcal://calendar.example.org/x.ics", "https://calendar.example.org/x.ics"),
        ("WEBCALS://calendar.example.org/x.ics", "https://calendar.example.org/x.ics"),
        ("  https://calendar.example.org/x.ics#top ", "https://calendar.example.org/x.ics"),
        ("http://127.0.0.1:8080/x.ics", "http://127.0.0.1:8080/x.ics"),
    ],
)
def test_addresses_as_they_are_asked(given, asked):
    assert checked_address(given) == asked


@pytest.mark.parametrize(
    "given",
    [
        "http://calendar.example.org/secret",
        "ftp://x/secret",
        "file:///secret",
        "https:///secret",
        "secret",
        "",
        "https://[secret",
        "https://x:99999999/secret",
    ],
)
def test_other_addresses_are_refused_and_not_repeated(given):
    with pytest.raises(UsageError) as refused:
        checked_address(given)
    assert "secret" not in " ".join(refused.value.lines())


def test_only_the_host_is_shown():
    assert host_of("https://me:pass@calendar.example.org/x?token=1") == "calendar.example.org"
    assert host_of("http://127.0.0.1:8080/x") == "127.0.0.1:8080"


def test_what_did_not_change_is_not_sent_again(server):
    def give(_path: str, headers: dict[str, str]) -> Answer:
        known = headers.get("if-none-match") == '"1"' or headers.get("if-modified-since") == "yesterday"
        return Answer(304) if known else Answer(200, b"all", {"ETag": '"1"', "Last-Modified": "yesterday"})

    server.give = give
    assert fetch(server.url + SECRET, "", "") == Got(b"all", '"1"', "yesterday")
    assert fetch(server.url + SECRET, '"1"', "yesterday").content is None
    assert fetch(server.url + SECRET, "", "yesterday").content is None
    assert "if-modified-since" not in server.asked[1][1]


def test_redirects_are_followed_on_safe_ways_only(server):
    there = {"/a": server.url + "/b", "/away": "http://calendar.example.org/b", "/file": "file:///etc/passwd"}

    def give(path: str, _headers: dict[str, str]) -> Answer:
        return Answer(302, headers={"Location": there[path]}) if path in there else Answer(200, b"here")

    server.give = give
    assert fetch(server.url + "/a", "", "").content == b"here"
    for path in ("/away", "/file"):
        with pytest.raises(FailedError, match="not safe"):
            fetch(server.url + path, "", "")


def test_redirects_come_to_an_end(server):
    server.give = lambda path, _headers: Answer(302, headers={"Location": path})
    with pytest.raises(FailedError, match="without an end"):
        fetch(server.url + "/a", "", "")


@pytest.mark.parametrize(
    ("status", "trouble"),
    [(404, "refused"), (401, "refused"), (410, "refused"), (429, "busy"), (500, "away"), (503, "away")],
)
def test_refusals_name_the_host_alone(server, status, trouble):
    server.give = lambda _path, _headers: Answer(status, headers={"Retry-After": "60"})
    with pytest.raises(FailedError) as refused:
        fetch(server.url + SECRET, "", "")
    failed = refused.value.failed
    assert failed.trouble == trouble
    assert failed.after == (60 if trouble != "refused" else 0)
    assert "private" not in f"{failed.detail} {failed.remedy}"
    assert host_of(server.url) in failed.detail


def test_what_is_too_large_is_left(server):
    server.give = lambda _path, _headers: Answer(body=b"x" * 1000, endless=True)
    with pytest.raises(FailedError, match="larger than"):
        fetch(server.url + SECRET, "", "", most=100_000)


def test_what_takes_too_long_is_left(server):
    server.give = lambda _path, _headers: Answer(silent=True)
    with pytest.raises(FailedError, match="did not answer in time"):
        fetch(server.url + SECRET, "", "", seconds=0.3)


def test_nobody_there_is_said_without_the_address():
    with pytest.raises(FailedError) as away:
        fetch("http://127.0.0.1:9" + SECRET, "", "", seconds=5)
    assert away.value.failed.trouble == "away"
    assert "private" not in str(away.value)
