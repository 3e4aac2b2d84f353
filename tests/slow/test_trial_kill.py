"""A trial on an app that is killed with -9 after every session, and once more while it is due to end."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from slow.commands import QuickHome
from slow.wholeness import faults, strays
from support.processes import Program, ScriptedLlm

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ASKED = "Which amounts of money, by currency code, does the tram cost?"
RULE = "Always write amounts of money with the currency code."
SESSIONS = 4
_DRAIN_SECONDS = 30.0


@pytest.fixture
def model() -> Iterator[ScriptedLlm]:
    model = ScriptedLlm()
    yield model
    model.stop()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[QuickHome]:
    home = QuickHome(tmp_path / "home")
    yield home
    home.close()


def ask(app: Program, token: str, *said: str, session: str) -> tuple[str, bool]:
    """One request: the answer, and whether a skill stood in it."""
    roles = ("user", "assistant")
    body = {
        "model": "scripted",
        "messages": [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)],
    }
    answer = httpx.post(
        f"{app.ready['url']}/a/{token}/v1/chat/completions",
        json=body,
        headers={"X-Session-Id": session},
        timeout=30,
        trust_env=False,
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["choices"][0]["message"]["content"], "x-metaclaw-skills" in answer.headers


def prepare(home: QuickHome, model: ScriptedLlm) -> tuple[str, str]:
    """Teach a skill and begin its trial; the agent's token and the proposal."""
    app = home.serve()
    try:
        home.do("upstream", "add", "scripted", "--base-url", model.url, "--model", "scripted", "--default")
        home.do("config", "set", "learning.upstream", "scripted")
        home.do("config", "set", "learning.model", "scripted")
        token: str = json.loads(home.do("agents", "add", "talker", "--json"))["token"]
        first, _ = ask(app, token, ASKED, session="taught")
        second, _ = ask(app, token, ASKED, first, f"No. {RULE}", session="taught")
        ask(app, token, ASKED, first, f"No. {RULE}", second, "Thank you.", session="taught")
        home.do("learn", "now")
        (row,) = home.listing("review", "list")
        home.do("review", "trial", row["id"], "--sessions", str(SESSIONS), "--yes")
    finally:
        app.kill()
    return token, row["id"]


def test_places_and_the_return_survive_every_kill(model: ScriptedLlm, home: QuickHome) -> None:
    token, proposal = prepare(home, model)
    store_file = home.folder / "state" / "store.sqlite3"
    had = []
    for number in range(SESSIONS):
        app = home.serve()
        try:
            assert home.listing("status")["trials"][0].endswith(f"{number} of {SESSIONS} sessions")
            had.append(ask(app, token, ASKED, session=f"s{number}")[1])
        finally:
            app.kill()
        assert strays(home, (), _DRAIN_SECONDS) == []  # the scribe stores what was told, then ends
    assert sorted(had) == [False, False, True, True]
    app = home.serve()
    try:
        for number in range(SESSIONS):
            assert ask(app, token, ASKED, session=f"s{number}")[1] is had[number]
            home.do("sessions", "end", f"talker/s{number}")
    finally:
        app.kill()
    app = home.serve()
    try:
        learnt = [each for each in home.listing("skills", "list") if each["source"] == "learnt"]
        assert [each["state"] for each in learnt] == ["retired"]
        assert home.listing("status")["trials"] == []
        assert [each["id"] for each in home.listing("review", "list")] == [proposal]
        assert not ask(app, token, ASKED, session="after")[1]
        assert faults(home, store_file) == []
    finally:
        assert app.stop() == 0
    with closing(sqlite3.connect(store_file)) as db:
        assert db.execute("SELECT state FROM trial").fetchall() == [("ended",)]
        assert db.execute("SELECT count(*) FROM ledger WHERE action = 'trial end'").fetchone() == (1,)
        arms = [arm for (arm,) in db.execute("SELECT arm FROM trial_session ORDER BY at")]
    assert arms == ["with", "without"] * (SESSIONS // 2)
