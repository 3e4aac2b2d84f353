"""Whole answers of chat completions, and errors, become those of messages."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import pytest

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.translation import thoughts
from metaclaw_tray.wire.translation.messages_answer import answer_from_chat, error_from_chat
from metaclaw_tray.wire.translation.names import Names
from wire.strange import PLAIN
from wire.translation.anthropic_side import asked, client_of, names_of
from wire.translation.chat_side import chat_answer, counted, whole_call


def answered(body: bytes, names: Names | None = None) -> dict[str, Any]:
    """The answer as the official client reads it."""
    client = client_of(answer_from_chat(body, names or Names("salt"), "claude", 50), PLAIN)
    return asked(client).to_dict()


class TestAnAnswer:
    def test_with_everything(self) -> None:
        message = {
            "reasoning_content": "Hm.",
            "content": "Let me.",
            "tool_calls": [whole_call("c1", "read", '{"a": 1.0}'), whole_call("c2", "write", "")],
        }
        usage = counted(100, 20, prompt_tokens_details={"cached_tokens": 60})
        assert answered(chat_answer(message, "tool_calls", usage=usage)) == {
            "id": "msg_chatcmpl7",
            "type": "message",
            "role": "assistant",
            "model": "claude",
            "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": thoughts.MARK},
                {"type": "text", "text": "Let me."},
                {"type": "tool_use", "id": "c1", "name": "read", "input": {"a": 1.0}},
                {"type": "tool_use", "id": "c2", "name": "write", "input": {}},
            ],
            "stop_reason": "tool_use",
            "stop_sequence": None,
            "usage": {
                "input_tokens": 40,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 60,
                "output_tokens": 20,
            },
        }

    @pytest.mark.parametrize("content", [None, "", "\n", []])
    def test_of_nothing_has_no_blocks(self, content: Any) -> None:
        assert answered(chat_answer({"content": content}))["content"] == []

    def test_in_parts_is_one_text(self) -> None:
        parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
        assert answered(chat_answer({"content": parts}))["content"] == [{"type": "text", "text": "ab"}]

    def test_that_was_not_counted_is_estimated(self) -> None:
        usage = answered(chat_answer({"content": "x" * 360}))["usage"]
        assert usage["input_tokens"] == 50
        assert 80 < usage["output_tokens"] < 120

    @pytest.mark.parametrize("arguments", ['{"a": ', "[1]", '"a"', '{"a":"\\ud83d"}', "{" * 5000])
    def test_with_strange_arguments_is_an_answer_all_the_same(self, arguments: str) -> None:
        block = answered(chat_answer({"tool_calls": [whole_call("c", "f", arguments)]}))["content"][0]
        assert isinstance(block["input"], dict)

    def test_numbers_in_arguments_are_kept(self) -> None:
        call = whole_call("c", "f", '{"n": 123456789012345678901234567890}')
        body = answer_from_chat(chat_answer({"tool_calls": [call]}), Names(), "claude")
        assert b'"input":{"n": 123456789012345678901234567890}' in body

    def test_ids_are_the_calls_own(self) -> None:
        calls = [whole_call("c", "f", "{}"), whole_call("c", "f", "{}"), {"function": {"name": "f"}}]
        ids = [block["id"] for block in answered(chat_answer({"tool_calls": calls}))["content"]]
        assert len(set(ids)) == 3
        assert ids[0] == "c"

    def test_names_are_the_clients_again(self) -> None:
        names = names_of("mcp.tool")
        body = chat_answer({"tool_calls": [whole_call("c", next(iter(names)), "{}")]})
        assert answered(body, names)["content"][0]["name"] == "mcp.tool"

    @pytest.mark.parametrize(
        "body",
        [b"", b"<html>", b"[]", b"{}", b'{"choices":[]}', b'{"choices":[{"message":null}]}', b"{" * 9999],
    )
    def test_that_is_none_is_an_error(self, body: bytes) -> None:
        with pytest.raises(WireError):
            answer_from_chat(body, Names(), "claude")

    def test_that_is_an_error_says_it(self) -> None:
        with pytest.raises(WireError, match="out of memory"):
            answer_from_chat(b'{"error":{"message":"out of memory"}}', Names(), "claude")
        with pytest.raises(WireError, match="the upstream's model failed"):
            answer_from_chat(chat_answer({"content": "x"}, "error"), Names(), "claude")


class TestErrors:
    @pytest.mark.parametrize(
        ("status", "expected"),
        [
            (400, anthropic.BadRequestError),
            (401, anthropic.AuthenticationError),
            (403, anthropic.PermissionDeniedError),
            (404, anthropic.NotFoundError),
            (413, anthropic.APIStatusError),
            (429, anthropic.RateLimitError),
            (500, anthropic.InternalServerError),
            (529, anthropic.InternalServerError),
        ],
    )
    def test_keep_their_status_and_words(self, status: int, expected: type[anthropic.APIStatusError]) -> None:
        there, body = error_from_chat(status, b'{"error":{"message":"the words","type":"x","code":"y"}}')
        with pytest.raises(expected, match="the words"):
            asked(client_of(body, PLAIN, there))
        assert there == status

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"<html>Bad gateway</html>",
            b"[]",
            b"\xff\xfe",
            b'{"detail":"x"}',
            b'{"error":null}',
            b"{" * 9999,
        ],
    )
    def test_of_any_kind_are_errors_of_messages(self, body: bytes) -> None:
        status, there = error_from_chat(502, body)
        value = json.loads(there)
        assert status == 502
        assert value["type"] == "error"
        assert value["error"]["type"] == "api_error"
        assert value["error"]["message"]

    @pytest.mark.parametrize(
        "error",
        [
            {
                "code": 400,
                "type": "exceed_context_size_error",
                "message": "request (9000 tokens) exceeds the available context size (8192 tokens)",
                "n_prompt_tokens": 9000,
                "n_ctx": 8192,
            },
            {
                "code": "context_length_exceeded",
                "message": "This model's maximum context length is 8192 tokens. However, your "
                "messages resulted in 9000 tokens. Please reduce the length of the messages.",
            },
        ],
        ids=["llama.cpp", "OpenAI"],
    )
    @pytest.mark.parametrize("status", [400, 500])
    def test_a_conversation_that_is_too_long_is_said_in_the_words_that_clients_know(
        self, error: Any, status: int
    ) -> None:
        """B24"""
        there, body = error_from_chat(status, json.dumps({"error": error}).encode())
        assert there == 400
        value = json.loads(body)["error"]
        assert value["type"] == "invalid_request_error"
        assert value["message"].startswith("prompt is too long: 9000 tokens > 8192 maximum")
        assert error["message"] in value["message"]

    def test_even_where_the_numbers_are_missing(self) -> None:
        """B24"""
        _, body = error_from_chat(400, b'{"error":{"message":"prompt is too long"}}')
        assert json.loads(body)["error"]["message"].startswith("prompt is too long")
