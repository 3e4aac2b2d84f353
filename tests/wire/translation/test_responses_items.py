"""The items of a responses request become messages of chat completions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaclaw_tray.wire.translation.refusal import Untranslatable
from metaclaw_tray.wire.translation.responses_request import to_chat
from metaclaw_tray.wire.translation.thoughts import MARK
from wire.translation.openai_side import chat_of, request_of

PERSON = {"role": "user", "content": "hello"}
URL = "data:image/png;base64,aGVsbG8="
IMAGE = {"type": "input_image", "image_url": URL, "detail": "high"}
SHOWN = {"type": "image_url", "image_url": {"url": URL, "detail": "high"}}


def messages_of(*items: Any, **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = chat_of(list(items), **more)["messages"]
    return found


def said(role: str, *texts: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text} for text in texts]
    return {"type": "message", "role": role, "id": "msg_1", "content": content}


def called(call_id: str, name: str = "read", arguments: str = "{}", **more: Any) -> dict[str, Any]:
    return {
        "type": "function_call",
        "id": f"fc_{call_id}",
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
        **more,
    }


def result(call_id: str, output: Any = "text") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def thought(text: str, **more: Any) -> dict[str, Any]:
    return {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": text}], **more}


def calls_of(message: dict[str, Any]) -> list[str]:
    return [call["id"] for call in message["tool_calls"]]


class TestInstructions:
    def test_leading_instructions_are_the_first_system_message(self) -> None:
        messages = messages_of(said("developer", "a", "b"), said("system", "c"), PERSON, instructions="i")
        assert messages == [{"role": "system", "content": "i\n\na\n\nb\n\nc"}, PERSON]

    def test_instructions_before_the_first_answer_belong_to_it(self) -> None:
        messages = messages_of(said("developer", "a"), PERSON, said("developer", "b"))
        assert messages == [{"role": "system", "content": "a\n\nb"}, PERSON]

    def test_later_ones_stay_where_they_are(self) -> None:
        messages = messages_of(said("developer", "a"), PERSON, said("assistant", "x"), said("developer", "b"))
        assert messages[0]["content"] == "a"
        assert messages[-1] == {"role": "user", "content": "<system-reminder>\nb\n</system-reminder>"}


class TestWhatTheModelSaid:
    def test_items_in_a_row_are_one_message(self) -> None:
        items = (thought("t", encrypted_content=MARK), said("assistant", "x"), called("c1"), called("c2"))
        message = messages_of(PERSON, *items, result("c1"), result("c2"))[1]
        assert (message["content"], message["reasoning_content"]) == ("x", "t")
        assert calls_of(message) == ["c1", "c2"]

    def test_thoughts_that_came_through_here_go_back(self) -> None:
        """B11"""
        answer = said("assistant", "x")
        for ours in (thought("t", encrypted_content=MARK), {**thought("t"), "id": "rs_metaclaw_1"}):
            assert messages_of(PERSON, ours, answer)[1]["reasoning_content"] == "t"
            without = to_chat(request_of([PERSON, ours, answer]), stream=False, own_reasoning=False)
            assert b"reasoning_content" not in without.body

    def test_thoughts_of_another_model_stay_away(self) -> None:
        messages = messages_of(PERSON, thought("t", encrypted_content="gAAA"), said("assistant", "x"))
        assert messages[1] == {"role": "assistant", "content": "x"}

    def test_a_call_in_a_namespace_has_its_name_upstream(self) -> None:
        messages = messages_of(PERSON, called("c1", "spawn", namespace="agents"), result("c1"))
        assert messages[1]["tool_calls"][0]["function"]["name"] == "agents__spawn"

    def test_a_custom_call_has_one_argument(self) -> None:
        call = {"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": "*** Begin\n"}
        output = {"type": "custom_tool_call_output", "call_id": "c1", "output": "Done"}
        _, answer, told = messages_of(PERSON, call, output)
        assert json.loads(answer["tool_calls"][0]["function"]["arguments"]) == {"input": "*** Begin\n"}
        assert told == {"role": "tool", "tool_call_id": "c1", "content": "Done"}

    @pytest.mark.parametrize(
        ("arguments", "expected"), [("", {}), ("{}", {}), ('{"a": 1', {"arguments": '{"a": 1'})]
    )
    def test_arguments_are_always_an_object(self, arguments: str, expected: Any) -> None:
        """B07"""
        messages = messages_of(PERSON, called("c1", arguments=arguments), result("c1"))
        assert json.loads(messages[1]["tool_calls"][0]["function"]["arguments"]) == expected

    def test_arguments_stay_as_they_were_written(self) -> None:
        written = '{ "n": 1.0,\n "big": 12345678901234567890123 }'
        messages = messages_of(PERSON, called("c1", arguments=written), result("c1"))
        assert messages[1]["tool_calls"][0]["function"]["arguments"] == written

    def test_a_search_for_tools_declares_what_it_found(self) -> None:
        search = {"type": "tool_search_call", "call_id": "c1", "execution": "client", "arguments": {"q": 1}}
        tools = [{"type": "function", "name": "mail", "defer_loading": True}]
        output = {"type": "tool_search_output", "call_id": "c1", "execution": "client", "tools": tools}
        chat = chat_of([PERSON, search, output])
        assert [tool["function"]["name"] for tool in chat["tools"]] == ["mail"]
        _, answer, told = chat["messages"]
        assert answer["tool_calls"][0]["function"] == {"name": "tool_search", "arguments": '{"q":1}'}
        assert told["content"] == "These tools can be called now: mail"

    def test_a_search_by_the_server_leaves_its_tools_only(self) -> None:
        search = {"type": "tool_search_call", "call_id": None, "execution": "server"}
        tools = [{"type": "function", "name": "mail"}]
        output = {"type": "tool_search_output", "call_id": None, "execution": "server", "tools": tools}
        chat = chat_of([PERSON, search, output, PERSON])
        assert len(chat["tools"]) == 1
        assert chat["messages"] == [PERSON, PERSON]


class TestResults:
    def test_results_that_come_between_calls_stand_behind_them(self) -> None:
        items = (called("c1"), called("c2"), result("c2", "2"), called("c3"), result("c1", "1"), result("c3"))
        messages = messages_of(PERSON, *items)
        assert [message["role"] for message in messages[1:]] == [
            "assistant",
            "tool",
            "tool",
            "assistant",
            "tool",
        ]
        assert [message.get("tool_call_id") for message in messages[2:4]] == ["c2", "c1"]

    def test_what_was_said_before_the_results_follows_them(self) -> None:
        messages = messages_of(PERSON, called("c1"), said("user", "quick"), result("c1"))
        assert [message["role"] for message in messages] == ["user", "assistant", "tool", "user"]

    def test_ids_that_are_used_again_find_their_own_results(self) -> None:
        items = (called("c"), result("c", "1"), called("c"), result("c", "2"))
        messages = messages_of(PERSON, *items)
        assert [message["content"] for message in messages[2::2]] == ["1", "2"]

    def test_a_list_of_texts_is_one_text(self) -> None:
        output = [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]
        assert messages_of(PERSON, called("c1"), result("c1", output))[2]["content"] == "a\n\nb"

    def test_an_image_in_a_result_follows_the_results(self) -> None:
        """B12"""
        output = [{"type": "input_text", "text": "a"}, IMAGE]
        items = (called("c1"), called("c2"), result("c1", output), result("c2", [IMAGE]), PERSON)
        *_, first, second, shown, last = messages_of(PERSON, *items)
        assert first["content"] == "a\n\n[image 1 of the tools' results follows]"
        assert second["content"] == "[image 2 of the tools' results follows]"
        assert [part["type"] for part in shown["content"]] == ["text", "image_url"] * 2
        assert shown["content"][1] == SHOWN
        assert last == PERSON

    def test_a_blind_model_is_told_that_there_was_an_image(self) -> None:
        """B12"""
        items = [PERSON, called("c1"), result("c1", [IMAGE]), said("user"), {**PERSON, "content": [IMAGE]}]
        body = to_chat(request_of(items), stream=False, images=False).body
        assert b"base64" not in body
        assert body.count(b"[an image, which this model cannot see]") == 2

    def test_a_result_without_its_call_is_told_by_the_user(self) -> None:
        """B14"""
        messages = messages_of(result("c0", "lost"), PERSON)
        assert [message["role"] for message in messages] == ["user", "user"]
        assert messages[0]["content"].endswith("\nlost")

    def test_a_call_that_never_ran_has_a_result_that_says_so(self) -> None:
        """B15"""
        for items in ((called("c1"), called("c2"), result("c2"), PERSON), (called("c1"),)):
            messages = messages_of(PERSON, *items)
            ids = calls_of(messages[1])
            told = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
            assert sorted(told) == ids
            assert any("not carried out" in str(message["content"]) for message in messages)


class TestParts:
    def test_texts_alone_are_one_text(self) -> None:
        assert messages_of(said("user", "a", "b")) == [{"role": "user", "content": "a\n\nb"}]

    def test_images_files_and_sounds_stay_parts(self) -> None:
        file = {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,AA=="}
        sound = {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}}
        text = {"type": "input_text", "text": "see"}
        (message,) = messages_of({"role": "user", "content": [text, IMAGE, file, sound]})
        assert message["content"] == [
            {"type": "text", "text": "see"},
            SHOWN,
            {"type": "file", "file": {"filename": "a.pdf", "file_data": file["file_data"]}},
            sound,
        ]

    @pytest.mark.parametrize(
        ("part", "field"),
        [
            ({"type": "input_image", "file_id": "f"}, "file_id"),
            ({"type": "input_image"}, "image_url"),
            ({"type": "input_file", "file_id": "f"}, "file_id"),
            ({"type": "input_file", "file_url": "http://x"}, "file_url"),
            ({"type": "video"}, "type"),
            (3, "type"),
        ],
    )
    def test_what_is_not_in_the_request_is_refused_by_its_place(self, part: Any, field: str) -> None:
        with pytest.raises(Untranslatable) as refused:
            messages_of(PERSON, {"role": "user", "content": [part]})
        assert refused.value.field == f"input[1].content[0].{field}"

    @pytest.mark.parametrize(
        ("item", "field"),
        [
            ({"type": "item_reference", "id": "x"}, "input[1].type"),
            ({"id": "x"}, "input[1]"),
            ({"type": "compaction", "encrypted_content": "x"}, "input[1].type"),
            ({"type": "mcp_call", "id": "x"}, "input[1].type"),
            ({"role": "critic", "content": "x"}, "input[1].role"),
            ({"type": "function_call", "name": "read"}, "input[1].call_id"),
            ({"type": "function_call", "call_id": "c1"}, "input[1].name"),
        ],
    )
    def test_an_item_that_cannot_be_told_is_refused_by_its_place(self, item: Any, field: str) -> None:
        with pytest.raises(Untranslatable) as refused:
            messages_of(PERSON, item)
        assert refused.value.field == field

    def test_a_search_that_an_earlier_server_made_is_left_away(self) -> None:
        search = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
        assert messages_of(PERSON, search, said("assistant", "x"))[1]["content"] == "x"
