"""Paths in the conversation tree."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.chat import CHAT
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.tree import Path, Reader, answer_node, root_of
from support.told import conversation

KEY = b"k" * 32
SYSTEM = {"role": "system", "content": "Today is Tuesday."}
HELLO = {"role": "user", "content": "hello"}
ANSWER = {"role": "assistant", "content": "hi"}
MORE = {"role": "user", "content": "more"}


def path(*messages: dict[str, Any], key: bytes = KEY, agent: str = "a") -> Path:
    request = CHAT.parse(json.dumps({"messages": messages}).encode())
    return Reader(key).path(CHAT, request, root_of(key, agent))


def test_a_longer_request_extends_the_path() -> None:
    first, second = path(HELLO), path(HELLO, ANSWER, MORE)
    assert second.nodes[0] == first.nodes[0]
    assert second.nodes[1] == answer_node(KEY, first.tip, ANSWER | {"refusal": None})
    assert second.openings == [0, 2]
    assert second.opening == len(second.nodes) - 1


def test_system_text_is_no_node_wherever_it_stands() -> None:
    mixed = path(SYSTEM, HELLO, {"role": "developer", "content": "late"}, ANSWER)
    assert mixed.nodes == path(HELLO, ANSWER).nodes
    assert mixed.positions == [1, 3]


def test_the_same_words_under_another_parent_are_another_node() -> None:
    assert path(MORE).nodes[0] != path(HELLO, ANSWER, MORE).nodes[2]


def test_agents_and_installations_share_no_nodes() -> None:
    nodes = {path(HELLO).tip, path(HELLO, agent="b").tip, path(HELLO, key=b"x").tip}
    assert len(nodes) == 3


def test_a_request_of_system_text_alone_is_an_empty_path() -> None:
    empty = path(SYSTEM)
    assert (empty.nodes, empty.opening, empty.tip) == ([], -1, root_of(KEY, "a"))


def test_a_tool_result_does_not_open_an_exchange() -> None:
    result = {"role": "tool", "tool_call_id": "1", "content": "ok"}
    assert path(HELLO, ANSWER, result).opening == 0


SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
JSON = SCALAR | st.lists(SCALAR, max_size=2) | st.dictionaries(st.text(max_size=3), SCALAR, max_size=2)


def mostly(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """As it should be, but for one time in eight."""
    return st.sampled_from([strategy] * 7 + [JSON]).flatmap(lambda chosen: chosen)


def record(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return mostly(st.fixed_dictionaries({}, optional={name: mostly(each) for name, each in fields.items()}))


PART = record(type=st.sampled_from(["text", "image_url"]), text=st.text(max_size=3), image_url=JSON)
CALL = record(id=st.just("1"), function=record(name=st.just("f"), arguments=st.just("{}")))
MESSAGE = record(
    role=st.sampled_from(["user", "assistant", "tool", "system"]),
    content=st.text(max_size=3) | st.lists(PART, max_size=2),
    tool_calls=st.lists(CALL, max_size=2),
    tool_call_id=st.just("1"),
)


@given(st.sampled_from(sorted(DIALECTS)), st.lists(MESSAGE, max_size=4))
def test_whatever_stands_in_a_message_it_has_a_node_or_is_a_wire_error(
    name: str, messages: list[dict[str, Any]]
) -> None:
    dialect = DIALECTS[name]
    try:
        request = dialect.parse(json.dumps({dialect.conversation: messages}).encode())
        found = Reader(KEY).path(dialect, request, root_of(KEY, "a"))
    except WireError:
        return
    assert len(found.nodes) == len(found.positions) == len(found.ids)
    assert len(conversation(dialect, request)) == len(found.nodes)
    assert all(0 <= place < len(found.nodes) for place in found.anchors)


def test_what_surrounds_the_person_is_no_root() -> None:
    """A client's first message may tell the date and the folder; the conversation begins with the person."""
    told = {"role": "user", "content": "<environment_context><cwd>/tmp</cwd></environment_context>"}
    rules = {"role": "user", "content": "# AGENTS.md instructions for /tmp\n\n<INSTRUCTIONS>x</INSTRUCTIONS>"}
    assert path(told, rules, HELLO).nodes == path(HELLO).nodes
    assert path(told, rules, HELLO).first == path(HELLO).first


def test_a_command_before_the_first_words_is_kept_and_is_not_what_begins() -> None:
    ran = {"role": "user", "content": "<bash-input>ls</bash-input>"}
    found = path(ran, HELLO, ANSWER, MORE)
    assert found.openings == [1, 3]
    assert found.first == found.nodes[1]


def test_after_a_summary_the_conversation_begins_with_it() -> None:
    summary = {"role": "user", "content": "This session is being continued from a previous conversation ..."}
    first, second = path(summary), path(summary, ANSWER, MORE)
    assert first.resumed
    assert second.resumed
    assert (first.openings, second.openings) == ([], [2])
    assert first.first == second.first == first.nodes[0]


def test_a_clients_own_errand_is_told_at_the_end_and_before_what_it_is_about() -> None:
    title = {"role": "user", "content": "Generate a title for this conversation:\n"}
    compact = {"role": "user", "content": "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools."}
    heartbeat = {"role": "user", "content": "Read HEARTBEAT.md if it exists (workspace context)."}
    assert path(title, HELLO).errand
    assert path(HELLO, ANSWER, compact).errand
    assert path(HELLO, ANSWER, heartbeat).errand
    assert not path(HELLO, ANSWER, heartbeat, ANSWER, MORE).errand
    assert path(HELLO, ANSWER, compact).openings == [0]
