"""A step of a play as a vendor says it, in each dialect: the whole answer, and the events of its stream.

Ids are made from the request, so that the same request is answered with the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from slow.real.plays import Call, Step

Event = dict[str, Any]
_PIECE = 14  # characters of a delta


def messages_answer(step: Step, model: str, mark: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if step.thought:
        content.append({"type": "thinking", "thinking": step.thought, "signature": f"c2ln{mark}"})
    content.append({"type": "text", "text": step.text})
    for place, call in enumerate(step.calls):
        made = {"type": "tool_use", "id": f"toolu_{mark}{place}", "name": call.tool, "input": call.arguments}
        content.append(made)
    usage = step.usage
    return {
        "id": f"msg_{mark}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if step.calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": usage.input - usage.cached,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": usage.cached,
            "output_tokens": usage.output,
        },
    }


def messages_events(whole: dict[str, Any]) -> Iterator[Event]:
    begun = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 1}}
    yield {"type": "message_start", "message": begun}
    yield {"type": "ping"}
    start: Event
    for index, block in enumerate(whole["content"]):
        match block["type"]:
            case "thinking":
                start = {"type": "thinking", "thinking": "", "signature": ""}
                deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _cut(block["thinking"])]
                deltas.append({"type": "signature_delta", "signature": block["signature"]})
            case "text":
                start = {"type": "text", "text": ""}
                deltas = [{"type": "text_delta", "text": piece} for piece in _cut(block["text"])]
            case _:
                start = {**block, "input": {}}
                pieces = ["", *_cut(json.dumps(block["input"]))]
                deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        yield {"type": "content_block_start", "index": index, "content_block": start}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {
        "type": "message_delta",
        "delta": ending,
        "usage": {"output_tokens": whole["usage"]["output_tokens"]},
    }
    yield {"type": "message_stop"}


def chat_answer(step: Step, model: str, mark: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.text}
    if step.thought:
        message["reasoning_content"] = step.thought
    if step.calls:
        message["tool_calls"] = [
            {"id": f"call_{mark}{place}", "type": "function", "function": _function(call)}
            for place, call in enumerate(step.calls)
        ]
    usage = step.usage
    return {
        "id": f"chatcmpl-{mark}",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {"index": 0, "message": message, "finish_reason": "tool_calls" if step.calls else "stop"}
        ],
        "usage": {
            "prompt_tokens": usage.input,
            "completion_tokens": usage.output,
            "total_tokens": usage.input + usage.output,
            "prompt_tokens_details": {"cached_tokens": usage.cached},
        },
    }


def _function(call: Call) -> dict[str, str]:
    """Chat completions know neither namespaces nor free text: what stands for such tools is called."""
    arguments = {"input": call.arguments} if isinstance(call.arguments, str) else call.arguments
    name = f"{call.namespace}__{call.tool}" if call.namespace else call.tool
    return {"name": name, "arguments": json.dumps(arguments)}


def chat_events(whole: dict[str, Any]) -> Iterator[Event]:
    head = {"id": whole["id"], "object": "chat.completion.chunk", "created": 1, "model": whole["model"]}
    message, finish = whole["choices"][0]["message"], whole["choices"][0]["finish_reason"]

    def chunk(delta: dict[str, Any], finish: str | None = None) -> Event:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    yield chunk({"role": "assistant", "content": ""})
    for piece in _cut(message.get("reasoning_content", "")):
        yield chunk({"reasoning_content": piece})
    for piece in _cut(message["content"]):
        yield chunk({"content": piece})
    for index, call in enumerate(message.get("tool_calls", ())):
        yield chunk(
            {"tool_calls": [{**call, "index": index, "function": {**call["function"], "arguments": ""}}]}
        )
        for piece in _cut(call["function"]["arguments"]):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, finish)
    yield {**head, "choices": [], "usage": whole["usage"]}


def responses_answer(step: Step, model: str, mark: str) -> dict[str, Any]:
    output: list[dict[str, Any]] = []
    if step.thought:
        summary = [{"type": "summary_text", "text": step.thought}]
        output.append(
            {"type": "reasoning", "id": f"rs_{mark}", "summary": summary, "encrypted_content": f"ZW5j{mark}"}
        )
    part = {"type": "output_text", "text": step.text, "annotations": []}
    output.append(
        {
            "type": "message",
            "id": f"msg_{mark}",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }
    )
    output += [_responses_call(call, f"{mark}{place}") for place, call in enumerate(step.calls)]
    usage = step.usage
    return {
        "id": f"resp_{mark}",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": model,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": usage.input,
            "input_tokens_details": {"cached_tokens": usage.cached},
            "output_tokens": usage.output,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": usage.input + usage.output,
        },
    }


def _responses_call(call: Call, mark: str) -> dict[str, Any]:
    if call.tool == "tool_search":
        search = {"type": "tool_search_call", "id": f"tsc_{mark}", "call_id": f"call_{mark}"}
        return {**search, "execution": "client", "arguments": call.arguments, "status": "completed"}
    made = {"id": f"fc_{mark}", "call_id": f"call_{mark}", "name": call.tool, "status": "completed"}
    if isinstance(call.arguments, str):
        return {"type": "custom_tool_call", **made, "input": call.arguments}
    named = {"namespace": call.namespace} if call.namespace else {}
    return {"type": "function_call", **made, **named, "arguments": json.dumps(call.arguments)}


def responses_events(whole: dict[str, Any]) -> Iterator[Event]:
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    events = [{"type": "response.created", "response": begun}]
    events.append({"type": "response.in_progress", "response": begun})
    for place, item in enumerate(whole["output"]):
        events += _item_events(place, item)
    events.append({"type": "response.completed", "response": whole})
    for number, event in enumerate(events):
        yield {"type": event["type"], "sequence_number": number, **event}


def _item_events(place: int, item: dict[str, Any]) -> list[Event]:
    at = {"item_id": item["id"], "output_index": place}
    added: dict[str, Any] = {**item, "status": "in_progress"}
    between: list[Event] = []
    match item["type"]:
        case "message":
            added["content"] = []
            part, within = item["content"][0], {**at, "content_index": 0}
            between.append({"type": "response.content_part.added", **within, "part": {**part, "text": ""}})
            for piece in _cut(part["text"]):
                between.append({"type": "response.output_text.delta", **within, "delta": piece})
            between.append({"type": "response.output_text.done", **within, "text": part["text"]})
            between.append({"type": "response.content_part.done", **within, "part": part})
        case "reasoning":
            added = {**item, "summary": []}
            part, within = item["summary"][0], {**at, "summary_index": 0}
            empty = {**part, "text": ""}
            between.append({"type": "response.reasoning_summary_part.added", **within, "part": empty})
            for piece in _cut(part["text"]):
                between.append({"type": "response.reasoning_summary_text.delta", **within, "delta": piece})
            between.append({"type": "response.reasoning_summary_text.done", **within, "text": part["text"]})
            between.append({"type": "response.reasoning_summary_part.done", **within, "part": part})
        case "function_call":
            added["arguments"] = ""
            for piece in _cut(item["arguments"]):
                between.append({"type": "response.function_call_arguments.delta", **at, "delta": piece})
            done = {"arguments": item["arguments"]}
            between.append({"type": "response.function_call_arguments.done", **at, **done})
        case "custom_tool_call":
            added["input"] = ""
            for piece in _cut(item["input"]):
                between.append({"type": "response.custom_tool_call_input.delta", **at, "delta": piece})
            between.append({"type": "response.custom_tool_call_input.done", **at, "input": item["input"]})
    begun = {"type": "response.output_item.added", "output_index": place, "item": added}
    return [begun, *between, {"type": "response.output_item.done", "output_index": place, "item": item}]


WHOLE: dict[str, Callable[[Step, str, str], dict[str, Any]]] = {
    "messages": messages_answer,
    "chat": chat_answer,
    "responses": responses_answer,
}
EVENTS: dict[str, Callable[[dict[str, Any]], Iterator[Event]]] = {
    "messages": messages_events,
    "chat": chat_events,
    "responses": responses_events,
}


def framed(dialect: str, events: Iterator[Event]) -> Iterator[bytes]:
    """The events as they go over the wire."""
    for event in events:
        name = "" if dialect == "chat" else f"event: {event['type']}\n"
        yield f"{name}data: {json.dumps(event)}\n\n".encode()
    if dialect == "chat":
        yield b"data: [DONE]\n\n"


def _cut(text: str) -> list[str]:
    return [text[at : at + _PIECE] for at in range(0, len(text), _PIECE)]
