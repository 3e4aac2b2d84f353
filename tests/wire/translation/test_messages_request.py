"""Requests of messages become requests of chat completions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaclaw_tray.wire.translation import call_ids, thoughts
from metaclaw_tray.wire.translation.messages_request import to_chat
from metaclaw_tray.wire.translation.names import Tool
from metaclaw_tray.wire.translation.refusal import Untranslatable
from wire.translation.anthropic_side import chat_of, request_of

PERSON = {"role": "user", "content": "hello"}
USE = {"type": "tool_use", "id": "toolu_1", "name": "read", "input": {"path": "a"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "text"}
PIXEL = {"type": "base64", "media_type": "image/jpeg", "data": "aGVsbG8="}
IMAGE = {"type": "image", "source": PIXEL}


def messages_of(*messages: Any, **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chat_of(list(messages), **more)["messages"]
    return found


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def thinking(words: str, signature: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, "signature": signature}


class TestWhatStaysAndWhatGoes:
    def test_a_plain_request_says_the_same(self) -> None:
        chat = chat_of(
            [PERSON], temperature=0.5, top_p=0.9, top_k=4, stop_sequences=["END"], system="Be brief."
        )
        assert chat == {
            "model": "claude",
            "messages": [{"role": "system", "content": "Be brief."}, PERSON],
            "max_tokens": 100,
            "temperature": 0.5,
            "top_p": 0.9,
            "top_k": 4,
            "stop": ["END"],
            "stream": False,
        }

    def test_hints_are_left_away(self) -> None:
        hints = {
            "metadata": {"user_id": "u"},
            "service_tier": "auto",
            "thinking": {"type": "adaptive"},
            "context_management": {"edits": []},
            "output_config": {"effort": "max"},
            "container": None,
            "cache_control": {"type": "ephemeral"},
        }
        assert chat_of([PERSON], **hints) == chat_of([PERSON])

    def test_the_usage_is_asked_for_on_streams_only(self) -> None:
        """A10"""
        body = json.loads(to_chat(request_of([PERSON]), stream=True).body)
        assert body["stream"] is True
        assert body["stream_options"] == {"include_usage": True}
        assert "stream_options" not in chat_of([PERSON])

    @pytest.mark.parametrize("asked", [1, 131072, 10**9])
    def test_the_length_of_the_answer_is_the_clients_own(self, asked: int) -> None:
        """B23"""
        assert chat_of([PERSON], max_tokens=asked)["max_tokens"] == asked

    @pytest.mark.parametrize("effort", ["low", "medium", "high"])
    def test_effort_goes_along_where_it_is_said(self, effort: str) -> None:
        assert chat_of([PERSON], output_config={"effort": effort})["reasoning_effort"] == effort

    def test_the_form_of_the_answer_goes_along(self) -> None:
        schema = {"type": "object", "properties": {"title": {"type": "string"}}}
        chat = chat_of([PERSON], output_config={"format": {"type": "json_schema", "schema": schema}})
        assert chat["response_format"]["type"] == "json_schema"
        assert chat["response_format"]["json_schema"]["schema"] == schema

    @pytest.mark.parametrize(
        ("field", "messages", "more"),
        [
            ("container", [], {"container": "c"}),
            ("mcp_servers", [], {"mcp_servers": [{"url": "x"}]}),
            (
                "tools[1].type",
                [],
                {"tools": [{"name": "a"}, {"type": "web_search_20250305", "name": "web_search"}]},
            ),
            ("tools[0].type", [], {"tools": [{"type": "bash_20250124", "name": "bash"}]}),
            ("tool_choice", [], {"tools": [{"name": "a"}], "tool_choice": {"type": "best"}}),
            ("output_config.format", [], {"output_config": {"format": {"type": "xml"}}}),
            ("messages[0].role", [{"role": "judge", "content": ""}], {}),
            ("messages[0].content[0].source.type", [user({"type": "image", "source": {"type": "file"}})], {}),
            (
                "messages[0].content[0].source.type",
                [user({"type": "document", "source": {"type": "url"}})],
                {},
            ),
            (
                "messages[0].content[1].type",
                [user(text("a"), {"type": "container_upload", "file_id": "f"})],
                {},
            ),
            ("messages[0].content[0].type", [assistant({"type": "server_tool_use", "id": "s"})], {}),
            (
                "messages[0].content[0].content[0].type",
                [user({**RESULT, "content": [{"type": "sound"}]})],
                {},
            ),
        ],
    )
    def test_what_cannot_be_said_is_refused_by_name(self, field: str, messages: Any, more: Any) -> None:
        with pytest.raises(Untranslatable) as refused:
            chat_of(messages, **more)
        assert refused.value.field == field
        assert field in str(refused.value)

    def test_half_an_emoji_becomes_a_character_that_every_server_takes(self) -> None:
        assert (
            messages_of({"role": "user", "content": "\ud83d \ue0b0 😀"})[0]["content"] == "\ufffd \ue0b0 😀"
        )


class TestTools:
    def test_a_tool_is_a_function(self) -> None:
        schema = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {}}
        tool = {
            "name": "read",
            "description": "Reads.",
            "input_schema": schema,
            "cache_control": {},
            "strict": True,
        }
        assert chat_of([PERSON], tools=[tool])["tools"] == [
            {
                "type": "function",
                "function": {
                    "name": "read",
                    "description": "Reads.",
                    "parameters": {"type": "object", "properties": {}},
                    "strict": True,
                },
            }
        ]

    def test_deferred_tools_are_there_from_the_beginning(self) -> None:
        tools = [
            {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"},
            {"name": "late", "input_schema": {}, "defer_loading": True},
            {"name": "DeferredToolPlaceholder", "input_schema": {}, "defer_loading": True},
        ]
        assert [tool["function"]["name"] for tool in chat_of([PERSON], tools=tools)["tools"]] == ["late"]

    def test_no_tools_are_no_list(self) -> None:
        chat = chat_of([PERSON], tools=[], tool_choice={"type": "any"})
        assert "tools" not in chat
        assert "tool_choice" not in chat

    @pytest.mark.parametrize(
        ("choice", "there"),
        [
            ({"type": "auto"}, {"tool_choice": "auto"}),
            ({"type": "any"}, {"tool_choice": "required"}),
            ({"type": "none"}, {"tool_choice": "none"}),
            (
                {"type": "tool", "name": "read"},
                {"tool_choice": {"type": "function", "function": {"name": "read"}}},
            ),
            (
                {"type": "auto", "disable_parallel_tool_use": True},
                {"tool_choice": "auto", "parallel_tool_calls": False},
            ),
        ],
    )
    def test_the_choice_of_tools(self, choice: Any, there: Any) -> None:
        chat = chat_of([PERSON], tools=[{"name": "read"}], tool_choice=choice)
        assert {key: chat[key] for key in ("tool_choice", "parallel_tool_calls") if key in chat} == there

    def test_a_name_that_does_not_fit_is_the_same_in_tools_choice_and_history(self) -> None:
        name = "mcp.server/" + "long" * 30
        use = {**USE, "name": name}
        tool = {"name": name, "input_schema": {}}
        request = request_of([assistant(use)], tools=[tool], tool_choice={"type": "tool", "name": name})
        translated = to_chat(request, stream=False)
        chat = json.loads(translated.body)
        there = chat["tools"][0]["function"]["name"]
        assert len(there) <= 64
        assert there == chat["tool_choice"]["function"]["name"]
        assert there == chat["messages"][0]["tool_calls"][0]["function"]["name"]
        assert translated.names.from_chat(there) == Tool(name)


class TestInstructions:
    def test_system_blocks_stay_in_order(self) -> None:
        """B19: chat completions have no place for the marker, which is a hint."""
        system = [text("one"), text("two", cache_control={"type": "ephemeral", "ttl": "1h"})]
        assert messages_of(PERSON, system=system)[0] == {"role": "system", "content": "one\n\ntwo"}

    def test_the_clients_line_of_accounting_does_not_spoil_the_upstreams_cache(self) -> None:
        system = [text("x-anthropic-billing-header: cc_version=2.1.abc;"), text("You are Claude Code.")]
        assert messages_of(PERSON, system=system)[0]["content"] == "You are Claude Code."

    def test_a_system_message_before_the_first_answer_joins_the_first(self) -> None:
        """B27"""
        more = {"role": "system", "content": [text("environment")]}
        assert messages_of(PERSON, more, system="base") == [
            {"role": "system", "content": "base\n\nenvironment"},
            PERSON,
        ]

    def test_a_later_one_is_a_reminder_where_it_stands(self) -> None:
        """B27: what stood before it is still the same for the upstream's cache."""
        before = messages_of(PERSON, assistant(text("hi")), system="base")
        after = messages_of(
            PERSON, assistant(text("hi")), {"role": "system", "content": "new"}, system="base"
        )
        assert after[: len(before)] == before
        assert after[-1] == {"role": "user", "content": "<system-reminder>\nnew\n</system-reminder>"}

    def test_it_does_not_part_a_call_from_its_result(self) -> None:
        roles = [
            message["role"]
            for message in messages_of(assistant(USE), {"role": "system", "content": "new"}, user(RESULT))
        ]
        assert roles == ["assistant", "tool", "user"]

    def test_four_markers_add_none(self) -> None:
        """B20"""
        marked = [text("a", cache_control={"type": "ephemeral"})] * 4
        assert b"cache_control" not in to_chat(request_of([user(*marked)], system=marked), stream=False).body


class TestCallsAndResults:
    def test_a_call_and_its_result(self) -> None:
        assert messages_of(assistant(text("Let me."), USE), user(RESULT)) == [
            {
                "role": "assistant",
                "content": "Let me.",
                "tool_calls": [
                    {
                        "id": "toolu_1",
                        "type": "function",
                        "function": {"name": "read", "arguments": '{"path": "a"}'},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "toolu_1", "content": "text"},
        ]

    def test_arguments_are_kept_digit_for_digit(self) -> None:
        use = {**USE, "input": {"n": 123456789012345678901234567890, "f": 1.0}}
        arguments = messages_of(assistant(USE, use))[0]["tool_calls"][1]["function"]["arguments"]
        assert arguments == '{"n": 123456789012345678901234567890, "f": 1.0}'

    @pytest.mark.parametrize("nothing", [{}, None])
    def test_a_call_without_arguments_has_an_object_of_them(self, nothing: Any) -> None:
        """B07"""
        use = {**USE, "input": nothing}
        assert messages_of(assistant(use))[0]["tool_calls"][0]["function"]["arguments"] == "{}"

    def test_parallel_results_come_first_and_in_their_order(self) -> None:
        second = {**USE, "id": "toolu_2"}
        results = [text("and now?"), {**RESULT, "tool_use_id": "toolu_2"}, RESULT]
        found = messages_of(assistant(USE, second), user(*results))
        assert [message.get("tool_call_id") for message in found] == [None, "toolu_2", "toolu_1", None]
        assert found[-1] == {"role": "user", "content": "and now?"}

    def test_results_in_two_messages_stand_together(self) -> None:
        second = {**USE, "id": "toolu_2"}
        found = messages_of(
            assistant(USE, second), user(RESULT, text("one")), user({**RESULT, "tool_use_id": "toolu_2"})
        )
        assert [message["role"] for message in found] == ["assistant", "tool", "tool", "user"]

    def test_two_messages_of_the_model_that_call_are_one(self) -> None:
        second = {**USE, "id": "toolu_2"}
        found = messages_of(
            assistant(USE), assistant(second), user(RESULT, {**RESULT, "tool_use_id": "toolu_2"})
        )
        assert [message["role"] for message in found] == ["assistant", "tool", "tool"]
        assert [call["id"] for call in found[0]["tool_calls"]] == ["toolu_1", "toolu_2"]

    @pytest.mark.parametrize(
        ("said", "there"),
        [
            ("no such file", "Error: no such file"),
            ("Error: no", "Error: no"),
            ("<tool_use_error>no</tool_use_error>", "<tool_use_error>no</tool_use_error>"),
        ],
    )
    def test_a_failure_says_that_it_is_one(self, said: str, there: str) -> None:
        assert messages_of(user({**RESULT, "content": said, "is_error": True}))[0]["content"] == there

    def test_a_tool_that_was_found_is_named(self) -> None:
        found = {"type": "tool_reference", "tool_name": "Grep"}
        assert "Grep" in messages_of(user({**RESULT, "content": [found]}))[0]["content"]

    def test_an_id_that_did_not_fit_is_the_upstreams_own_again(self) -> None:
        spelled = call_ids.to_client("functions.read:0", "salt")
        found = messages_of(assistant({**USE, "id": spelled}), user({**RESULT, "tool_use_id": spelled}))
        assert found[0]["tool_calls"][0]["id"] == found[1]["tool_call_id"] == "functions.read:0"


class TestPicturesAndDocuments:
    def test_a_picture_is_a_data_url(self) -> None:
        assert messages_of(user(text("What is this?"), IMAGE))[0]["content"] == [
            text("What is this?"),
            {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,aGVsbG8="}},
        ]

    def test_a_picture_in_a_result_follows_the_results(self) -> None:
        """B12"""
        second = {**USE, "id": "toolu_2"}
        seen = {**RESULT, "content": [text("a.jpg"), IMAGE]}
        found = messages_of(
            assistant(USE, second), user(seen, {**RESULT, "tool_use_id": "toolu_2"}, text("Well?"))
        )
        assert [message["role"] for message in found] == ["assistant", "tool", "tool", "user"]
        assert found[1]["content"] == "a.jpg\n\n[image 1 of the tools' results follows]"
        assert found[3]["content"] == [
            text("[image 1 of the tools' results]"),
            {"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,aGVsbG8="}},
            text("Well?"),
        ]

    def test_a_blind_model_gets_a_line_and_never_the_bytes(self) -> None:
        """B12"""
        seen = user({**RESULT, "content": [IMAGE]}, IMAGE)
        body = to_chat(request_of([seen]), stream=False, images=False).body
        assert b"aGVsbG8=" not in body
        assert body.count(b"cannot see") == 2

    def test_documents(self) -> None:
        plain = {"type": "document", "title": "T", "source": {"type": "text", "data": "words"}}
        made = {"type": "document", "source": {"type": "content", "content": [text("inner")]}}
        pdf = {
            "type": "document",
            "title": "a.pdf",
            "context": "about",
            "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="},
        }
        found = {"type": "search_result", "title": "Found", "source": "http://x", "content": [text("words")]}
        assert messages_of(user(plain, made, pdf, found))[0]["content"] == [
            text("T"),
            text("words"),
            text("inner"),
            text("about"),
            {
                "type": "file",
                "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERg=="},
            },
            text("Found\n\nhttp://x"),
            text("words"),
        ]


class TestThoughts:
    def test_our_own_go_back_whole(self) -> None:
        """B09, B11"""
        found = messages_of(assistant(thinking(" Hm.\n", thoughts.MARK), USE), user(RESULT))
        assert found[0]["reasoning_content"] == " Hm.\n"
        assert found[0]["tool_calls"]

    def test_with_a_plain_answer_too(self) -> None:
        """B11"""
        found = messages_of(PERSON, assistant(thinking("Hm.", thoughts.MARK), text("Hi.")), PERSON)
        assert found[1] == {"role": "assistant", "content": "Hi.", "reasoning_content": "Hm."}

    def test_they_stay_away_from_an_upstream_that_does_not_want_them(self) -> None:
        request = request_of([assistant(thinking("Hm.", thoughts.MARK), text("Hi."))])
        body = json.loads(to_chat(request, stream=False, own_reasoning=False).body)
        assert body["messages"] == [{"role": "assistant", "content": "Hi."}]

    @pytest.mark.parametrize(
        "block",
        [thinking("", ""), thinking("Hm.", "EqQBCgIYAh"), {"type": "redacted_thinking", "data": "x"}],
    )
    def test_those_of_others_and_empty_ones_are_left_away(self, block: Any) -> None:
        """B10"""
        assert messages_of(assistant(block, text("Hi."))) == [{"role": "assistant", "content": "Hi."}]
