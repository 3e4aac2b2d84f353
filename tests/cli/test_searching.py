"""`turns search`, `turns raw`, and what narrows `turns list`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.cli import run
from metaclaw_tray.paths import Paths
from support.admin_app import Answers, admin_app

AT = datetime(2026, 3, 3, 12, tzinfo=UTC)


def row(name: str, snippet: str = "the large report") -> api.ExchangeRow:
    return api.ExchangeRow(
        id=name, turn=f"turn-{name}", session="s", agent="claw", at=AT, asked="which?", answered="these",
        turns=1, model="m", upstream="up", kind="main", outcome="ok", score=1, thumb=0, skills=[], cost=None,
        snippet=snippet, spans=[(4, 9)],
    )  # fmt: skip


@pytest.fixture
def paths(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path_factory.mktemp("h")))
    return Paths.find()


async def paged(verb: api.ListExchanges, _call: object) -> api.Exchanges:
    """Three pages, the second without a hit; one exchange is met again."""
    pages = {
        "": api.Exchanges(rows=[row("one")], next="9", searchable=1.0),
        "9": api.Exchanges(rows=[], next="5", searchable=1.0),
        "5": api.Exchanges(rows=[row("one"), row("two")], next="", searchable=1.0),
    }
    return pages[verb.before]


def test_it_looks_on_until_there_are_enough_and_tells_each_exchange_once(paths, capsys):
    answers = Answers({api.ListExchanges: paged})
    with admin_app(paths, answers):
        assert run(["turns", "search", "large", "report"]) == 0
    assert [each.before for each in answers.asked] == ["", "9", "5"]
    assert {each.text for each in answers.asked} == {"large report"}
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[2] for line in lines[1:]] == ["turn-one", "turn-two"]
    assert lines[1].endswith("the large report")


def test_filters_are_asked_for_with_dates_of_the_persons_own_clock(paths, capsys):
    answers = Answers({api.ListExchanges: api.Exchanges(rows=[], next="", searchable=1.0)})
    line = "turns search x --agent claw --model m --outcome bad --skill any --thumb down --since 2026-03-01"
    with admin_app(paths, answers):
        assert run(line.split()) == 0
    (asked,) = answers.asked
    assert (asked.agent, asked.model, asked.outcome, asked.skill, asked.thumb) == (
        "claw", "m", "bad", "any", "down",
    )  # fmt: skip
    assert asked.since == datetime(2026, 3, 1).astimezone()
    assert asked.until is None
    assert capsys.readouterr().out == "Nothing was found.\n"


def test_a_record_that_is_being_made_ready_is_told_beside_the_answer(paths, capsys):
    answers = Answers({api.ListExchanges: api.Exchanges(rows=[row("one")], next="", searchable=0.4)})
    with admin_app(paths, answers):
        assert run(["turns", "search", "report", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)[0]["turn"] == "turn-one"
    assert "40% of the record can be searched so far" in said.err


def test_a_date_that_is_none_is_a_sentence(paths, capsys):
    assert run(["turns", "search", "x", "--since", "yesterday"]) != 0
    assert "Traceback" not in capsys.readouterr().err


def test_turns_are_listed_by_what_they_hold(paths, capsys):
    answers = Answers({api.ListTurns: []})
    with admin_app(paths, answers):
        assert run(["turns", "list", "--outcome", "failed", "--kind", "side"]) == 0
        assert run(["turns", "list"]) == 0
    narrowed, plain = answers.asked
    assert (narrowed.outcome, narrowed.kind, narrowed.narrowed) == ("failed", "side", True)
    assert not plain.narrowed
    assert capsys.readouterr().out == "No turns fit all of this.\nNo turns yet.\n"


def test_a_turn_is_printed_letter_by_letter(paths, capsys):
    raw: dict[type[api.Verb[Any]], Any] = {
        api.ShowRaw: api.RawTurn(
            id="t", request='{"messages": []}', answer='{"role": "assistant"}', cut=False
        )
    }
    answers = Answers(raw)
    with admin_app(paths, answers):
        assert run(["turns", "raw", "t"]) == 0
    assert answers.asked[0].id == "t"
    assert capsys.readouterr().out == '{"messages": []}\n\n--- the answer ---\n{"role": "assistant"}\n'
