"""A skill that is for some agents only is left out for all others, and that is told."""

from __future__ import annotations

import sys
from typing import Any

from metaclaw_tray.skills.explain import Outcome, account
from metaclaw_tray.skills.live import LiveLibrary, build_snapshot, next_snapshot
from metaclaw_tray.skills.scopes import Scopes, agent_of
from skills.test_live import MAILS, PLENTY, TIMES, Choice

SCOPED = {"iso-times": frozenset({"codex", "hermes"})}


def library() -> LiveLibrary[Choice]:
    live = LiveLibrary(Choice)
    live.replace(build_snapshot(7, [TIMES, MAILS], scoped=SCOPED))
    return live


def chosen(live: LiveLibrary[Choice], session_id: str) -> tuple[str, ...]:
    found = live.choose("what time is the deadline", frozenset(), 2, PLENTY, 60.0, session_id)
    return found.skills if found else ()


def test_only_the_agents_that_are_named_get_it() -> None:
    live = library()
    assert chosen(live, "codex/one") == ("iso-times@3",)
    assert chosen(live, "hermes/0123456789abcdef.0") == ("iso-times@3",)
    assert chosen(live, "claude-code/one") == ()
    assert chosen(live, "codex-cli/one") == ()
    assert chosen(live, "") == ()


def test_a_scope_that_is_taken_back_lets_all_have_it() -> None:
    live = library()
    live.replace(next_snapshot(live.snapshot, 8, [], [], {}))
    assert chosen(live, "claude-code/one") == ("iso-times@3",)


def test_a_skill_for_all_is_as_it_was() -> None:
    live = library()
    for agent in ("codex", "claude-code"):
        found = live.choose("write a mail, a letter", frozenset(), 2, PLENTY, 60.0, f"{agent}/one")
        assert found is not None
        assert found.skills == ("polite-mail@1",)


def test_what_each_agent_does_not_get_is_worked_out_before_it_asks() -> None:
    scopes = Scopes({f"skill-{number}": frozenset({"codex"}) for number in range(10_000)})
    calls = 0

    def count(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        hidden, none = scopes.hidden("hermes"), scopes.hidden("codex")
    finally:
        sys.setprofile(None)
    assert (len(hidden), len(none), calls) == (10_000, 0, 2)


def test_the_telling_names_whom_it_is_for() -> None:
    live = library().snapshot
    told = account(live, "what time is the deadline", frozenset(), 2, PLENTY, agent="claude-code")
    reason = next(each for each in told.reasons if each.name == "iso-times")
    assert (reason.outcome, reason.why) == (Outcome.OTHER_AGENT, "is for codex, hermes only")
    told = account(live, "what time is the deadline", frozenset(), 2, PLENTY, agent="codex")
    assert told.reasons[0].outcome == Outcome.CHOSEN
    told = account(live, "what time is the deadline", frozenset(), 2, PLENTY)
    assert told.reasons[0].outcome == Outcome.CHOSEN


def test_the_agent_stands_first_in_a_sessions_id() -> None:
    assert agent_of("codex/a/b") == "codex"
    assert agent_of("") == ""
