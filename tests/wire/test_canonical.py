"""One message, however it is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.canonical import canonical, canonical_answer


def test_a_string_equals_one_text_part() -> None:
    part = {"type": "text", "text": "hello", "cache_control": {"type": "ephemeral"}}
    assert canonical({"role": "user", "content": "hello"}) == canonical({"content": [part], "role": "user"})


@pytest.mark.parametrize("empty", [None, "", [], [{"type": "text", "text": ""}]])
def test_nothing_said_is_one_thing(empty: Any) -> None:
    calls = [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
    assert canonical({"role": "assistant", "content": empty, "tool_calls": calls}) == canonical(
        {"role": "assistant", "tool_calls": calls}
    )


def test_null_and_absent_keys_are_equal() -> None:
    assert canonical({"role": "user", "content": "x", "name": None, "tool_calls": None}) == canonical(
        {"role": "user", "content": "x"}
    )


def test_arguments_are_compared_as_values() -> None:
    def call(arguments: str | None) -> dict[str, Any]:
        return {
            "role": "assistant",
            "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": arguments}}],
        }

    assert canonical(call('{"a": 1, "b": [2]}')) == canonical(call('{"b":[2],"a":1}'))
    assert canonical(call("")) == canonical(call("{}")) == canonical(call(None))
    assert canonical(call('{"a": 1')) != canonical(call('{"a": 1}'))


def test_an_answer_equals_the_message_that_clients_send_back() -> None:
    answer: dict[str, Any] = {
        "role": "assistant",
        "content": "\n The date is 2026-03-03.\n",
        "refusal": None,
        "annotations": [],
        "audio": None,
        "reasoning_content": "thinking",
    }
    sent_back = {"role": "assistant", "content": [{"type": "text", "text": "The date is 2026-03-03."}]}
    assert canonical_answer(answer) == canonical(sent_back) == canonical(answer)


def test_tool_results_differ_by_the_call_they_answer() -> None:
    def result(call_id: str) -> bytes:
        return canonical({"role": "tool", "tool_call_id": call_id, "content": "ok"})

    assert result("a") != result("b")


def test_the_persons_white_space_counts() -> None:
    assert canonical({"role": "user", "content": " x"}) != canonical({"role": "user", "content": "x"})


def test_text_that_no_encoding_holds_is_a_wire_error() -> None:
    with pytest.raises(WireError):
        canonical({"role": "user", "content": "half an emoji: \ud83d"})


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
CONTENT = st.one_of(
    TEXT, st.lists(st.builds(lambda text: {"type": "text", "text": text, "detail": None}, TEXT), max_size=3)
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool"]), "content": CONTENT},
    optional={"name": st.none() | TEXT, "tool_call_id": TEXT, "refusal": st.none()},
)


@given(MESSAGE, st.randoms())
def test_order_of_keys_and_marks_of_caches_never_count(message: dict[str, Any], random: Any) -> None:
    again = json.loads(json.dumps(message))
    if isinstance(again["content"], str):
        again["content"] = [{"text": again["content"], "type": "text"}]
    for part in again["content"]:
        part["cache_control"] = {"type": "ephemeral"}
    keys = list(again)
    random.shuffle(keys)
    assert canonical(message) == canonical({key: again[key] for key in keys})


@given(MESSAGE)
def test_reading_an_answer_back_is_stable(message: dict[str, Any]) -> None:
    form = json.loads(canonical_answer(message))
    assert canonical_answer(form) == canonical_answer(message)
