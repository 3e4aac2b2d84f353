"""What known clients say of themselves."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict, CIMultiDictProxy

from metaclaw_tray.proxy.clients import Says, client_says
from metaclaw_tray.wire.dialects import DIALECTS
from proxy.clients_seen import (
    OTHER,
    SESSION,
    Seen,
    claude_code,
    claude_code_title,
    codex,
    hermes,
    openclaw,
    opencode,
    opencode_title,
)


def says(seen: Seen) -> Says:
    request = DIALECTS[seen.dialect].parse(json.dumps(seen.body).encode())
    return client_says(CIMultiDictProxy(CIMultiDict(seen.headers)), request)


def bare(seen: Seen) -> Seen:
    return Seen(seen.dialect, seen.body)


OLD_CLAUDE = {"user_id": f"user_{'0a' * 32}_account__session_{SESSION}"}


@pytest.mark.parametrize(
    ("seen", "session"),
    [
        (claude_code("hi"), SESSION),
        (bare(claude_code("hi")), SESSION),
        (bare(claude_code("hi")).with_body(metadata=OLD_CLAUDE), SESSION),
        (bare(claude_code("hi")).with_body(metadata={"user_id": "ann"}), ""),
        (codex("hi"), SESSION),
        (Seen("responses", codex("hi").body, {"session_id": SESSION}), SESSION),
        (bare(codex("hi")), SESSION),
        (bare(codex("hi")).with_body(prompt_cache_key="my-app"), ""),
        (bare(codex("hi")).with_body(conversation={"id": "conv_1"}), "conv_1"),
        (bare(codex("hi")).with_body(conversation="conv_2"), "conv_2"),
        (opencode("hi"), "ses_6a1f0c2e9b"),
        (openclaw("hi"), "s-1"),
        (openclaw("hi", "ok", "more", session="s-2"), "s-2"),
        (hermes("hi"), ""),
        (hermes("see sessionId=abc in the log"), ""),
        (hermes("hi").with_headers(X_Session_Id=" mine "), "mine"),
        (claude_code("hi").with_headers(X_Session_Id="mine"), "mine"),
        (claude_code("hi").with_headers(X_Session_Id=""), SESSION),
    ],
)
def test_a_clients_own_session_is_found(seen: Seen, session: str) -> None:
    assert says(seen).session == session
    assert not says(seen).side


def test_openclaw_tells_its_session_in_the_system_text_too() -> None:
    line = "x" * 40_000 + "\n## Runtime\nRuntime: agent=main | session=a | sessionId=s-3 | repo=C:\\tmp"
    body = {"system": [{"type": "text", "text": line}], "messages": [{"role": "user", "content": "hi"}]}
    assert says(Seen("messages", body)).session == "s-3"


def test_a_sub_agent_is_of_its_parents_session_and_no_turn_of_the_persons() -> None:
    told = claude_code("look").with_headers(X_Claude_Code_Agent_Id="agent-1")
    assert says(told) == Says(SESSION, True)
    assert says(claude_code("look", subagent=True)).side
    assert says(codex("look", thread=OTHER)) == Says(SESSION, True)
    child = opencode("look", session="ses_child", parent="ses_parent")
    assert says(child) == Says("ses_parent", True)


@pytest.mark.parametrize(
    "seen",
    [
        claude_code_title("fix it"),
        opencode_title("fix it"),
        codex("hi", kind="compaction"),
        claude_code("quota").with_body(max_tokens=1),
        hermes("ping").with_body(max_completion_tokens=1),
    ],
)
def test_a_clients_errands_are_known(seen: Seen) -> None:
    assert says(seen).side


def test_the_person_may_speak_of_titles_and_use_no_tools() -> None:
    assert not says(hermes("You are a title generator. Name my cat.")).side
    assert not says(codex("hi")).side, "some models of this client have their tools in an item"


def test_instructions_of_an_errand_with_tools_are_an_agents() -> None:
    system = {"role": "system", "content": "You are a title generator."}
    seen = opencode("hi")
    assert not says(seen.with_body(messages=[system, *seen.body["messages"][1:]])).side


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=6), inner, max_size=2),
    max_leaves=5,
)
NAMES = ("session-id", "x-session-id", "x-claude-code-agent-id", "x-codex-turn-metadata", "thread-id")
FIELDS = ("metadata", "system", "instructions", "prompt_cache_key", "conversation", "tools", "max_tokens")


@given(
    st.dictionaries(st.sampled_from(NAMES), st.text(max_size=12) | JSON.map(json.dumps)),
    st.dictionaries(st.sampled_from(FIELDS), JSON),
    st.lists(JSON, max_size=3),
)
def test_nothing_that_a_client_writes_is_an_error(
    headers: dict[str, str], fields: dict[str, Any], messages: list[Any]
) -> None:
    found = says(Seen("messages", {**fields, "messages": messages}, headers))
    assert isinstance(found.session, str)


@pytest.mark.parametrize("said", ['{"session_id": "\udce9"}', "[" * 20_000, "{" * 9_000, '"x"', "null"])
def test_headers_that_hold_no_json_say_nothing(said: str) -> None:
    seen = hermes("hi")
    assert says(Seen("chat", seen.body, {"x-codex-turn-metadata": said})) == Says()
