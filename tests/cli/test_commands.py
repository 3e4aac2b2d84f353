from __future__ import annotations

import json
import os
import re
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.cli import main, run
from metaclaw_tray.cli.main import root
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime.facade import record
from metaclaw_tray.settings import load_settings
from metaclaw_tray.store.engine import Store
from support.admin_app import Answers, admin_app

AT = datetime(2026, 3, 3, 12, tzinfo=UTC)

STATUS = api.Status(
    version="1", pid=7, home="/h", url="http://127.0.0.1:30000", uptime_seconds=90, allow_scripted=False,
    dropped_records=0, queue=2, open_window=None, why_not="training is off", upstream="one", agents=1,
    generation=3, active_skills=2, pending_proposals=1, turns=9, learning="ready", spent_today_usd=0.0123,
    day_limit_usd=0.5, secrets="keyring", trouble=["The disk is nearly full."],
)  # fmt: skip
TURN = api.TurnRow(
    id="t1", exchange="e1", session="s1", agent="claw", kind="main", outcome="ok", generation=1,
    skills=["dates@2"], claim="support", verdict=-1, cost=None, model="m", at=AT,
)  # fmt: skip
SESSION = api.SessionRow(
    id="s1", agent="claw", started_at=AT, last_at=AT, ended_at=None, end_reason=None, exchanges=1, turns=1
)
SKILL = api.SkillRow(
    name="dates",
    version=2,
    state="active",
    source="learnt",
    trust="learnt",
    generation=1,
    description="Dates.",
)
PROPOSAL = api.ProposalRow(
    id="p1", op="create", skill="dates", why="asked for", evidence=["e1"],
    gate=api.GateFigures(
        passed=True, requests=4, with_skill=0.75, without_skill=-0.5, unscored=0, reason="better"
    ),
    outcome="better: better in 7 of 8 pairs of answers",
)  # fmt: skip
GENERATION = api.GenerationRow(generation=1, why="approved p1", support=1, query=4, holdout=2, at=AT)
NOTHING_SPENT = api.SpendRow(
    key="in all", calls=0, input_tokens=0, cached_tokens=0, cache_write_tokens=0, output_tokens=0,
    reasoning_tokens=0, usd=0.0, unpriced=0, estimated=0, unsettled=0,
)  # fmt: skip
LEDGER = api.LedgerRow(
    id="l1", at=AT, action="approve", subject="dates", actor="person", channel="terminal",
    ancestry=["zsh (2)"], generation=1, undone=False, after={"state": "active", "version": 2},
)  # fmt: skip
TRIAL = api.TrialRow(
    id="tr1", skill="dates", version=2, state="ended", reason="it had its 4 sessions", sessions=4, placed=4,
    words="Which is better: too few to tell.", started_at=AT, ended_at=AT,
)  # fmt: skip
ARM = api.ArmRow(
    sessions=2, exchanges=3, good=api.Rate(count=2, of=3, low=0.2, high=0.9),
    bad=api.Rate(count=1, of=3, low=0.1, high=0.8), tokens=api.Mean(mean=100, low=90, high=110), seconds=None,
)  # fmt: skip
DONE = api.Said(text="Done.")
NEW_AGENT = api.NewAgent(
    name="claw", token="mct_x", base_url="http://h/a/mct_x/v1", anthropic_base_url="http://h/a/mct_x"
)

ANSWERS: dict[type[api.Verb[Any]], Any] = {
    api.GetStatus: STATUS,
    api.ListNotices: [
        api.NoticeRow(kind="unscored", subject="t1", reason="the votes differ", count=3, at=AT)
    ],
    api.ListTurns: [TURN],
    api.ShowTurn: api.TurnDetail(
        turn=TURN, upstream="one", status=200, error="", block="Notes: use ISO dates.", reason="not ISO",
        messages=[{"role": "user", "content": "when?"}, {"role": "tool", "content": [{"text": "and?"}, 7]}],
        answer={"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
        evidence=[api.EvidenceRow(kind="correction", value=-1, origin="person", text="ISO!", at=AT)],
        input_tokens=5, output_tokens=6, usage_estimated=True, first_byte_ms=12.4, total_ms=None,
    ),
    api.ListSessions: [SESSION],
    api.ShowSession: api.SessionDetail(session=SESSION, turns=[TURN]),
    api.EndSession: DONE,
    api.SwitchSkills: DONE,
    api.GiveFeedback: DONE,
    api.ShowSpend: api.Spend(
        day_usd=0.1, month_usd=0.2, day_limit_usd=0.5, month_limit_usd=5,
        days=30, by="day", agents=[], agents_total=NOTHING_SPENT, price_table="a table of May",
        learning=[
            api.SpendRow(key=key, calls=3, input_tokens=9, cached_tokens=4, cache_write_tokens=2,
                         output_tokens=8, reasoning_tokens=5, usd=usd, unpriced=unpriced, estimated=0,
                         unsettled=1)
            for key, usd, unpriced in (("judge", 0.1, 0), ("evolver", None, 3))
        ],
        learning_total=NOTHING_SPENT,
    ),
    api.ListLedger: [LEDGER],
    api.ListSkills: [SKILL],
    api.ShowSkill: api.SkillDetail(skill=SKILL, text="---\nname: dates\n---\nUse ISO.", used=3),
    api.AddSkill: DONE,
    api.ScopeSkill: DONE,
    api.CondenseSkill: DONE,
    api.MergeSkills: DONE,
    api.ReturnToGeneration: DONE,
    api.DiffSkill: api.SkillDiff(
        name="dates", old=1, new=2, old_text="a\nold", new_text="a\nnew\nmore", diff="-old\n+new\n+more"
    ),
    api.ListDuplicates: [
        api.DuplicateRow(keep="dates", other="iso", words=0.83, proposal="p9", state="rejected")
    ],
    api.EnableSkill: DONE,
    api.DisableSkill: DONE,
    api.RetireSkill: DONE,
    api.ShowSkillHistory: [
        api.SkillVersionRow(version=2, at=AT, digest="ab" * 32, proposal="p1", diff="-old\n+new")
    ],
    api.ExportSkills: [api.ExportedSkill(name="dates", text="Use ISO.")],
    api.SearchSkills: [api.SkillHit(name="dates", score=1.5, description="Dates.", chosen=True)],
    api.ListReview: [PROPOSAL],
    api.ShowProposal: api.ProposalDetail(
        proposal=PROPOSAL, text="Use ISO.", diff="+Use ISO.",
        exchanges=[{"exchange": "e1", "messages": [{"role": "user", "content": "when?"}]}],
        gate_details=[{"request": {"role": "user", "content": "again?"}, "score": 1}, "odd"],
        source="A part of this came from the web.", trials=[TRIAL],
    ),
    api.ApproveProposal: DONE,
    api.EditProposal: DONE,
    api.RejectProposal: DONE,
    api.SnoozeProposal: DONE,
    api.TryProposal: DONE,
    api.TrustSkill: DONE,
    api.ShowEffect: api.Effect(
        skill="dates", version=None, eligible=3, injected=ARM, withheld=ARM, words=["It helps."],
        trials=[api.TrialEffect(trial=TRIAL, with_skill=ARM, without_skill=ARM)],
    ),
    api.TraceSkill: [api.TraceStep(kind="verdict", id="t1", at=AT, text="-1 by judge: not ISO")],
    api.ShowLedger: api.LedgerDetail(
        entry=LEDGER, undone_by="l2", diff="+Use ISO.", proposal="p1", why="asked for", evidence=["e1"],
        outcome="better: better in 7 of 8 pairs of answers",
    ),
    api.Undo: DONE,
    api.ListGenerations: [GENERATION],
    api.ShowGeneration: api.GenerationDetail(
        generation=GENERATION, skills=["dates@2"],
        entry=api.LedgerEntry(id="l1", action="approve", subject="dates@2", channel="terminal"),
        exchanges=[api.PlacedRow(exchange="e1", set="withheld", why="a trial withheld “dates”")],
    ),
    api.LearnNow: api.LearnOutcome(judged=2, proposals=["p1"], notes=["nothing else"]),
    api.ShowLearnStatus: api.LearnStatus(
        ready=False, why_not="no model is chosen", judging=1, judged=2, unscored=0, clusters=["dates: 3"],
        last_run="proposed dates", last_run_at=AT,
    ),
    api.ListUpstreams: [
        api.UpstreamRow(name="one", base_url="http://x/v1", dialects=["chat"], model="", credential="key",
                        key_known=False, default=True, learning=False)
    ],
    api.TestUpstream: api.UpstreamTest(
        name="one", ok=False, status=500, milliseconds=3.2, models=[], detail="It answered HTTP 500."
    ),
    api.UseUpstream: DONE,
    api.RemoveUpstream: DONE,
    api.ListAgents: [api.AgentRow(name="claw", observe_only=False, token_known=True)],
    api.AddAgent: NEW_AGENT,
    api.RotateAgent: NEW_AGENT,
    api.RemoveAgent: DONE,
    api.ListSecrets: [api.SecretRow(name="agent:claw", kept_in="keyring")],
    api.SetSecret: DONE,
    api.RemoveSecret: DONE,
    api.SetConfig: DONE,
}  # fmt: skip

COMMANDS: list[tuple[str, api.Verb[Any], list[str]]] = [
    ("status", api.GetStatus(), ["http://127.0.0.1:30000", "training is off", "! The disk is nearly full."]),
    ("notices", api.ListNotices(), ["unscored", "t1", "3", "the votes differ"]),
    ("turns list --limit 3 --agent claw", api.ListTurns(3, None, "claw"), ["dates@2", "support", "-1"]),
    (
        "turns show t1",
        api.ShowTurn("t1"),
        ["[user] when?", "and?\n7", "use ISO dates", "correction -1", "c1"],
    ),
    ("sessions list", api.ListSessions(), ["s1", "open"]),
    ("sessions show s1", api.ShowSession("s1"), ["s1", "t1"]),
    ("sessions end s1", api.EndSession("s1"), ["Done."]),
    ("sessions skills s1 off", api.SwitchSkills("s1", False), ["Done."]),
    ("feedback last down --note no", api.GiveFeedback("last", "down", "no"), ["Done."]),
    (
        "spend show",
        api.ShowSpend(),
        ["0.1000 of 0.50 USD", "judge", "—", "3 without a known price", "1 unsettled", "a table of May"],
    ),
    ("spend show --days 7 --by model", api.ShowSpend(7, "model"), ["judge"]),
    ("ledger list", api.ListLedger(), ["approve", "zsh (2)", "nothing → active @2"]),
    ("ledger show l1", api.ShowLedger("l1"), ["undone by", "l2", "e1", "7 of 8 pairs", "+Use ISO."]),
    (
        "skills effect dates --version 2",
        api.ShowEffect("dates", 2),
        ["It helps.", "2 (20% to 90%)", "trial of"],
    ),
    ("skills trace dates", api.TraceSkill("dates"), ["verdict", "-1 by judge: not ISO"]),
    ("skills trust dates", api.TrustSkill(name="dates"), ["Done."]),
    ("skills trust dates --no", api.TrustSkill(name="dates", trusted=False), ["Done."]),
    ("skills list", api.ListSkills(), ["dates", "learnt"]),
    ("skills show dates --version 2", api.ShowSkill("dates", 2), ["dates@2", "name: dates\n---\nUse ISO."]),
    ("skills diff dates 1 2", api.DiffSkill("dates", 1, 2), ["-old\n+new\n+more"]),
    ("skills diff dates 1 2 --side", api.DiffSkill("dates", 1, 2), ["dates@1", "| new", "> more"]),
    (
        "skills scope dates --agent hermes --agent codex",
        api.ScopeSkill(name="dates", agents=["hermes", "codex"]),
        ["Done."],
    ),
    ("skills scope dates --all-agents --yes", api.ScopeSkill(name="dates", yes=True), ["Done."]),
    ("skills condense dates", api.CondenseSkill("dates"), ["Done."]),
    ("skills duplicates", api.ListDuplicates(), ["83%", "p9 (rejected)"]),
    ("skills merge dates iso", api.MergeSkills("dates", "iso"), ["Done."]),
    ("generations return 3", api.ReturnToGeneration(generation=3), ["Done."]),
    ("skills search when --agent hermes", api.SearchSkills("when", agent="hermes"), ["1.500"]),
    ("skills enable dates", api.EnableSkill(name="dates"), ["Done."]),
    ("skills disable dates --yes", api.DisableSkill(name="dates", yes=True), ["Done."]),
    ("skills retire dates", api.RetireSkill(name="dates"), ["Done."]),
    ("skills history dates", api.ShowSkillHistory("dates"), ["version 2", "-old\n+new"]),
    ("skills search when", api.SearchSkills("when"), ["1.500", "yes"]),
    ("skills search --turn t1 --all", api.SearchSkills(turn="t1", all=True), ["1.500", "FOUND BY"]),
    ("review list --all", api.ListReview(True, True), ["p1", "better in 7 of 8 pairs"]),
    ("review show p1", api.ShowProposal("p1"), ["the web", "[user] when?", "[user] again?", "+Use ISO."]),
    ("review snooze p1 --for 4h", api.SnoozeProposal(id="p1", seconds=14_400), ["Done."]),
    ("review trial p1 --sessions 6", api.TryProposal(id="p1", sessions=6), ["Done."]),
    ("review approve p1", api.ApproveProposal(id="p1"), ["Done."]),
    ("review reject p1 --reason no --yes", api.RejectProposal(id="p1", reason="no", yes=True), ["Done."]),
    ("undo l1", api.Undo(entry="l1"), ["Done."]),
    ("generations list", api.ListGenerations(), ["approved p1"]),
    (
        "generations show 1",
        api.ShowGeneration(1),
        ["dates@2", "metaclaw-tray undo l1", "e1", "a trial withheld"],
    ),
    ("learn now", api.LearnNow(), ["Judged 2", "review show p1"]),
    ("learn status", api.ShowLearnStatus(), ["waits: no model is chosen"]),
    ("upstream list", api.ListUpstreams(), ["one *", "key missing"]),
    ("upstream use one", api.UseUpstream("one"), ["Done."]),
    ("upstream use one --agent claw", api.UseUpstream("one", "claw"), ["Done."]),
    ("upstream remove one", api.RemoveUpstream("one"), ["Done."]),
    ("agents list", api.ListAgents(), ["claw"]),
    ("agents add claw --observe-only", api.AddAgent("claw", True), ["http://h/a/mct_x/v1", "this once"]),
    ("agents rotate claw", api.RotateAgent("claw"), ["mct_x"]),
    ("agents remove claw", api.RemoveAgent("claw"), ["Done."]),
    ("secret list", api.ListSecrets(), ["agent:claw", "keyring"]),
    ("secret remove agent:claw", api.RemoveSecret("agent:claw"), ["Done."]),
    ("config set learning.votes 5", api.SetConfig(key="learning.votes", value="5"), ["Done."]),
]


@pytest.fixture
def paths(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path_factory.mktemp("h")))
    return Paths.find()


@pytest.mark.parametrize(("line", "verb", "words"), COMMANDS, ids=[line for line, _, _ in COMMANDS])
def test_a_command_asks_one_thing_and_shows_the_answer(paths, capsys, line: str, verb, words: list[str]):
    answers = Answers(ANSWERS)
    with admin_app(paths, answers):
        assert run(line.split()) == 0
    assert answers.asked == [verb]
    shown = capsys.readouterr().out
    for word in words:
        assert word in shown


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("skills list", "name version state source trust generation"),
        ("review list", "id op skill why evidence gate"),
        ("turns list", "id exchange session agent kind outcome generation skills claim verdict cost"),
        ("generations list", "generation why support query holdout"),
        ("status", "dropped_records queue open_window why_not allow_scripted"),
        ("notices", "kind subject reason count at"),
        ("agents add claw", "name token base_url anthropic_base_url"),
        ("agents list", "name"),
        ("upstream list", "name base_url dialects model credential"),
        ("sessions list", "id agent"),
        ("ledger list", "id at action subject actor channel ancestry"),
        ("secret list", "name kept_in"),
    ],
)
def test_json_has_the_keys_that_scripts_rely_on(paths, capsys, line: str, keys: str):
    with admin_app(paths, Answers(ANSWERS)):
        assert run([*line.split(), "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    row = value[0] if isinstance(value, list) else value
    assert set(keys.split()) <= set(row)


def test_every_listing_takes_json():
    listings = [
        f"{group.name} {command.name}"
        for group in root.commands.values()
        if isinstance(group, click.Group)
        for command in group.commands.values()
        if command.name in ("list", "show", "status", "history", "search")
        and not any("--json" in parameter.opts for parameter in command.params)
    ]
    assert listings == []


def test_the_commands_are_those_of_the_design_that_exist():
    tree = {
        name: sorted(command.commands) if isinstance(command, click.Group) else None
        for name, command in root.commands.items()
    }
    assert tree == {
        "serve": None,
        "status": None,
        "notices": None,
        "doctor": None,
        "demo": None,
        "config": ["check", "get", "reload", "set", "show"],
        "secret": ["list", "remove", "set"],
        "upstream": ["add", "list", "remove", "test", "use"],
        "agents": ["add", "list", "remove", "rotate"],
        "turns": ["forget", "list", "raw", "search", "show"],
        "sessions": ["end", "list", "show", "skills"],
        "feedback": None,
        "spend": ["show"],
        "skills": [
            "add",
            "condense",
            "diff",
            "disable",
            "duplicates",
            "effect",
            "enable",
            "export",
            "history",
            "import",
            "list",
            "measure",
            "merge",
            "retire",
            "scope",
            "search",
            "show",
            "trace",
            "trust",
        ],
        "review": ["approve", "edit", "list", "reject", "show", "snooze", "trial"],
        "undo": None,
        "ledger": ["list", "show"],
        "learn": ["now", "pause", "resume", "status"],
        "generations": ["list", "return", "show"],
        "autostart": None,
        "privacy": None,
        "model": ["fetch", "list"],
        "extras": ["add", "list", "remove"],
        "schedule": ["log", "next", "simulate", "status", "windows"],
        "calendar": ["connect", "disconnect", "events", "list", "test"],
    }


def test_every_command_says_what_it_does():
    def silent(command: click.Command, name: str) -> list[str]:
        below = command.commands if isinstance(command, click.Group) else {}
        here = [] if command.help else [name]
        return here + [each for sub in below for each in silent(below[sub], f"{name} {sub}")]

    assert silent(root, "") == []


@pytest.mark.parametrize("line", ["status", "turns list", "review approve p1", "learn now", "undo x"])
def test_without_an_app_the_exit_code_is_3(paths, capsys, line: str):
    assert run(line.split()) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert "The app is not running" in said.err
    assert "metaclaw-tray serve" in said.err


@pytest.mark.parametrize(
    "line",
    [
        "bogus",
        "turns",
        "skills search",
        "skills search when --turn t1",
        "turns list --limit x",
        "feedback last sideways",
        "skills add /nowhere",
        "turns show",
    ],
)
def test_wrong_usage_has_the_exit_code_2(paths, capsys, line: str):
    assert run(line.split()) == 2
    assert "Usage:" in "".join(capsys.readouterr())


def test_an_error_of_the_app_is_said_on_standard_error(paths, capsys):
    error = NotFoundError("Not found", "there is no turn t9\x1b[2J", "look")
    with admin_app(paths, Answers({api.ShowTurn: error})):
        assert run(["turns", "show", "t9"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "Not found: there is no turn t9\\u{1b}[2J\n→ look\n"


def test_a_bug_is_one_line_and_its_traceback_is_in_the_log(paths, capsys, monkeypatch, request):
    import logging

    handlers = logging.getLogger().handlers[:]
    request.addfinalizer(lambda: logging.getLogger().handlers.__setitem__(slice(None), handlers))
    logging.getLogger().handlers[:] = []
    monkeypatch.setattr(main.root, "main", lambda **options: 1 / 0)
    assert run(["status"]) == 1
    for handler in logging.getLogger().handlers:
        handler.close()
    said = capsys.readouterr()
    log = paths.logs_dir / "commands.log"
    assert "This is a bug, not your mistake: ZeroDivisionError: division by zero." in said.err
    assert said.err.endswith(f"The details are in {log}.\n")
    assert "Traceback" in log.read_text()


def test_settings_work_without_the_app(paths, capsys):
    assert run(["config", "check"]) == 0
    assert run(["config", "set", "learning.votes", "5"]) == 0
    assert run(["config", "get", "learning.votes"]) == 0
    assert run(["config", "get", "injection.enabled"]) == 0
    assert capsys.readouterr().out.endswith("learning.votes is 5 now, was 3.\n5\ntrue\n")
    assert run(["config", "show"]) == 0
    assert re.search(r"learning\.votes +5 \* +votes of the judge", capsys.readouterr().out)
    assert run(["config", "show", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["learning.votes"] == 5


def test_a_broken_settings_file_is_said_and_left_alone(paths, capsys):
    paths.prepare()
    paths.config_file.write_text("[learnin]\nvotes = 3\n")
    for line in (
        "config check",
        "config show",
        "config set learning.votes 5",
        "agents add x",
        "upstream list",
    ):
        assert run(line.split()) == 1
        assert "line 1: there is no setting learnin. Did you mean learning?" in capsys.readouterr().err
    assert paths.config_file.read_text() == "[learnin]\nvotes = 3\n"


def test_a_budget_cannot_be_raised_by_a_program_without_a_terminal(paths, capsys, monkeypatch):
    monkeypatch.delenv("METACLAW_TRAY_ALLOW_SCRIPTED", raising=False)
    assert run(["config", "set", "budget.day_usd", "100", "--yes"]) == 1
    assert "--yes does not count here" in capsys.readouterr().err
    monkeypatch.setenv("METACLAW_TRAY_ALLOW_SCRIPTED", "1")
    assert run(["config", "set", "budget.day_usd", "1.5", "--yes"]) == 0
    assert load_settings(paths.config_file).budget.day_usd == 1.5


def test_upstreams_and_agents_can_be_set_up_before_the_first_start(paths, capsys, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-1")
    assert run(["config", "set", "secrets.backend", "file"]) == 0
    add = [
        "upstream",
        "add",
        "one",
        "--base-url",
        "http://127.0.0.1:1/v1/",
        "--key-env",
        "MY_KEY",
        "--default",
    ]
    assert run(add) == 0
    assert "Agents reach it." in capsys.readouterr().out
    assert run(["agents", "add", "claw", "--json"]) == 0
    agent = json.loads(capsys.readouterr().out)
    assert agent["base_url"] == f"http://127.0.0.1:30000/a/{agent['token']}/v1"
    assert run(["secret", "list"]) == 0
    assert "upstream:one" in capsys.readouterr().out
    assert run(["upstream", "test", "one"]) == 1
    assert "cannot be reached" in capsys.readouterr().out
    assert run(["agents", "remove", "claw"]) == 0
    assert run(["agents", "remove", "claw"]) == 1


def test_a_change_without_the_app_is_in_the_ledger_as_well(paths, capsys, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-the-secret")
    assert run(["config", "set", "secrets.backend", "file"]) == 0
    assert capsys.readouterr().out == "secrets.backend is file now, was not set.\n"  # no app has the old one
    assert run(["upstream", "add", "one", "--base-url", "http://127.0.0.1:1/v1", "--key-env", "MY_KEY"]) == 0
    assert run(["config", "set", "learning.upstream", "one"]) == 0
    store = Store.open(paths.store_file, SystemClock())
    try:
        rows = store.read(lambda db: record.list_ledger(db, 50))
    finally:
        store.close()
    assert {row.subject for row in rows} == {
        "secrets.backend", "upstream:one", "upstreams.one", "learning.upstream"
    }  # fmt: skip
    assert all(row.ancestry for row in rows)
    assert b"sk-the-secret" not in paths.store_file.read_bytes()
    with admin_app(paths, Answers({api.ListLedger: rows})):
        capsys.readouterr()
        assert run(["ledger", "list"]) == 0
    shown = capsys.readouterr().out
    assert "learning.upstream: not set → one" in shown
    assert "upstreams.one.base_url: not set → http://127.0.0.1:1/v1" in shown


def test_replacing_an_upstream_says_what_became_of_it(paths, capsys, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-1")
    run(["config", "set", "secrets.backend", "file"])
    run(
        [
            "upstream",
            "add",
            "one",
            "--base-url",
            "http://127.0.0.1:1/v1",
            "--key-env",
            "MY_KEY",
            "--model",
            "m",
        ]
    )
    assert run(["config", "set", "upstreams.one.tool_text", "true"]) == 0
    capsys.readouterr()
    assert (
        run(["upstream", "add", "one", "--base-url", "http://127.0.0.1:2/v1", "--dialects", "messages"]) == 0
    )
    said = capsys.readouterr().out
    assert said.startswith("Replaced: one is http://127.0.0.1:2/v1 (no key).\n")
    assert "  dialects: chat → messages\n" in said
    assert "The key that was kept is removed: it was for http://127.0.0.1:1." in said
    kept = load_settings(paths.config_file).upstreams["one"]
    assert (kept.model, kept.tool_text, kept.credential) == ("m", True, "none")
    assert run(["secret", "list"]) == 0
    assert capsys.readouterr().out == "None.\n"


def test_a_key_cannot_be_led_astray_while_no_app_runs(paths, capsys, monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-1")
    monkeypatch.setenv("METACLAW_TRAY_ALLOW_SCRIPTED", "")
    run(["config", "set", "secrets.backend", "file"])
    run(["upstream", "add", "one", "--base-url", "http://127.0.0.1:1/v1", "--key-env", "MY_KEY"])
    assert run(["config", "set", "upstreams.one.credential", "none"]) == 0
    assert run(["config", "set", "upstreams.one.base_url", "http://127.0.0.1:2/v1"]) == 0
    assert run(["config", "set", "upstreams.one.credential", "key", "--yes"]) == 1
    assert "--yes does not count here" in capsys.readouterr().err
    assert run(["config", "set", "upstreams.one.base_url", "http://127.0.0.1:1/v2"]) == 0
    assert run(["config", "set", "upstreams.one.credential", "key"]) == 0  # back where it was given for


@pytest.mark.parametrize("price", ["nan", "inf", "-inf", "-1", "x"])
def test_a_price_is_a_number(paths, capsys, price: str):
    line = ["upstream", "add", "one", "--base-url", "http://x/v1", "--input-price", price]
    assert run(line) == 2
    assert f"{price!r} is no price" in capsys.readouterr().err
    assert not paths.config_file.exists()


def test_a_negative_number_reaches_the_check(paths, capsys):
    assert run(["config", "set", "retention.days", "-1"]) == 1
    assert "retention.days must be greater than or equal to 0, not -1" in capsys.readouterr().err


def test_a_password_in_an_address_is_not_said_again(paths, capsys):
    for line in (
        "upstream add one --base-url https://me:hunter2@host/v1",
        "upstream add one --base-url https://me:hunter2@host/v1/models?q",
    ):
        assert run(line.split()) == 2
        said = capsys.readouterr()
        assert "hunter2" not in said.err + said.out
        assert "https://***@host" in said.err


def test_without_a_command_the_window_of_the_running_app_comes_to_the_front(paths):
    answers = Answers({api.ShowWindow: api.Said(text="It comes.")})
    with admin_app(paths, answers):
        assert run([]) == 0
    assert answers.asked == [api.ShowWindow()]


def test_an_outcome_names_its_status_once(paths, capsys):
    shown = ANSWERS[api.ShowTurn]
    failed = msgspec.structs.replace(shown.turn, outcome="failed")
    detail = msgspec.structs.replace(shown, turn=failed, status=401, error="status 401")
    with admin_app(paths, Answers({api.ShowTurn: detail})):
        assert run(["turns", "show", "t1"]) == 0
    assert re.search(r"^outcome +failed \(HTTP 401\)$", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("upstream add one --base-url http://x/v1 --key-env NOT_SET_AT_ALL", "NOT_SET_AT_ALL is not set"),
        ("upstream add one --base-url http://x/v1 --key-env HOME --pass-through", "not both"),
        ("upstream add one --base-url http://x/v1 --key-env HOME --key-stdin", "Two places"),
        ("upstream add one --base-url x", "base_url must begin with http"),
        ("upstream add One --base-url http://x", "must be 1 to 41"),
        ("secret set nobody --env HOME", "not upstream:NAME or agent:NAME"),
    ],
)
def test_what_cannot_be_set_up_is_wrong_usage(paths, capsys, line: str, words: str):
    assert run(line.split()) == 2
    assert words in capsys.readouterr().err


def test_a_skill_is_sent_as_text_with_the_name_of_its_folder(paths, tmp_path: Path, capsys):
    folder = tmp_path / "dates"
    folder.mkdir()
    (folder / "SKILL.md").write_text("Use ISO, é.")
    answers = Answers(ANSWERS)
    with admin_app(paths, answers):
        assert run(["skills", "add", str(folder)]) == 0
        assert run(["skills", "add", str(folder / "SKILL.md"), "--yes"]) == 0
    text = "Use ISO, é."
    assert answers.asked == [
        api.AddSkill(text=text, folder="dates"),
        api.AddSkill(text=text, folder="dates", yes=True),
    ]
    (folder / "SKILL.md").write_bytes(b"\xff")
    assert run(["skills", "add", str(folder)]) == 1
    assert "is not UTF-8 text" in capsys.readouterr().err


def test_skills_are_exported_to_plain_folders(paths, tmp_path: Path, capsys):
    with admin_app(paths, Answers(ANSWERS)):
        assert run(["skills", "export", str(tmp_path / "out"), "dates"]) == 0
    assert (tmp_path / "out" / "dates" / "SKILL.md").read_text().endswith("---\n\nUse ISO.\n")
    assert str(tmp_path / "out" / "dates" / "SKILL.md") in capsys.readouterr().out


def test_progress_goes_to_standard_error(paths, capsys):
    async def learn(verb, call):
        await call.progress("judged one")
        return ANSWERS[api.LearnNow]

    with admin_app(paths, Answers({api.LearnNow: learn})):
        assert run(["learn", "now", "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == "judged one\n"
    assert json.loads(said.out)["judged"] == 2


def test_a_failed_test_of_an_upstream_fails_the_command(paths, capsys):
    with admin_app(paths, Answers(ANSWERS)):
        assert run(["upstream", "test", "one"]) == 1
    assert "does not work (3 ms). It answered HTTP 500." in capsys.readouterr().out


def test_doctor_looks_at_everything_without_the_app_and_changes_nothing(paths, capsys):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    paths.prepare()
    paths.config_file.write_text(f"[server]\nport = {port}\n")
    assert run(["doctor", "--json"]) == 0
    checks = {check["name"]: check["state"] for check in json.loads(capsys.readouterr().out)}
    assert checks["settings"] == checks["store"] == checks["folders"] == "fine"
    assert checks["app"] == "note"
    assert not paths.store_file.exists()


def test_doctor_finds_broken_settings(paths, capsys):
    paths.prepare()
    paths.config_file.write_text("x")
    assert run(["doctor"]) == 1
    assert "BAD  settings:" in capsys.readouterr().out


def doctor(capsys, name: str) -> dict[str, str]:
    """What the doctor says of one thing."""
    run(["doctor", "--json"])
    return next(check for check in json.loads(capsys.readouterr().out) if check["name"] == name)


def test_doctor_advises_nothing_that_follows_from_settings_it_could_not_read(paths, capsys):
    paths.prepare()
    paths.config_file.write_text("x")
    run(["doctor", "--json"])
    checks = {check["name"]: check for check in json.loads(capsys.readouterr().out)}
    assert not {"port", "secrets", "upstreams", "prices"} & set(checks)
    assert checks["the rest"]["state"] == "note"


def test_doctor_tells_each_trouble_on_a_line_of_its_own_and_none_twice(paths, capsys):
    paths.prepare()
    paths.config_file.write_text('[secrets]\nbackend = "file"\n')
    plain = f"Keys and tokens are in a plain file, {paths.secrets_file}, as the settings ask."
    status = msgspec.structs.replace(STATUS, trouble=["The disk is nearly full.", plain, "No key."])
    with admin_app(paths, Answers({api.GetStatus: status})):
        assert run(["doctor"]) == 0
    said = capsys.readouterr().out
    assert said.count(plain) == 1
    assert "note trouble: The disk is nearly full.\nnote trouble: No key.\n" in said


def test_doctor_names_where_logs_models_and_secrets_are(paths, capsys):
    assert str(paths.logs_dir) in doctor(capsys, "folders")["detail"]
    assert str(paths.models_dir) in doctor(capsys, "embedded model")["detail"]
    paths.prepare()
    paths.config_file.write_text('[secrets]\nbackend = "file"\n')
    assert str(paths.secrets_file) in doctor(capsys, "secrets")["detail"]


@pytest.mark.parametrize(("content", "words"), [('{"a":\n1,}', "line 2: it is no JSON"), ("[]", "no object")])
def test_doctor_says_what_is_wrong_with_a_secrets_file(paths, capsys, content: str, words: str):
    paths.prepare()
    paths.config_file.write_text('[secrets]\nbackend = "file"\n')
    paths.secrets_file.write_text(content)
    said = doctor(capsys, "secrets")
    assert said["state"] == "broken"
    assert words in said["detail"]


def test_doctor_says_where_prices_come_from(paths, capsys):
    paths.prepare()
    assert "you gave" in doctor(capsys, "prices")["detail"]
    paths.config_file.write_text('[upstreams.one]\nbase_url = "https://api.openai.com/v1"\n')
    assert "list prices from genai-prices 0." in doctor(capsys, "prices")["detail"]


def test_doctor_finds_a_token_that_is_not_kept(paths, capsys):
    paths.prepare()
    paths.config_file.write_text('[secrets]\nbackend = "file"\n[agents.claw]\n')
    assert "agent:claw" in doctor(capsys, "secrets")["detail"]


def test_settings_that_are_a_pipe_are_no_settings(paths, capsys):
    paths.prepare()
    os.mkfifo(paths.config_file)
    assert "is a pipe or a device" in doctor(capsys, "settings")["detail"]
    assert run(["serve"]) == 1
    assert "is a pipe or a device" in capsys.readouterr().err


def test_a_home_that_is_a_file_is_said(paths, capsys):
    paths.home.rmdir() if paths.home.exists() else None
    paths.home.write_text("")
    assert "is a file, where a folder belongs" in doctor(capsys, "folders")["detail"]
    assert run(["serve"]) == 1
    assert "there is a file where a folder belongs" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("variables", "missing"),
    [
        ({}, ""),
        ({"HTTPS_PROXY": "http://p:1"}, ""),
        ({"HTTP_PROXY": "http://p:1"}, "127.0.0.1, localhost, ::1"),
        ({"all_proxy": "socks5://p:1", "NO_PROXY": "localhost, .corp"}, "127.0.0.1, ::1"),
        (
            {"http_proxy": "http://u:hidden@p:1", "no_proxy": "127.0.0.1.evil,xlocalhost"},
            "127.0.0.1, localhost",
        ),
        ({"HTTP_PROXY": "http://p:1", "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "::1"}, ""),
        ({"HTTP_PROXY": "http://p:1", "NO_PROXY": "*"}, ""),
    ],
)
def test_doctor_knows_whether_agents_would_ask_a_proxy_for_us(
    paths, capsys, monkeypatch, variables: dict[str, str], missing: str
):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    said = doctor(capsys, "NO_PROXY")
    assert said["state"] == ("note" if missing else "fine")
    assert missing in said["detail"]
    assert "hidden" not in str(said)
    if "localhost, .corp" in variables.values():
        assert "export NO_PROXY=localhost,.corp,127.0.0.1,::1 no_proxy=" in said["remedy"]


def test_doctor_finds_a_store_that_is_none(paths, capsys):
    paths.prepare()
    paths.store_file.write_bytes(b"not a database, but long enough to be looked at " * 100)
    assert run(["doctor"]) == 1
    assert "BAD  store:" in capsys.readouterr().out


def test_the_models_are_listed_without_the_app(paths, capsys):
    assert run(["model", "list", "--json"]) == 0
    models = json.loads(capsys.readouterr().out)
    assert {"id", "bytes", "present", "licence"} <= set(models[0])


def test_help_and_version_are_no_errors(capsys):
    assert run(["--help"]) == 0
    assert run(["review", "--help"]) == 0
    assert run(["--version"]) == 0
    assert os.linesep + "metaclaw-tray, version" in capsys.readouterr().out
