"""An agent's whole task through the translation, as Codex does it: what comes back is sent again."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from metaclaw_tray.wire.responses import RESPONSES
from metaclaw_tray.wire.translation.responses_request import to_chat
from metaclaw_tray.wire.translation.responses_stream import ResponsesStream
from wire.strange import stream
from wire.translation.openai_side import call, chunk, streamed

SCHEMA = {"type": "object", "properties": {"cmd": {"type": "string"}}}
TOOLS = [
    {"type": "function", "name": "exec_command", "parameters": SCHEMA, "strict": False},
    {"type": "custom", "name": "apply_patch", "description": "Edits files."},
    {"type": "tool_search", "execution": "client", "description": "Finds tools.", "parameters": SCHEMA},
    {"type": "web_search", "external_web_access": False},
]
SPAWN = {"type": "function", "name": "spawn_agent", "description": "Starts one.", "parameters": SCHEMA}
FOUND = [{"type": "namespace", "name": "agents", "description": "Other agents.", "tools": [SPAWN]}]
PATCH = "*** Begin Patch\n*** Add File: b.txt\n+héllo 😀\n*** End Patch\n"
ENCRYPTED = "reasoning.encrypted_content"

ANSWERS = [
    [
        chunk({"reasoning_content": "First I look."}),
        chunk({"content": "I will look."}),
        chunk(call(0, "", "call_1", "exec_command")),
        chunk(call(0, '{"cmd":"ls"}')),
        chunk(call(1, '{"cmd":"pwd"}', "call_2", "exec_command"), "tool_calls"),
    ],
    [chunk(call(0, json.dumps({"input": PATCH}), "call_3", "apply_patch"), "tool_calls")],
    [chunk(call(0, '{"query":"agents"}', "call_4", "tool_search"), "tool_calls")],
    [chunk(call(0, '{"task":"test"}', "call_5", "agents__spawn_agent"), "tool_calls")],
    [chunk({"content": "Done."}, "stop")],
]


def sent(items: list[Any]) -> bytes:
    return json.dumps(
        {
            "model": "m",
            "input": items,
            "tools": TOOLS,
            "tool_choice": "auto",
            "parallel_tool_calls": True,
            "reasoning": {"summary": "auto"},
            "store": False,
            "stream": True,
            "include": [ENCRYPTED],
        }
    ).encode()


def result_of(item: dict[str, Any]) -> dict[str, Any] | None:
    """What the agent answers to an item of the model's; None where it is no call."""
    called = {"call_id": item.get("call_id")}
    match item["type"]:
        case "function_call":
            return {**called, "type": "function_call_output", "output": f"ran {item['name']}"}
        case "custom_tool_call":
            assert item["input"] == PATCH
            return {**called, "type": "custom_tool_call_output", "output": "Success"}
        case "tool_search_call":
            found = {"execution": "client", "status": "completed", "tools": FOUND}
            return {**called, "type": "tool_search_output", **found}
    return None


def test_a_task_of_five_calls_is_done_and_each_request_goes_on_where_the_last_one_ended() -> None:
    """A10, B07, B11"""
    items: list[Any] = [
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "You code."}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "do it"}]},
    ]
    upstream: list[list[dict[str, Any]]] = []
    tools: list[list[str]] = []
    for answer in ANSWERS:
        request = RESPONSES.parse(sent(items))
        translated = to_chat(request, stream=True)
        chat = json.loads(translated.body)
        upstream.append(chat["messages"])
        tools.append([tool["function"]["name"] for tool in chat["tools"]])
        machine = ResponsesStream(translated.names, request)
        response = streamed(machine.feed(stream(*answer, done=True)))
        output = [item.model_dump(exclude_none=True) for item in response.output]
        items += output + [result for item in output if (result := result_of(item)) is not None]

    assert response.output_text == "Done."
    for before, after in pairwise(upstream):
        assert after[: len(before)] == before
    last = upstream[-1]
    assert [message["role"] for message in last] == [
        "system",
        "user",
        *("assistant", "tool", "tool"),
        *("assistant", "tool") * 3,
    ]
    assert last[2]["reasoning_content"] == "First I look."
    assert [call["function"]["name"] for message in last for call in message.get("tool_calls", ())] == [
        "exec_command",
        "exec_command",
        "apply_patch",
        "tool_search",
        "agents__spawn_agent",
    ]
    assert [message["content"] for message in last if message["role"] == "tool"] == [
        "ran exec_command",
        "ran exec_command",
        "Success",
        "These tools can be called now: agents__spawn_agent",
        "ran spawn_agent",
    ]
    assert tools[0] == tools[2] == ["exec_command", "apply_patch", "tool_search"]
    assert tools[3] == [*tools[0], "agents__spawn_agent"]
