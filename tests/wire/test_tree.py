"""Paths in the conversation tree."""

from __future__ import annotations

import json
from typing import Any

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
