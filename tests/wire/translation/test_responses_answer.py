"""Whole answers and errors of chat completions become those of responses."""

from __future__ import annotations

import json
from typing import Any

import openai
import pytest

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.translation.responses_answer import answer_from_chat, error_from_chat
from metaclaw_tray.wire.translation.responses_request import to_chat
from wire.translation.openai_side import asked, client_of, request_of

READ = {"type": "function", "name": "read", "parameters": {"type": "object"}, "strict": None}
PATCH = {"type": "custom", "name": "apply_patch"}
SPAWN = {"type": "function", "name": "spawn", "parameters": {"type": "object"}, "strict": None}
AGENTS = {"type": "namespace", "name": "agents", "description": "Others.", "tools": [SPAWN]}
USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 64},
    "completion_tokens_details": {"reasoning_tokens": 5},
}


def called(name: str, arguments: str, **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


def answered(message: Any, finish: Any = "stop", tools: Any = (READ, PATCH, AGENTS), **more: Any) -> Any:
    """The response to a request, as the official client reads it."""
    request = request_of("hi", tools=list(tools), **more)
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    body = {"id": "c", "object": "chat.completion", "created": 17, "choices": [choice], "usage": USAGE}
    names = to_chat(request, stream=False).names
    found = answer_from_chat(json.dumps(body).encode(), names, request)
    openai.types.responses.Response.model_validate_json(found, strict=True)
    return asked(client_of(found, "application/json"))


class TestAnswers:
    def test_a_text_is_a_message(self) -> None:
        response = answered({"content": "Hello"})
        assert (response.output_text, response.status, response.model) == ("Hello", "completed", "m")
        assert response.created_at == 17
        assert (response.usage.total_tokens, response.usage.input_tokens_details.cached_tokens) == (120, 64)

    def test_thoughts_texts_and_calls_keep_their_order(self) -> None:
        calls = [
            called("read", '{"a":1}', id="c1"),
            called("agents__spawn", "", id="c2"),
            called("apply_patch", '{"input":"x"}', id="c3"),
        ]
        message = {"content": "So", "reasoning_content": "Hm", "tool_calls": calls}
        thought, text, read, spawn, patch = answered(message, "tool_calls").output
        assert (thought.type, thought.summary[0].text) == ("reasoning", "Hm")
        assert text.content[0].text == "So"
        assert (read.call_id, read.name, read.arguments) == ("c1", "read", '{"a":1}')
        assert (spawn.name, spawn.namespace, spawn.arguments) == ("spawn", "agents", "{}")
        assert (patch.type, patch.name, patch.input) == ("custom_tool_call", "apply_patch", "x")

    def test_calls_without_ids_are_told_apart(self) -> None:
        first, second = answered({"tool_calls": [called("read", "{}"), called("read", "{}")]}).output
        assert first.call_id != second.call_id

    def test_arguments_that_are_an_object_are_written(self) -> None:
        message = {"tool_calls": [{"function": {"name": "read", "arguments": {"a": 1}}}]}
        assert json.loads(answered(message).output[0].arguments) == {"a": 1}

    def test_an_answer_that_is_not_whole_says_so(self) -> None:
        response = answered({"content": "Hel"}, "length")
        assert (response.status, response.incomplete_details.reason) == ("incomplete", "max_output_tokens")

    def test_the_response_repeats_what_was_asked(self) -> None:
        more = {
            "instructions": "Be brief.",
            "temperature": 0.5,
            "metadata": {"a": "b"},
            "tool_choice": "none",
        }
        response = answered({"content": "x"}, reasoning={"effort": "low"}, max_output_tokens=9, **more)
        assert (response.instructions, response.temperature) == ("Be brief.", 0.5)
        assert (response.metadata, response.tool_choice) == ({"a": "b"}, "none")
        assert (response.reasoning.effort, response.max_output_tokens) == ("low", 9)
        assert [tool.type for tool in response.tools] == ["function", "custom", "namespace"]

    @pytest.mark.parametrize(
        "body",
        [b"", b"<html>", b"[]", b"{}", b'{"choices":[]}', b'{"choices":[{}]}', b'{"error":{"message":"no"}}'],
    )
    def test_what_is_no_answer_is_an_error_of_the_wire(self, body: bytes) -> None:
        request = request_of("hi")
        with pytest.raises(WireError):
            answer_from_chat(body, to_chat(request, stream=False).names, request)

    def test_an_answer_of_a_model_that_failed_is_none(self) -> None:
        with pytest.raises(WireError, match="model failed"):
            answered({"content": "x"}, "error")


class TestErrors:
    @pytest.mark.parametrize(
        ("body", "words"),
        [
            (b'{"error":{"message":"Bad key","type":"auth","code":"invalid_api_key"}}', "Bad key"),
            (b'{"error":"Bad key"}', "Bad key"),
            (b'{"detail":"Bad key"}', "Bad key"),
            (b'{"object":"error","message":"Bad key","code":401}', "Bad key"),
            (b"Bad key", "Bad key"),
            (b"", "401"),
        ],
    )
    def test_the_upstreams_words_and_status_reach_the_client(self, body: bytes, words: str) -> None:
        status, found = error_from_chat(401, body)
        with pytest.raises(openai.AuthenticationError, match=words):
            asked(client_of(found, "application/json", status))

    def test_an_error_in_the_right_form_stays_as_it_is(self) -> None:
        error = {"message": "m", "type": "t", "param": "p", "code": "c"}
        assert json.loads(error_from_chat(429, json.dumps({"error": error}).encode())[1]) == {"error": error}

    @pytest.mark.parametrize(
        "words",
        [
            "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
            "the request exceeds the available context size, try increasing it",
            "prompt is too long: 9 tokens > 8 maximum",
            "Input is too long for requested model",
        ],
    )
    def test_a_conversation_that_is_too_long_has_the_code_that_clients_know(self, words: str) -> None:
        status, body = error_from_chat(400, json.dumps({"error": {"message": words}}).encode())
        error = json.loads(body)["error"]
        assert (status, error["code"], error["message"]) == (400, "context_length_exceeded", words)
