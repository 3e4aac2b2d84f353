"""Streams of chat completions become streams of responses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaclaw_tray.wire.responses import RESPONSES
from metaclaw_tray.wire.translation.responses_answer import overflow_stream
from metaclaw_tray.wire.translation.responses_request import to_chat
from metaclaw_tray.wire.translation.responses_stream import ResponsesStream
from metaclaw_tray.wire.translation.thoughts import MARK
from metaclaw_tray.wire.translation.tool_text_answer import ToolTextStream
from wire.strange import rewritten, stream
from wire.translation.openai_side import (
    call,
    checked,
    chunk,
    client_of,
    events_of,
    kinds,
    names_of,
    request_of,
    streamed,
    translated,
)

READ = {"type": "function", "name": "read", "parameters": {"type": "object"}}
PATCH = {"type": "custom", "name": "apply_patch"}
SPAWN = {
    "type": "namespace",
    "name": "agents",
    "description": "Other agents.",
    "tools": [{"type": "function", "name": "spawn"}],
}
SEARCH = {"type": "tool_search", "execution": "client", "parameters": {"type": "object"}}
TEXT = (chunk({"role": "assistant", "content": ""}), chunk({"content": "Hel"}), chunk({"content": "lo"}))
USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 64},
    "completion_tokens_details": {"reasoning_tokens": 5},
}


def output_of(body: bytes) -> list[dict[str, Any]]:
    output: list[dict[str, Any]] = checked(body)[-1]["response"]["output"]
    return output


class TestTexts:
    def test_a_text_comes_as_it_grows(self) -> None:
        body = translated(*TEXT, chunk(finish="stop"))
        events = checked(body)
        assert kinds(events) == [
            "created",
            "in_progress",
            "output_item.added",
            "content_part.added",
            "output_text.delta",
            "output_text.delta",
            "output_text.done",
            "content_part.done",
            "output_item.done",
            "completed",
        ]
        assert [event["delta"] for event in events if "delta" in event] == ["Hel", "lo"]
        response = streamed(body)
        assert (response.output_text, response.status) == ("Hello", "completed")
        assert response.created_at == 1700000000

    def test_each_piece_is_sent_on_at_once(self) -> None:
        request = request_of("hi")
        machine = ResponsesStream(names_of([]), request)
        assert kinds(events_of(machine.feed(stream(TEXT[1]))))[-1] == "output_text.delta"

    def test_the_response_begins_when_the_upstream_does(self) -> None:
        machine = ResponsesStream(names_of([]), request_of("hi"))
        assert kinds(events_of(machine.feed(stream(TEXT[0])))) == ["created", "in_progress"]

    def test_white_space_alone_is_no_message(self) -> None:
        body = translated(chunk({"content": "\n\n"}), chunk(call(0, "{}", "c1", "read")), tools=[READ])
        assert [item["type"] for item in output_of(body)] == ["function_call"]

    def test_white_space_in_front_of_words_is_kept(self) -> None:
        body = translated(chunk({"content": "\n"}), chunk({"content": " x"}))
        assert streamed(body).output_text == "\n x"

    def test_a_refusal_is_a_part_of_its_own(self) -> None:
        body = translated(chunk({"content": "I "}), chunk({"refusal": "will not"}), chunk(finish="stop"))
        (message,) = output_of(body)
        assert [part["type"] for part in message["content"]] == ["output_text", "refusal"]
        assert message["content"][1]["refusal"] == "will not"

    def test_an_answer_without_anything_is_completed(self) -> None:
        assert streamed(translated(chunk(finish="stop"))).output == []


class TestThoughts:
    def test_thoughts_are_a_summary_before_the_answer(self) -> None:
        chunks = (chunk({"reasoning_content": "Let "}), chunk({"reasoning": "me see"}), *TEXT)
        thought, message = output_of(translated(*chunks, chunk(finish="stop")))
        assert thought["summary"] == [{"type": "summary_text", "text": "Let me see"}]
        assert "encrypted_content" not in thought
        assert message["content"][0]["text"] == "Hello"

    def test_a_client_that_keeps_nothing_else_gets_a_mark_to_send_back(self) -> None:
        body = translated(chunk({"reasoning_content": "x"}), include=["reasoning.encrypted_content"])
        assert output_of(body)[0]["encrypted_content"] == MARK


class TestCalls:
    def test_arguments_come_as_they_grow(self) -> None:
        """A21"""
        pieces = ('{"pa', 'th":"', "x" * 5000, '"}')
        chunks = (chunk(call(0, "", "c1", "read")), *(chunk(call(0, piece)) for piece in pieces))
        body = translated(*chunks, chunk(finish="tool_calls"), tools=[READ])
        events = checked(body)
        deltas = [each["delta"] for each in events if each["type"].endswith("arguments.delta")]
        assert deltas == list(pieces)
        (item,) = output_of(body)
        assert (item["call_id"], item["name"], item["arguments"]) == ("c1", "read", "".join(pieces))

    def test_arguments_that_come_only_at_the_end_come_whole(self) -> None:
        """B02"""
        chunks = (chunk(call(0, "", "c1", "read")), chunk(call(0, '{"path":"a"}'), "tool_calls"))
        (item,) = output_of(translated(*chunks, tools=[READ]))
        assert json.loads(item["arguments"]) == {"path": "a"}

    def test_a_call_without_arguments_has_an_empty_object(self) -> None:
        """B07"""
        body = translated(chunk(call(0, "", "c1", "read")), chunk(finish="tool_calls"), tools=[READ])
        assert output_of(body)[0]["arguments"] == "{}"
        deltas = [each["delta"] for each in checked(body) if each["type"].endswith("arguments.delta")]
        assert deltas == ["{}"]

    def test_calls_side_by_side_do_not_mix(self) -> None:
        """B01"""
        chunks = (
            *TEXT,
            chunk(call(0, '{"a"', "c1", "read")),
            chunk(call(1, '{"b"', "c2", "read")),
            chunk(call(0, ":1}")),
            chunk(call(1, ":2}")),
        )
        output = output_of(translated(*chunks, chunk(finish="tool_calls"), tools=[READ]))
        assert [item["type"] for item in output] == ["message", "function_call", "function_call"]
        assert [(item["call_id"], item["arguments"]) for item in output[1:]] == [
            ("c1", '{"a":1}'),
            ("c2", '{"b":2}'),
        ]

    def test_a_call_is_done_as_soon_as_the_next_begins(self) -> None:
        chunks = (chunk(call(0, "{}", "c1", "read")), chunk(call(1, "{}", "c2", "read")))
        events = checked(translated(*chunks, tools=[READ]))
        assert kinds(events, of="output_item")[:3] == [
            "output_item.added",
            "output_item.done",
            "output_item.added",
        ]

    def test_calls_under_one_index_and_without_ids_are_told_apart(self) -> None:
        chunks = (chunk(call(0, "{}", "", "read")), chunk(call(1, "{}", "", "read")))
        first, second = output_of(translated(*chunks, tools=[READ]))
        assert first["call_id"] != second["call_id"]
        repeated = (chunk(call(0, "{}", "same", "read")), chunk(call(1, "{}", "same", "read")))
        first, second = output_of(translated(*repeated, tools=[READ]))
        assert first["call_id"] == "same" != second["call_id"]

    def test_a_name_that_comes_late_is_waited_for(self) -> None:
        chunks = (chunk(call(0, '{"a":', "c1")), chunk(call(0, "1}", "", "read")))
        (item,) = output_of(translated(*chunks, tools=[READ]))
        assert (item["name"], item["arguments"]) == ("read", '{"a":1}')

    def test_a_tool_in_a_namespace_is_called_there(self) -> None:
        body = translated(chunk(call(0, "{}", "c1", "agents__spawn")), tools=[SPAWN])
        (item,) = output_of(body)
        assert (item["name"], item["namespace"]) == ("spawn", "agents")

    def test_a_model_that_leaves_the_namespace_away_is_understood(self) -> None:
        body = translated(chunk(call(0, "{}", "c1", "spawn")), tools=[SPAWN, READ])
        (item,) = output_of(body)
        assert (item["name"], item["namespace"]) == ("spawn", "agents")

    def test_a_tool_that_nobody_declared_stays_as_the_model_wrote_it(self) -> None:
        (item,) = output_of(translated(chunk(call(0, "{}", "c1", "dance")), tools=[SPAWN]))
        assert (item["name"], item.get("namespace")) == ("dance", None)

    def test_a_custom_tool_gets_its_text_as_it_grows(self) -> None:
        pieces = ('{"inp', 'ut": "*** Begin', "\\", "n\\u00e9\\ud83d", '\\ude00"', "}")
        chunks = (chunk(call(0, "", "c1", "apply_patch")), *(chunk(call(0, piece)) for piece in pieces))
        body = translated(*chunks, chunk(finish="tool_calls"), tools=[PATCH])
        (item,) = output_of(body)
        assert (item["type"], item["input"]) == ("custom_tool_call", "*** Begin\né😀")
        deltas = [each["delta"] for each in checked(body) if each["type"].endswith("input.delta")]
        assert deltas == ["*** Begin", "\né", "😀"]

    def test_calls_that_a_small_model_writes_as_text_are_calls(self) -> None:
        text = 'I look.\n<tool_call>{"name": "agents__spawn", "arguments": {"a": 1}}</tool_call>'
        chunks = [chunk({"content": text[at : at + 5]}) for at in range(0, len(text), 5)]
        request = request_of("hi", tools=[SPAWN])
        names = names_of([SPAWN])
        found, machine = ToolTextStream(names), ResponsesStream(names, request)
        body = found.feed(stream(*chunks, chunk(finish="stop"), done=True))
        message, item = output_of(machine.feed(body) + machine.feed(found.end()) + machine.end())
        assert message["content"][0]["text"].strip() == "I look."
        assert (item["name"], item["namespace"], item["arguments"]) == ("spawn", "agents", '{"a":1}')

    def test_a_search_for_tools_is_the_clients(self) -> None:
        body = translated(chunk(call(0, '{"query":"git"}', "c1", "tool_search")), tools=[SEARCH])
        (item,) = output_of(body)
        assert (item["type"], item["execution"]) == ("tool_search_call", "client")
        assert item["arguments"] == {"query": "git"}

    @pytest.mark.parametrize(("written", "expected"), [("{}", {}), ("", {}), ("git", {"query": "git"})])
    def test_a_search_always_has_an_object(self, written: str, expected: Any) -> None:
        body = translated(chunk(call(0, written, "c1", "tool_search"), "tool_calls"), tools=[SEARCH])
        assert output_of(body)[0]["arguments"] == expected


class TestEnds:
    def test_the_upstreams_usage_is_told(self) -> None:
        """A10"""
        usage = streamed(translated(*TEXT, chunk(finish="stop"), {"choices": [], "usage": USAGE})).usage
        assert usage is not None
        assert (usage.input_tokens, usage.output_tokens, usage.total_tokens) == (100, 20, 120)
        assert usage.input_tokens_details.cached_tokens == 64
        assert usage.output_tokens_details.reasoning_tokens == 5

    @pytest.mark.parametrize(
        "last",
        [
            {"usage": USAGE},
            {"choices": [{"index": 0, "delta": {}}], "usage": USAGE},
            {"choices": None, "usage": USAGE},
        ],
    )
    def test_usage_counts_wherever_it_stands(self, last: dict[str, Any]) -> None:
        """A11, A12"""
        usage = streamed(translated(*TEXT, chunk(finish="stop"), last)).usage
        assert usage is not None
        assert (usage.input_tokens, usage.input_tokens_details.cached_tokens) == (100, 64)

    def test_usage_is_estimated_where_the_upstream_does_not_count(self) -> None:
        usage = streamed(translated(*TEXT, chunk(finish="stop"))).usage
        assert usage is not None
        assert (usage.input_tokens, usage.output_tokens) == (7, 2)

    @pytest.mark.parametrize(
        ("finish", "reason"), [("length", "max_output_tokens"), ("content_filter", "content_filter")]
    )
    def test_an_answer_that_is_not_whole_says_so(self, finish: str, reason: str) -> None:
        last = checked(translated(*TEXT, chunk(finish=finish)))[-1]
        assert last["type"] == "response.incomplete"
        assert last["response"]["incomplete_details"] == {"reason": reason}
        assert last["response"]["output"][0]["status"] == "incomplete"

    def test_a_call_that_was_cut_by_the_limit_is_not_whole(self) -> None:
        chunks = (chunk(call(0, "{}", "c1", "read")), chunk(call(1, '{"a', "c2", "read"), "length"))
        output = output_of(translated(*chunks, tools=[READ]))
        assert [item["status"] for item in output] == ["completed", "incomplete"]

    def test_a_stream_without_its_done_is_completed_by_its_reason(self) -> None:
        """A08"""
        assert streamed(translated(*TEXT, chunk(finish="stop"), done=False)).output_text == "Hello"

    def test_a_stream_that_breaks_off_fails(self) -> None:
        """A17"""
        for count in range(len(TEXT) + 1):
            last = checked(translated(*TEXT[:count], done=False))[-1]
            assert last["type"] == "response.failed"
            assert last["response"]["error"]["code"] == "server_error"

    def test_what_was_done_before_the_failure_is_told_and_nothing_half(self) -> None:
        chunks = (*TEXT, chunk(call(0, '{"a', "c1", "read")))
        last = checked(translated(*chunks, tools=[READ], done=False))[-1]
        assert [item["type"] for item in last["response"]["output"]] == ["message"]

    @pytest.mark.parametrize("arguments", ["", '{"cmd": "rm -r /tmp'])
    def test_a_done_without_a_reason_in_the_middle_of_a_call_is_a_failure(self, arguments: str) -> None:
        chunks = (*TEXT, chunk(call(0, arguments, "c1", "read")))
        assert checked(translated(*chunks, tools=[READ]))[-1]["type"] == "response.failed"

    def test_a_done_without_a_reason_behind_whole_calls_is_an_end(self) -> None:
        chunks = (*TEXT, chunk(call(0, "{}", "c1", "read")))
        assert streamed(translated(*chunks, tools=[READ])).status == "completed"

    def test_a_model_that_failed_is_a_failure(self) -> None:
        last = checked(translated(*TEXT, chunk(finish="error")))[-1]
        assert last["response"]["error"]["message"] == "the upstream's model failed"

    def test_a_lost_upstream_fails_once(self) -> None:
        machine = ResponsesStream(names_of([]), request_of("hi"))
        body = machine.feed(stream(*TEXT)) + machine.failed("connection reset")
        assert checked(body)[-1]["response"]["error"]["message"] == "connection reset"
        assert machine.failed("again") + machine.end() + machine.feed(stream(*TEXT)) == b""

    def test_an_error_in_the_stream_is_told_in_the_upstreams_words(self) -> None:
        error = {"error": {"message": "Overloaded", "code": 529}}
        last = checked(translated(*TEXT, error))[-1]
        assert last["response"]["error"] == {"code": "server_error", "message": "Overloaded"}
        limited = {"error": {"message": "Slow down", "code": "rate_limit_exceeded"}}
        assert checked(translated(limited))[-1]["response"]["error"]["code"] == "rate_limit_exceeded"

    def test_nothing_follows_the_end(self) -> None:
        body = translated(*TEXT, chunk(finish="stop"), "data: [DONE]", *TEXT)
        assert kinds(checked(body), of="completed") == ["completed"]

    def test_signs_of_life_come_between_the_beginning_and_the_end(self) -> None:
        machine = ResponsesStream(names_of([]), request_of("hi"))
        assert machine.ping() == b""
        body = machine.feed(stream(TEXT[1])) + machine.ping()
        assert body.endswith(b"\n\n: ping\n\n")
        body += machine.feed(stream(chunk(finish="stop"), done=True))
        assert machine.ping() == b""
        assert streamed(body).output_text == "Hel"


class TestOverflow:
    BODY = json.dumps(
        {"error": {"message": "This model's maximum context length is 8 tokens", "code": 400}}
    ).encode()

    def test_a_conversation_that_is_too_long_is_told_in_the_stream(self) -> None:
        request = request_of("hi")
        body = overflow_stream(400, self.BODY, names_of([]), request)
        assert body is not None
        created, _, failed = events_of(body)
        assert created["type"] == "response.created"
        assert failed["type"] == "response.failed"
        assert failed["response"]["error"]["code"] == "context_length_exceeded"
        with client_of(body, "text/event-stream").responses.stream(input="hi", model="m") as events:
            last = list(events)[-1]
        assert last.type == "response.failed"

    def test_other_errors_stay_what_they_are(self) -> None:
        assert overflow_stream(400, b'{"error":{"message":"no"}}', names_of([]), request_of("hi")) is None


class TestHowItIsWritten:
    CHUNKS = (*TEXT, chunk(call(0, '{"a":"北😀"}', "c1", "read")), chunk(finish="tool_calls"))

    def test_all_ways_of_writing_the_stream_read_the_same(self) -> None:
        request = request_of("hi", tools=[READ])
        expected = translated(*self.CHUNKS, tools=[READ])
        for body in rewritten(stream(*self.CHUNKS, done=True)):
            names = to_chat(request, stream=True).names
            names.salt = "salt"
            machine = ResponsesStream(names, request, 7)
            assert machine.feed(body) + machine.end() == expected

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
    def test_cuts_anywhere_change_nothing(self, size: int) -> None:
        whole = translated(*self.CHUNKS, tools=[READ])
        assert translated(*self.CHUNKS, tools=[READ], size=size) == whole

    def test_a_request_written_over_lines_does_not_break_events(self) -> None:
        body = json.dumps({"model": "m", "input": "hi", "tools": [READ], "metadata": {"a": "b"}}, indent=2)
        request = RESPONSES.parse(body.encode())
        machine = ResponsesStream(names_of([READ]), request)
        found = checked(machine.feed(stream(*TEXT, done=True)))
        assert found[-1]["response"]["tools"] == [READ]
