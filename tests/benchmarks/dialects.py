"""The requests of the benchmark, in each dialect shaped as known clients send them."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from benchmarks.conversations import NUMBER, SIZES, Conversation, Said, long, short

Body = dict[str, Any]

_READ = "Reads a file below the working folder and gives its lines, numbered, at most two thousand of them."
_SCHEMA: Body = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "path below the working folder"},
        "first": {"type": "integer", "description": "number of the first line to give, from 1"},
    },
    "required": ["path"],
    "additionalProperties": False,
}
_TOOLS = ("read_file", "list_folder", "search_mail")
_CACHED = {"cache_control": {"type": "ephemeral"}}
_SESSION = f"5c0ffee5-0000-4000-8000-00{NUMBER}"


def _chat(model: str, stream: bool, talk: Conversation) -> Body:
    def message(said: Said) -> Body:
        match said.speaker:
            case "person":
                return {"role": "user", "content": said.text}
            case "model":
                return {"role": "assistant", "content": said.text}
            case "call":
                function = {"name": "read_file", "arguments": json.dumps({"path": said.text})}
                call = {"id": said.call_id, "type": "function", "function": function}
                return {"role": "assistant", "content": None, "tool_calls": [call]}
            case "result":
                return {"role": "tool", "tool_call_id": said.call_id, "content": said.text}

    functions = [{"name": name, "description": _READ, "parameters": _SCHEMA} for name in _TOOLS]
    more: Body = {"stream_options": {"include_usage": True}} if stream else {}
    return {
        "model": model,
        "stream": stream,
        **more,
        "messages": [{"role": "system", "content": talk.instructions}, *map(message, talk.said)],
        "tools": [{"type": "function", "function": each} for each in functions],
    }


def _messages(model: str, stream: bool, talk: Conversation) -> Body:
    """System text in blocks, a cache mark on the last one and on the newest message's last block."""

    def message(said: Said) -> Body:
        match said.speaker:
            case "person" | "model":
                role = "user" if said.speaker == "person" else "assistant"
                return {"role": role, "content": [{"type": "text", "text": said.text}]}
            case "call":
                use = {"type": "tool_use", "id": said.call_id, "name": "read_file"}
                told = {"type": "text", "text": f"I look into {said.text}."}
                return {"role": "assistant", "content": [told, {**use, "input": {"path": said.text}}]}
            case "result":
                result = {"type": "tool_result", "tool_use_id": said.call_id, "content": said.text}
                return {"role": "user", "content": [result]}

    said = [message(each) for each in talk.said]
    said[-1]["content"][-1] |= _CACHED
    user_id = {"device_id": "d" * 64, "account_uuid": "", "session_id": _SESSION}
    return {
        "model": model,
        "max_tokens": 32000,
        "stream": stream,
        "system": [
            {"type": "text", "text": "You are an agent that works in a terminal.", **_CACHED},
            {"type": "text", "text": talk.instructions, **_CACHED},
        ],
        "messages": said,
        "tools": [{"name": name, "description": _READ, "input_schema": _SCHEMA} for name in _TOOLS],
        "metadata": {"user_id": json.dumps(user_id)},
        "thinking": {"type": "adaptive"},
    }


def _responses(model: str, stream: bool, talk: Conversation) -> Body:
    """Instructions, developer items in front, and function calls with their outputs as items of their own."""

    def item(said: Said) -> Body:
        match said.speaker:
            case "person":
                return _spoken("user", said.text)
            case "model":
                content = [{"type": "output_text", "text": said.text}]
                return {"type": "message", "role": "assistant", "content": content}
            case "call":
                call = {"type": "function_call", "call_id": said.call_id, "name": "read_file"}
                return {**call, "arguments": json.dumps({"path": said.text})}
            case "result":
                return {"type": "function_call_output", "call_id": said.call_id, "output": said.text}

    developer = "<permissions>Files below the working folder may be read and written.</permissions>"
    tools = [{"type": "function", "name": n, "description": _READ, "parameters": _SCHEMA} for n in _TOOLS]
    return {
        "model": model,
        "stream": stream,
        "instructions": talk.instructions,
        "input": [_spoken("developer", developer), *map(item, talk.said)],
        "tools": [{**tool, "strict": False} for tool in tools],
        "tool_choice": "auto",
        "parallel_tool_calls": False,
        "reasoning": {"effort": "medium", "summary": "auto"},
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": _SESSION,
    }


def _spoken(role: str, text: str) -> Body:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}


_SHAPES: dict[str, Callable[[str, bool, Conversation], Body]] = {
    "chat": _chat,
    "messages": _messages,
    "responses": _responses,
}
_JSON = b"content-type: application/json\r\n"
PATHS = {"chat": "/chat/completions", "messages": "/messages?beta=true", "responses": "/responses"}
"""Where each dialect's requests go, below `/v1`."""
HEADERS = {
    "chat": _JSON,
    "messages": _JSON + b"anthropic-version: 2023-06-01\r\n",
    "responses": _JSON + b"originator: bench\r\n",
}
"""Header lines that clients of the dialect send."""


def bodies(dialect: str, size: str, model: str, stream: bool, topic: str, first: int = 0) -> Iterator[bytes]:
    """Endless bodies. `first` numbers the conversations, so that loads do not repeat each other's."""
    return _numbered(_written(dialect, size, model, stream, topic), first)


def _numbered(requests: list[list[bytes]], first: int) -> Iterator[bytes]:
    for number in itertools.count(first):
        told = b"%010d" % number
        for parts in requests:
            yield told.join(parts)


@lru_cache
def _written(dialect: str, size: str, model: str, stream: bool, topic: str) -> list[list[bytes]]:
    """The requests of one conversation, cut where its number goes; the last of them is of the size."""

    def write(talk: Conversation) -> bytes:
        return json.dumps(_SHAPES[dialect](model, stream, talk), separators=(",", ":")).encode()

    talks = short(topic) if size == "8 KB" else long(topic)
    room = SIZES[size] - len(write(talks[-1]))
    if room < 0:
        raise ValueError(f"a {dialect} request is {-room} bytes too long for {size}")
    return [write(talk.larger(room)).split(NUMBER.encode()) for talk in talks]
