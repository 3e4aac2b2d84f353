"""Paths in the conversation tree."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.chat import parse_request
from metaclaw_tray.wire.tree import Path, answer_node, path_of, root_of

KEY = b"k" * 32
SYSTEM = {"role": "system", "content": "Today is Tuesday."}
HELLO = {"role": "user", "content": "hello"}
ANSWER = {"role": "assistant", "content": "hi"}
MORE = {"role": "user", "content": "more"}


def path(*messages: dict[str, Any], key: bytes = KEY, agent: str = "a") -> Path:
    return path_of(parse_request(json.dumps({"messages": messages}).encode()), key, agent)


def test_a_longer_request_extends_the_path() -> None:
    first, second = path(HELLO), path(HELLO, ANSWER, MORE)
    assert second.nodes[0] == first.nodes[0]
    assert second.nodes[1] == answer_node(KEY, first.tip, ANSWER | {"refusal": None})
    assert second.openings == [0, 2]
    assert second.ends_with_the_person


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
    assert not empty.ends_with_the_person


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


@given(st.lists(MESSAGE, max_size=4))
def test_whatever_stands_in_a_message_it_has_a_node_or_is_a_wire_error(
    messages: list[dict[str, Any]],
) -> None:
    body = json.dumps({"messages": messages}).encode()
    try:
        request = parse_request(body)
        found = path_of(request, KEY, "a")
    except WireError:
        return
    assert len(found.nodes) == len(found.positions) <= len(messages)
    assert request.system_text is not None
    assert request.last_words == found.words
