"""Streams of chat completions become streams of messages that the official client understands."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import pytest

from metaclaw_tray.wire.sse import EventDecoder
from metaclaw_tray.wire.translation import thoughts
from metaclaw_tray.wire.translation.messages_request import to_chat
from metaclaw_tray.wire.translation.messages_stream import MessagesStream
from metaclaw_tray.wire.translation.names import Names
from wire.strange import rewritten
from wire.translation.anthropic_side import names_of, request_of, streamed
from wire.translation.chat_side import call, chat_stream, chunk, counted, said, thought

START = chunk({"role": "assistant", "content": ""})


def translated(body: bytes, names: Names | None = None, estimate: int = 0) -> bytes:
    machine = MessagesStream(names or Names("salt"), "claude", estimate)
    return machine.feed(body) + machine.end()


def events_of(body: bytes) -> list[dict[str, Any]]:
    return [json.loads(event.data) for event in EventDecoder().decode(body)]


def blocks_of(body: bytes) -> list[dict[str, Any]]:
    """The message's blocks, as the official client puts them together."""
    return [block.to_dict() for block in streamed(body).content]


class TestAnAnswer:
    def test_of_one_text(self) -> None:
        usage = counted(12, 2, prompt_tokens_details={"cached_tokens": 8})
        body = chat_stream(START, said("Hel"), said("lo."), chunk({}, "stop", usage=usage), finish=None)
        message = streamed(translated(body))
        assert message.id == "msg_chatcmpl7"
        assert message.model == "claude"
        assert message.stop_reason == "end_turn"
        assert [block.to_dict() for block in message.content] == [{"type": "text", "text": "Hello."}]
        assert message.usage.input_tokens == 4
        assert message.usage.cache_read_input_tokens == 8
        assert message.usage.output_tokens == 2

    def test_begins_with_the_upstreams_first_chunk(self) -> None:
        machine = MessagesStream(Names(), "claude", 77)
        begun = events_of(machine.feed(chat_stream(START, finish=None, done=False)))
        assert [event["type"] for event in begun] == ["message_start"]
        assert begun[0]["message"]["usage"]["input_tokens"] == 77

    @pytest.mark.parametrize("cut", range(1, 7))
    def test_with_characters_that_are_cut(self, cut: int) -> None:
        """A01"""
        body = chat_stream(said("北😀"))
        at = json_place = body.index(b"\\u5317")
        raw = body.replace(b"\\u5317\\ud83d\\ude00", "北😀".encode())
        assert json_place == at
        machine = MessagesStream(Names(), "claude")
        out = machine.feed(raw[: at + cut]) + machine.feed(raw[at + cut :]) + machine.end()
        assert blocks_of(out) == [{"type": "text", "text": "北😀"}]

    def test_of_nothing_is_a_message_without_blocks(self) -> None:
        assert streamed(translated(chat_stream(START))).content == []

    def test_has_no_block_of_white_space(self) -> None:
        body = chat_stream(START, said("\n\n"), call(0, "{}", "c1", "read"), said("\n"), finish="tool_calls")
        assert [block["type"] for block in blocks_of(translated(body))] == ["tool_use"]

    def test_keeps_white_space_before_words(self) -> None:
        body = chat_stream(thought("Hm."), said("\n\n"), said("Hi"))
        assert blocks_of(translated(body))[1] == {"type": "text", "text": "\n\nHi"}

    @pytest.mark.parametrize(
        ("finish", "reason"),
        [("stop", "end_turn"), ("length", "max_tokens"), ("content_filter", "refusal"), ("eos", "end_turn")],
    )
    def test_ends_for_the_upstreams_reason(self, finish: str, reason: str) -> None:
        assert streamed(translated(chat_stream(said("Hi"), finish=finish))).stop_reason == reason

    def test_that_refuses(self) -> None:
        message = streamed(translated(chat_stream(chunk({"refusal": "No."}))))
        assert message.stop_reason == "refusal"
        assert message.content[0].to_dict() == {"type": "text", "text": "No."}

    def test_is_the_same_however_the_stream_is_written(self) -> None:
        """A05, A07, A15"""
        body = chat_stream(START, thought("Hm."), said("Hi"), call(0, '{"a":1}', "c1", "read"))
        expected = blocks_of(translated(body))
        for other in rewritten(body):
            assert blocks_of(translated(other)) == expected


class TestUsage:
    @pytest.mark.parametrize(
        "last",
        [
            {"choices": [], "usage": counted(20000, 7, prompt_tokens_details={"cached_tokens": 15872})},
            {"usage": counted(20000, 7, prompt_tokens_details={"cached_tokens": 15872})},
            chunk({}, usage=counted(20000, 7, prompt_tokens_details={"cached_tokens": 15872})),
            {"choices": None, "usage": counted(20000, 7, prompt_cache_hit_tokens=15872)},
        ],
        ids=["no choices", "no field of choices", "with the last delta", "as DeepSeek counts"],
    )
    def test_comes_in_any_last_chunk_and_stays_with_us(self, last: Any) -> None:
        """A10, A11, A12"""
        out = translated(chat_stream(said("Hi"), chunk({}, "stop"), last, finish=None))
        usage = streamed(out).usage
        assert (usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens) == (4128, 15872, 7)
        assert b"choices" not in out

    def test_is_estimated_where_the_upstream_does_not_count(self) -> None:
        usage = streamed(translated(chat_stream(said("x" * 400)), estimate=1000)).usage
        assert (usage.input_tokens, usage.output_tokens) == (1000, 100)

    def test_tells_what_was_reasoning(self) -> None:
        counts = counted(5, 9, completion_tokens_details={"reasoning_tokens": 6})
        usage = streamed(translated(chat_stream(said("Hi"), {"choices": [], "usage": counts}))).usage
        assert usage.output_tokens_details is not None
        assert usage.output_tokens_details.thinking_tokens == 6


class TestCalls:
    def test_have_the_indices_of_their_blocks(self) -> None:
        """B01, B05"""
        body = chat_stream(
            said("Let me."),
            call(0, "", "c1", "read"),
            call(0, '{"a":'),
            call(0, "1}"),
            call(1, '{"b":2}', "c2", "write"),
            finish="tool_calls",
        )
        out = translated(body)
        assert blocks_of(out) == [
            {"type": "text", "text": "Let me."},
            {"type": "tool_use", "id": "c1", "name": "read", "input": {"a": 1}},
            {"type": "tool_use", "id": "c2", "name": "write", "input": {"b": 2}},
        ]
        assert streamed(out).stop_reason == "tool_use"
        indices = [(event["type"], event["index"]) for event in events_of(out) if "index" in event]
        starts = [index for kind, index in indices if kind == "content_block_start"]
        assert starts == [0, 1, 2]
        assert [index for _, index in indices] == sorted(index for _, index in indices)

    def test_stop_for_them_even_where_the_server_says_stop(self) -> None:
        assert streamed(translated(chat_stream(call(0, "{}", "c1", "read")))).stop_reason == "tool_use"

    def test_take_arguments_that_come_all_at_once(self) -> None:
        """B02"""
        out = translated(chat_stream(call(0, None, "c1", "read"), call(0, '{"path":"a"}')))
        deltas = [event["delta"] for event in events_of(out) if event["type"] == "content_block_delta"]
        assert deltas == [{"type": "input_json_delta", "partial_json": '{"path":"a"}'}]

    def test_take_arguments_that_are_an_object(self) -> None:
        piece = {"index": 0, "id": "c1", "function": {"name": "read", "arguments": {"a": 1}}}
        assert blocks_of(translated(chat_stream(chunk({"tool_calls": [piece]}))))[0]["input"] == {"a": 1}

    @pytest.mark.parametrize("arguments", [[], [""], ["", ""], [" "]])
    def test_without_arguments_are_an_empty_object_at_their_end(self, arguments: list[str]) -> None:
        """B07"""
        body = chat_stream(call(0, None, "c1", "read"), *[call(0, each) for each in arguments])
        out = translated(body)
        assert blocks_of(out)[0]["input"] == {}
        pieces = [
            event["delta"]["partial_json"]
            for event in events_of(out)
            if "delta" in event and "index" in event
        ]
        assert json.loads("".join(pieces)) == {}

    def test_are_forwarded_as_they_come(self) -> None:
        """A21"""
        machine = MessagesStream(Names(), "claude")
        machine.feed(chat_stream(call(0, '{"text":"', "c1", "write"), finish=None, done=False))
        for number in range(200):
            out = events_of(machine.feed(chat_stream(call(0, f"{number:025}"), finish=None, done=False)))
            assert [event["delta"]["partial_json"] for event in out] == [f"{number:025}"]
        rest = machine.feed(chat_stream(call(1, "{", "c2", "write"), finish=None, done=False))
        assert rest == b"", "the first may still grow"

    def test_a_second_one_is_forwarded_as_soon_as_the_first_is_whole(self) -> None:
        """A21"""
        machine = MessagesStream(Names(), "claude")
        machine.feed(chat_stream(call(0, "{}", "c1", "write"), finish=None, done=False))
        out = events_of(machine.feed(chat_stream(call(1, '{"a', "c2", "write"), finish=None, done=False)))
        assert [event["type"] for event in out] == [
            "content_block_stop",
            "content_block_start",
            "content_block_delta",
        ]

    def test_may_be_mixed(self) -> None:
        body = chat_stream(
            call(0, '{"a"', "c1", "one"),
            call(1, '{"b"', "c2", "two"),
            call(0, ":1}"),
            said("Both."),
            call(1, ":2}"),
        )
        assert blocks_of(translated(body)) == [
            {"type": "tool_use", "id": "c1", "name": "one", "input": {"a": 1}},
            {"type": "tool_use", "id": "c2", "name": "two", "input": {"b": 2}},
            {"type": "text", "text": "Both."},
        ]

    @pytest.mark.parametrize("index", [None, 0], ids=["missing", "all the same"])
    def test_are_told_apart_by_their_ids_where_indices_say_nothing(self, index: int | None) -> None:
        """B05"""
        body = chat_stream(call(index, '{"a":1}', "c1", "one"), call(index, '{"b":2}', "c2", "two"))
        assert [block["input"] for block in blocks_of(translated(body))] == [{"a": 1}, {"b": 2}]

    def test_have_ids_of_their_own_where_the_upstream_gives_none_or_one_for_all(self) -> None:
        none = chat_stream(call(0, "{}", "", "one"), call(1, "{}", "", "two"))
        same = chat_stream(call(0, "{}", "c", "one"), call(1, "{}", "c", "two"))
        for body in (none, same):
            one, two = blocks_of(translated(body))
            assert one["id"] != two["id"]
            again = blocks_of(translated(body, Names("another")))
            assert again[1]["id"] != two["id"]

    def test_an_id_that_does_not_fit_comes_back_to_the_upstream_as_it_was(self) -> None:
        block = blocks_of(translated(chat_stream(call(0, "{}", "functions.read:0", "read"))))[0]
        assert block["id"].isalnum()
        request = request_of([{"role": "assistant", "content": [block]}])
        sent = json.loads(to_chat(request, stream=False).body)["messages"][0]["tool_calls"][0]
        assert sent["id"] == "functions.read:0"

    def test_a_name_is_the_clients_again(self) -> None:
        name = "mcp.server/tool"
        names = names_of(name)
        body = chat_stream(call(0, "{}", "c1", next(iter(names))))
        assert blocks_of(translated(body, names))[0]["name"] == name

    def test_arguments_that_were_cut_are_given_as_they_came(self) -> None:
        body = chat_stream(call(0, '{"a": "b', "c1", "read"), finish="length")
        out = translated(body)
        assert [event["type"] for event in events_of(out)][-1] == "message_stop"
        assert b'{\\"a\\": \\"b' in out


class TestThoughts:
    @pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
    def test_are_one_block_before_the_rest_with_our_mark(self, field: str) -> None:
        """B09"""
        pieces = [chunk({field: "Let "}), chunk({field: "me see.\n"})]
        out = translated(chat_stream(START, *pieces, said("Hi."), call(0, "{}", "c1", "read")))
        blocks = blocks_of(out)
        assert blocks[0] == {"type": "thinking", "thinking": "Let me see.\n", "signature": thoughts.MARK}
        assert [block["type"] for block in blocks] == ["thinking", "text", "tool_use"]

    def test_come_back_to_the_upstream_byte_for_byte(self) -> None:
        """B09, B11"""
        blocks = blocks_of(translated(chat_stream(thought(" Let me\n"), call(0, "{}", "c1", "read"))))
        request = request_of([{"role": "assistant", "content": blocks}])
        sent = json.loads(to_chat(request, stream=False).body)["messages"][0]
        assert sent["reasoning_content"] == " Let me\n"
        assert sent["tool_calls"][0]["id"] == "c1"


class TestAStreamThatFails:
    @pytest.mark.parametrize("chunks", [[], [START], [said("Hi")], [call(0, '{"a"', "c1", "read")]])
    def test_is_never_ended_cleanly(self, chunks: list[Any]) -> None:
        """A17: clients take a clean end for a whole answer, and run the call."""
        out = translated(chat_stream(*chunks, finish=None, done=False))
        events = [event.name for event in EventDecoder().decode(out)]
        assert events[-1] == "error"
        assert "message_stop" not in events
        with pytest.raises(anthropic.APIStatusError, match="cut off"):
            streamed(out)

    @pytest.mark.parametrize("arguments", ["", '{"cmd": "rm -r /tmp'])
    def test_is_never_ended_cleanly_by_a_done_without_a_reason_in_the_middle_of_a_call(
        self, arguments: str
    ) -> None:
        out = translated(chat_stream(said("Hi"), call(0, arguments, "c1", "bash"), finish=None))
        assert events_of(out)[-1]["error"]["message"].endswith("cut off")

    def test_is_whole_where_a_done_without_a_reason_stands_behind_whole_calls(self) -> None:
        out = translated(chat_stream(said("Hi"), call(0, "{}", "c1", "bash"), finish=None))
        assert streamed(out).stop_reason == "tool_use"

    @pytest.mark.parametrize(
        ("more", "words"), [({}, "the upstream's model failed"), ({"error": {"message": "no GPU"}}, "no GPU")]
    )
    def test_by_the_reason_it_gives_for_its_end(self, more: Any, words: str) -> None:
        last = chunk({}, "error")
        last["choices"][0] |= more
        out = events_of(translated(chat_stream(said("Hi"), last, finish=None)))
        assert (out[-1]["type"], out[-1]["error"]["message"]) == ("error", words)

    def test_says_what_became_of_the_upstream(self) -> None:
        machine = MessagesStream(Names(), "claude")
        machine.feed(chat_stream(said("Hi"), finish=None, done=False))
        assert b"llama is gone" in machine.failed("llama is gone")
        assert machine.failed("again") == b""
        assert machine.feed(chat_stream(said("more"))) == b""
        assert machine.end() == b""

    def test_is_whole_once_the_upstream_said_why_it_ended(self) -> None:
        machine = MessagesStream(Names(), "claude")
        out = machine.feed(chat_stream(said("Hi"), done=False)) + machine.failed("reset")
        assert streamed(out).stop_reason == "end_turn"

    @pytest.mark.parametrize(
        ("error", "kind"),
        [
            ({"message": "no", "code": 529}, "overloaded_error"),
            ({"message": "no", "type": "overloaded_error"}, "overloaded_error"),
            ({"message": "no", "code": "rate_limit_exceeded"}, "rate_limit_error"),
            ({"message": "no", "code": 7}, "api_error"),
            ("no", "api_error"),
        ],
    )
    def test_passes_on_the_upstreams_own_words(self, error: Any, kind: str) -> None:
        """A19"""
        out = events_of(translated(chat_stream(said("Hi"), {"error": error}, finish=None)))
        assert out[-1] == {"type": "error", "error": {"type": kind, "message": "no"}}

    def test_tells_a_conversation_that_is_too_long(self) -> None:
        """B24"""
        error = {
            "code": 400,
            "type": "exceed_context_size_error",
            "message": "too big",
            "n_prompt_tokens": 9000,
        }
        out = events_of(translated(chat_stream({"error": {**error, "n_ctx": 8192}}, finish=None)))
        assert out[-1]["error"]["message"].startswith("prompt is too long: 9000 tokens > 8192 maximum")

    def test_of_what_is_no_json(self) -> None:
        assert events_of(translated(b"data: <html>\n\n"))[-1]["type"] == "error"


def test_signs_of_life_stand_between_events() -> None:
    """A14"""
    machine = MessagesStream(Names(), "claude")
    out = machine.ping() + machine.feed(chat_stream(said("Hi"), finish=None, done=False)) + machine.ping()
    out += machine.feed(chat_stream(said(" there"))) + machine.end()
    assert machine.ping() == b""
    assert out.startswith(b": ping\n\nevent: message_start\n")
    assert out.count(b"event: ping\n") == 1
    assert blocks_of(out) == [{"type": "text", "text": "Hi there"}]
