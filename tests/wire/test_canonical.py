"""One message, however it is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.canonical import canonical, canonical_answer, whole


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


def result(call_id: str, content: Any) -> bytes:
    return canonical({"role": "tool", "tool_call_id": call_id, "content": content})


def test_tool_results_differ_by_the_call_they_answer() -> None:
    assert result("a", "ok") != result("b", "ok")
    assert result("call_1", "ok") != result("call_1", "not ok")


@pytest.mark.parametrize(
    "call_id", ["toolu_01A09q90qw90lq917835lq9", "call_62136354b1c94e2a8f0d", "chatcmpl-tool-0f3b9c2e11d24a"]
)
def test_a_result_of_a_call_with_an_id_of_its_own_may_be_emptied_later(call_id: str) -> None:
    assert result(call_id, "four thousand lines") == result(call_id, "[Old tool result content cleared]")
    assert result(call_id, "ok") == result(call_id.replace("_", "").replace("-", ""), "ok")
    assert result(call_id, "ok") != result(call_id + "x", "ok")


@pytest.mark.parametrize(
    "call_id",
    [
        "functions.read_2024_report_3:12",
        "call_write_file_number_one",
        "call_read_2024_report_3_12",
        "toolu_000000000000000001",
        "call_00000000000000000000017",
    ],
)
def test_ids_that_servers_count_up_are_not_taken_for_unique(call_id: str) -> None:
    assert result(call_id, "a") != result(call_id, "b")


def test_a_call_with_an_id_of_its_own_is_known_by_it() -> None:
    def call(arguments: str) -> bytes:
        function = {"name": "edit", "arguments": arguments}
        return canonical_answer(
            {"role": "assistant", "tool_calls": [{"id": "call_62136354b1c94e2a8f0d", "function": function}]}
        )

    assert call('{"text": "a  "}') == call('{"text":"a"}')


def test_numbers_are_compared_as_javascript_prints_them() -> None:
    def call(arguments: str) -> bytes:
        function = {"name": "f", "arguments": arguments}
        return canonical({"role": "assistant", "tool_calls": [{"id": "1", "function": function}]})

    assert call('{"a": [1.0, 2.5, {"b": 1e3}]}') == call('{"a":[1,2.5,{"b":1000}]}')
    assert call('{"a": 2.5}') != call('{"a": 2}')


def test_outer_white_space_never_counts_but_in_results_of_tools() -> None:
    assert canonical({"role": "user", "content": " x\n"}) == canonical({"role": "user", "content": "x"})
    assert result("1", " x") != result("1", "x")


def test_parts_that_say_nothing_are_left_out_of_answers() -> None:
    parts = [
        {"type": "text", "text": "\n\n"},
        {"type": "text", "text": "a "},
        {"type": "refusal", "refusal": "no"},
    ]
    assert canonical_answer({"role": "assistant", "content": parts}) == canonical_answer(
        {"role": "assistant", "content": "a"}
    )


def test_what_passes_in_a_users_message_is_not_in_its_form() -> None:
    plain = canonical({"role": "user", "content": "fix it"})
    reminder = "<system-reminder>mind the rules</system-reminder>"
    for content in (
        f"fix it\n\n{reminder}",
        f"{reminder}\nfix it",
        [{"type": "text", "text": reminder}, {"type": "text", "text": "fix it"}],
        "[Mon 2026-11-30 22:06 UTC] fix it",
    ):
        assert canonical({"role": "user", "content": content}) == plain
    assert canonical({"role": "user", "content": reminder}) == b""


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


def test_the_whole_of_a_message_holds_what_its_place_leaves_out() -> None:
    told = "fix it <system-reminder>the key is under the mat</system-reminder>"
    call = {"id": "call_62136354b1c94e2a8f0d", "function": {"name": "f", "arguments": '{"a": 1}'}}
    other = {**call, "function": {"name": "f", "arguments": '{"a": 2}'}}
    for here, there in (
        ({"role": "user", "content": told}, {"role": "user", "content": "fix it"}),
        ({"role": "assistant", "tool_calls": [call]}, {"role": "assistant", "tool_calls": [other]}),
        (
            {"role": "tool", "tool_call_id": call["id"], "content": "four thousand lines"},
            {"role": "tool", "tool_call_id": call["id"], "content": "[cleared]"},
        ),
        (
            {"role": "assistant", "content": "a", "reasoning_content": "hm"},
            {"role": "assistant", "content": "a"},
        ),
    ):
        assert canonical(here) == canonical(there)
        assert whole(here) != whole(there)


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
    assert whole(message) == whole({key: again[key] for key in keys})


@given(MESSAGE)
def test_reading_an_answer_back_is_stable(message: dict[str, Any]) -> None:
    form = json.loads(canonical_answer(message))
    assert canonical_answer(form) == canonical_answer(message)
