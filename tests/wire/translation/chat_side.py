"""What servers of chat completions send, as they send it."""

from __future__ import annotations

import json
from typing import Any

from wire.strange import stream


def chunk(delta: Any = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": {} if delta is None else delta, "finish_reason": finish}
    return {"id": "chatcmpl-7", "object": "chat.completion.chunk", "choices": [choice], **more}


def said(text: str) -> dict[str, Any]:
    return chunk({"content": text})


def thought(text: str) -> dict[str, Any]:
    return chunk({"reasoning_content": text})


def call(
    index: int | None, arguments: str | None = None, call_id: str = "", name: str = ""
) -> dict[str, Any]:
    function: dict[str, Any] = {"name": name} if name else {}
    if arguments is not None:
        function["arguments"] = arguments
    piece: dict[str, Any] = {"function": function}
    if index is not None:
        piece["index"] = index
    if call_id:
        piece |= {"id": call_id, "type": "function"}
    return chunk({"tool_calls": [piece]})


def counted(prompt: int, completion: int, **more: Any) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, **more}


def chat_stream(*chunks: Any, finish: str | None = "stop", done: bool = True) -> bytes:
    """A stream of these chunks; `finish` adds the one that says why it ends."""
    ends = [chunk({}, finish)] if finish else []
    return stream(*chunks, *ends, done=done)


def chat_answer(message: Any, finish: str = "stop", **more: Any) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return json.dumps({"id": "chatcmpl-7", "object": "chat.completion", "choices": [choice], **more}).encode()


def whole_call(call_id: str, name: str, arguments: Any) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
