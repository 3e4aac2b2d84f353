"""One request and one answer in each dialect, with texts put where texts can stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PATHS = {"chat": "/chat/completions", "messages": "/messages", "responses": "/responses"}
_PIECE = 7  # characters of a streamed text in one event
_SCHEMA = {"type": "object", "properties": {"command": {"type": "string"}}}


@dataclass(frozen=True)
class Said:
    """What a request says, wherever its dialect has a place for it."""

    system: str
    tool: str  # the description of the tool
    prompt: str
    arguments: dict[str, Any]  # of the model's call of the tool
    result: str  # of that call
    thanks: str  # what the person says at last
    image: str  # base64 of a PNG
    file: str  # its name
    user: str  # what the client says of itself


def request(dialect: str, said: Said, *, stream: bool) -> dict[str, Any]:
    """A conversation in which a tool was called, for the model to go on with."""
    return {"model": "m", "stream": stream, **_REQUESTS[dialect](said)}


def _chat(said: Said) -> dict[str, Any]:
    arguments = json.dumps(said.arguments)
    call = {"id": "call_1", "type": "function", "function": {"name": "run", "arguments": arguments}}
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{said.image}"}}
    function = {"name": "run", "description": said.tool, "parameters": _SCHEMA}
    return {
        "user": said.user,
        "messages": [
            {"role": "system", "content": said.system},
            {"role": "user", "content": [{"type": "text", "text": said.prompt}, image], "name": said.file},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": said.result},
            {"role": "user", "content": said.thanks},
        ],
        "tools": [{"type": "function", "function": function}],
    }


def _messages(said: Said) -> dict[str, Any]:
    source = {"type": "base64", "media_type": "image/png", "data": said.image}
    return {
        "max_tokens": 100,
        "metadata": {"user_id": said.user},
        "system": [{"type": "text", "text": said.system, "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": said.prompt},
                    {"type": "image", "source": source},
                    {"type": "document", "title": said.file, "source": {"type": "text", "data": "x"}},
                ],
            },
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "toolu_1", "name": "run", "input": said.arguments}],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "toolu_1", "content": said.result},
                    {"type": "text", "text": said.thanks},
                ],
            },
        ],
        "tools": [{"name": "run", "description": said.tool, "input_schema": _SCHEMA}],
    }


def _responses(said: Said) -> dict[str, Any]:
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{said.image}"}
    file = {"type": "input_file", "filename": said.file, "file_data": f"data:image/png;base64,{said.image}"}
    call = {"type": "function_call", "call_id": "call_1", "name": "run"}
    return {
        "metadata": {"about": said.user},
        "instructions": said.system,
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": said.prompt}, image, file]},
            {**call, "arguments": json.dumps(said.arguments)},
            {"type": "function_call_output", "call_id": "call_1", "output": said.result},
            {"role": "user", "content": said.thanks},
        ],
        "tools": [{"type": "function", "name": "run", "description": said.tool, "parameters": _SCHEMA}],
    }


_REQUESTS = {"chat": _chat, "messages": _messages, "responses": _responses}


def talk(dialect: str, *said: str) -> dict[str, Any]:
    """The person's and the model's words in turn, for the model to answer."""
    messages = [
        {"role": ("user", "assistant")[place % 2], "content": text} for place, text in enumerate(said)
    ]
    return {"model": "m", "max_tokens": 100, "input" if dialect == "responses" else "messages": messages}


def answer(dialect: str, text: str, arguments: dict[str, Any] | None = None) -> bytes:
    """A whole answer: some text, or thoughts and a text and a call of the tool."""
    return json.dumps(_ANSWERS[dialect](text, arguments)).encode()


def _chat_answer(text: str, arguments: dict[str, Any] | None) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if arguments is not None:
        function = {"name": "run", "arguments": json.dumps(arguments)}
        message["tool_calls"] = [{"id": "call_2", "type": "function", "function": function}]
    return {"id": "c1", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


def _messages_answer(text: str, arguments: dict[str, Any] | None) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": text}]
    if arguments is not None:
        thoughts = {"type": "thinking", "thinking": text, "signature": "s"}
        content = [
            thoughts,
            *content,
            {"type": "tool_use", "id": "toolu_2", "name": "run", "input": arguments},
        ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": "end_turn",
    }


def _responses_answer(text: str, arguments: dict[str, Any] | None) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    output: list[dict[str, Any]] = [
        {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    ]
    if arguments is not None:
        thoughts = {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": text}]}
        call = {"id": "fc_1", "type": "function_call", "call_id": "call_2", "name": "run"}
        output = [thoughts, *output, {**call, "arguments": json.dumps(arguments), "status": "completed"}]
    return {"id": "resp_1", "object": "response", "status": "completed", "output": output}


_ANSWERS = {"chat": _chat_answer, "messages": _messages_answer, "responses": _responses_answer}


def events(dialect: str, text: str, arguments: dict[str, Any]) -> list[bytes]:
    """The same as a stream, cut into small pieces wherever the text happens to be."""
    return list(_STREAMS[dialect](text, json.dumps(arguments)))


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))


def _event(data: dict[str, Any]) -> bytes:
    name = f"event: {data['type']}\n" if "type" in data else ""
    return f"{name}data: {json.dumps(data)}\n\n".encode()


def _chat_stream(text: str, arguments: str) -> Iterator[bytes]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        return _event({"id": "c1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    yield from (chunk({"content": piece}) for piece in _pieces(text))
    call = {"index": 0, "id": "call_2", "type": "function", "function": {"name": "run", "arguments": ""}}
    yield chunk({"tool_calls": [call]})
    for piece in _pieces(arguments):
        yield chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
    yield chunk({}, "tool_calls")
    yield b"data: [DONE]\n\n"


def _messages_stream(text: str, arguments: str) -> Iterator[bytes]:
    def block(index: int, begins: dict[str, Any], kind: str, field: str, said: str) -> Iterator[bytes]:
        yield _event({"type": "content_block_start", "index": index, "content_block": begins})
        for piece in _pieces(said):
            delta = {"type": kind, field: piece}
            yield _event({"type": "content_block_delta", "index": index, "delta": delta})
        yield _event({"type": "content_block_stop", "index": index})

    message = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
    yield _event({"type": "message_start", "message": message})
    yield from block(0, {"type": "thinking", "thinking": ""}, "thinking_delta", "thinking", text)
    yield from block(1, {"type": "text", "text": ""}, "text_delta", "text", text)
    begins = {"type": "tool_use", "id": "toolu_2", "name": "run", "input": {}}
    yield from block(2, begins, "input_json_delta", "partial_json", arguments)
    yield _event(
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}
    )
    yield _event({"type": "message_stop"})


def _responses_stream(text: str, arguments: str) -> Iterator[bytes]:
    whole = _responses_answer(text, json.loads(arguments))
    yield _event({"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}})
    for index, item in enumerate(whole["output"]):
        yield _event({"type": "response.output_item.added", "output_index": index, "item": _emptied(item)})
        said, kind = _DELTAS[item["type"]], item["type"]
        place = {"item_id": item["id"], "output_index": index}
        places = {"message": {"content_index": 0}, "reasoning": {"summary_index": 0}, "function_call": {}}
        if kind == "message":
            part = {"type": "output_text", "text": "", "annotations": []}
            yield _event({"type": "response.content_part.added", **place, "content_index": 0, "part": part})
        for piece in _pieces(arguments if kind == "function_call" else text):
            yield _event({"type": said, **place, **places[kind], "delta": piece})
        yield _event({"type": "response.output_item.done", "output_index": index, "item": item})
    yield _event({"type": "response.completed", "response": whole})


_DELTAS = {
    "message": "response.output_text.delta",
    "reasoning": "response.reasoning_summary_text.delta",
    "function_call": "response.function_call_arguments.delta",
}


def _emptied(item: dict[str, Any]) -> dict[str, Any]:
    empty = {"content": [], "summary": [], "arguments": ""}
    return {**item, **{name: value for name, value in empty.items() if name in item}}


_STREAMS = {"chat": _chat_stream, "messages": _messages_stream, "responses": _responses_stream}


def refusal(dialect: str, words: str) -> bytes:
    """An error as the dialect's providers say it."""
    if dialect == "messages":
        said: dict[str, Any] = {"type": "error", "error": {"type": "authentication_error", "message": words}}
    else:
        said = {"error": {"message": words, "type": "invalid_request_error", "code": "invalid_api_key"}}
    return json.dumps(said).encode()
