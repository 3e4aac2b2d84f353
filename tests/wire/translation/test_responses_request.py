"""Requests of responses become requests of chat completions: fields and tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaclaw_tray.wire.translation.names import Tool
from metaclaw_tray.wire.translation.refusal import Untranslatable
from metaclaw_tray.wire.translation.responses_request import to_chat
from wire.translation.openai_side import chat_of, request_of

HELLO = {"role": "user", "content": "hello"}
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}
READ = {"type": "function", "name": "read", "description": "Reads.", "parameters": SCHEMA, "strict": False}
SPAWN = {"type": "function", "name": "spawn", "description": "Starts one.", "parameters": SCHEMA}
WAIT = {"type": "function", "name": "wait", "defer_loading": True}
AGENTS = {"type": "namespace", "name": "agents", "description": "Other agents.", "tools": [SPAWN, WAIT]}
GRAMMAR = {"type": "grammar", "syntax": "lark", "definition": "start: patch"}
PATCH = {"type": "custom", "name": "apply_patch", "description": "Edits.", "format": GRAMMAR}
WEB = {"type": "web_search", "external_web_access": False}
CODEX_SEARCH = {"type": "tool_search", "execution": "client", "description": "Finds.", "parameters": SCHEMA}


def functions_of(tools: Any, items: Any = (HELLO,), **more: Any) -> list[dict[str, Any]]:
    chat = chat_of(list(items), tools=tools, **more)
    return [tool["function"] for tool in chat.get("tools", [])]


class TestFields:
    def test_a_plain_request_says_the_same(self) -> None:
        chat = chat_of("hello", instructions="Be brief.", temperature=0.5, top_p=0.9, max_output_tokens=50)
        assert chat == {
            "model": "m",
            "messages": [{"role": "system", "content": "Be brief."}, HELLO],
            "temperature": 0.5,
            "top_p": 0.9,
            "max_tokens": 50,
            "stream": False,
        }

    def test_hints_are_left_away(self) -> None:
        hints = {
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "prompt_cache_key": "k",
            "client_metadata": {"a": "b"},
            "metadata": {"a": "b"},
            "service_tier": "flex",
            "truncation": "auto",
            "text": {"verbosity": "low"},
            "reasoning": {"summary": "auto"},
            "previous_response_id": None,
            "background": False,
            "stream_options": {"include_obfuscation": False},
        }
        assert chat_of([HELLO], **hints) == {"model": "m", "messages": [HELLO], "stream": False}

    def test_usage_is_asked_for_in_a_stream(self) -> None:
        chat = json.loads(to_chat(request_of("hi"), stream=True).body)
        assert (chat["stream"], chat["stream_options"]) == (True, {"include_usage": True})

    @pytest.mark.parametrize(
        ("effort", "expected"), [("low", "low"), ("high", "high"), ("minimal", None), (None, None)]
    )
    def test_effort_goes_on_where_chat_completions_know_it(self, effort: Any, expected: Any) -> None:
        assert chat_of("hi", reasoning={"effort": effort}).get("reasoning_effort") == expected

    def test_the_form_of_the_answer_goes_on(self) -> None:
        form = {"type": "json_schema", "name": "title", "schema": SCHEMA, "strict": True}
        assert chat_of("hi", text={"format": form})["response_format"] == {
            "type": "json_schema",
            "json_schema": {"name": "title", "schema": SCHEMA, "strict": True},
        }
        any_object = {"type": "json_object"}
        assert chat_of("hi", text={"format": any_object})["response_format"] == any_object
        assert "response_format" not in chat_of("hi", text={"format": {"type": "text"}})

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("previous_response_id", "resp_1"),
            ("conversation", {"id": "conv_1"}),
            ("prompt", {"id": "p"}),
            ("background", True),
            ("top_logprobs", 3),
            ("text.format.type", None),
        ],
    )
    def test_what_cannot_be_said_is_refused_by_name(self, field: str, value: Any) -> None:
        more = {"text": {"format": {"type": "xml"}}} if value is None else {field: value}
        with pytest.raises(Untranslatable) as refused:
            chat_of("hi", **more)
        assert refused.value.field == field

    def test_half_an_emoji_does_not_reach_the_upstream(self) -> None:
        assert chat_of([{"role": "user", "content": "a\ud83d"}])["messages"][0]["content"] == "a\ufffd"


class TestTools:
    def test_a_function_stays_one(self) -> None:
        assert functions_of([READ]) == [{"name": "read", "description": "Reads.", "parameters": SCHEMA}]

    def test_strictness_goes_on_where_it_is_asked_for(self) -> None:
        assert functions_of([{**READ, "strict": True}])[0]["strict"] is True

    def test_a_function_without_parameters_takes_none(self) -> None:
        (function,) = functions_of([{"type": "function", "name": "now", "parameters": None}])
        assert function["parameters"] == {"type": "object", "properties": {}}

    def test_the_schema_does_not_name_its_own_language(self) -> None:
        (function,) = functions_of([{**READ, "parameters": {"$schema": "x", **SCHEMA}}])
        assert function["parameters"] == SCHEMA

    def test_namespaces_are_flattened_and_deferred_tools_are_plain_ones(self) -> None:
        spawn, wait = functions_of([AGENTS])
        assert (spawn["name"], wait["name"]) == ("agents__spawn", "agents__wait")
        assert spawn["description"] == "Other agents.\n\nStarts one."

    def test_names_lead_back_to_the_clients_tools(self) -> None:
        long = {**SPAWN, "name": "x" * 60}
        dotted = {**READ, "name": "mcp.read"}
        space = {**AGENTS, "name": "a" * 20, "tools": [long]}
        names = to_chat(request_of("hi", tools=[space, dotted, PATCH]), stream=True).names
        found = {names.from_chat(name) for name in names}
        assert found == {
            Tool("x" * 60, "a" * 20),
            Tool("mcp.read"),
            Tool("apply_patch", kind="custom"),
        }
        assert all(len(name) <= 64 and "." not in name for name in names)

    def test_a_custom_tool_takes_one_text(self) -> None:
        (function,) = functions_of([PATCH])
        assert function["parameters"]["required"] == ["input"]
        assert function["description"] == "Edits.\n\nThe input follows this grammar (lark):\nstart: patch"

    def test_a_search_of_the_web_among_other_tools_is_left_away(self) -> None:
        assert [each["name"] for each in functions_of([WEB, READ])] == ["read"]

    def test_a_request_that_can_only_search_the_web_is_refused(self) -> None:
        with pytest.raises(Untranslatable) as refused:
            functions_of([WEB])
        assert refused.value.field == "tools[0]"

    def test_a_search_for_tools_is_a_function_where_the_client_runs_it(self) -> None:
        assert [each["name"] for each in functions_of([CODEX_SEARCH])] == ["tool_search"]
        assert [each["name"] for each in functions_of([{"type": "tool_search"}, WAIT])] == ["wait"]

    def test_tools_that_travel_inside_the_input_are_declared(self) -> None:
        carried = {"type": "additional_tools", "role": "developer", "tools": [AGENTS, READ]}
        chat = chat_of([carried, HELLO])
        names = [tool["function"]["name"] for tool in chat["tools"]]
        assert names == ["agents__spawn", "agents__wait", "read"]
        assert chat["messages"] == [HELLO]

    def test_a_tool_is_declared_once(self) -> None:
        carried = {"type": "additional_tools", "tools": [READ]}
        assert len(functions_of([READ, READ], [carried, HELLO])) == 1

    @pytest.mark.parametrize(
        "kind",
        ["file_search", "code_interpreter", "mcp", "image_generation", "local_shell", "computer", None],
    )
    def test_a_tool_of_the_servers_own_is_refused_by_its_place(self, kind: Any) -> None:
        with pytest.raises(Untranslatable) as refused:
            functions_of([READ, {"type": kind}])
        assert refused.value.field == "tools[1].type"
        carried = {"type": "additional_tools", "tools": [{**AGENTS, "tools": [{"type": kind}]}]}
        with pytest.raises(Untranslatable) as refused:
            functions_of([], [HELLO, carried])
        assert refused.value.field == "input[1].tools[0].tools[0].type"


class TestChoice:
    @pytest.mark.parametrize("choice", ["auto", "none", "required"])
    def test_plain_choices_stay(self, choice: str) -> None:
        assert chat_of("hi", tools=[READ], tool_choice=choice)["tool_choice"] == choice

    def test_a_tool_is_chosen_by_its_name_upstream(self) -> None:
        choices = {"read": "read", "spawn": "agents__spawn", "apply_patch": "apply_patch"}
        for name, expected in choices.items():
            choice = {"type": "custom" if name == "apply_patch" else "function", "name": name}
            chat = chat_of("hi", tools=[READ, AGENTS, PATCH], tool_choice=choice)
            assert chat["tool_choice"] == {"type": "function", "function": {"name": expected}}

    def test_allowed_tools_are_the_only_ones(self) -> None:
        allowed = {
            "type": "allowed_tools",
            "mode": "required",
            "tools": [{"type": "function", "name": "spawn"}],
        }
        chat = chat_of("hi", tools=[READ, AGENTS], tool_choice=allowed)
        assert [tool["function"]["name"] for tool in chat["tools"]] == ["agents__spawn"]
        assert chat["tool_choice"] == "required"

    def test_without_tools_nothing_is_said_of_them(self) -> None:
        chat = chat_of("hi", tools=[], tool_choice="auto", parallel_tool_calls=True)
        assert not {"tools", "tool_choice", "parallel_tool_calls"} & set(chat)

    def test_calls_side_by_side_are_allowed_or_not(self) -> None:
        assert chat_of("hi", tools=[READ], parallel_tool_calls=False)["parallel_tool_calls"] is False

    @pytest.mark.parametrize(
        "choice", [{"type": "web_search"}, {"type": "function", "name": "gone"}, {"type": "mcp"}, 3]
    )
    def test_a_choice_that_cannot_be_made_is_refused(self, choice: Any) -> None:
        with pytest.raises(Untranslatable, match="tool_choice"):
            chat_of("hi", tools=[READ], tool_choice=choice)
