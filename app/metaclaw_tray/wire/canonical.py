"""One form for all the ways in which clients write the same message.

A client sends the same message once as a string and once as parts, moves `cache_control` about, writes null
or leaves the key away, puts reminders of its own into messages and takes them out again, cleans ids, and
drops from an answer what it does not know. The tree must see one message.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.said import Message, lasting

_encode = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder().decode
_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9]+")


def canonical(message: Message) -> bytes:
    """The canonical bytes of a message that a client sent; empty where nothing in it lasts. Only `role`,
    `content`, `tool_calls`, `tool_call_id` and `name` count.

    Raises WireError where the message holds what no UTF-8 can say (a lone surrogate).
    """
    role = message.get("role")
    if role == "assistant":
        return canonical_answer(message)
    content = message.get("content")
    if role == "user" and len(message) == 2 and isinstance(content, str):
        text = lasting(content)
        return _plain("user", text) if text else b""
    form = {
        "content": _content(content),
        "tool_calls": _tool_calls(message.get("tool_calls")),
        "tool_call_id": _id(message.get("tool_call_id")),
        "name": message.get("name"),
    }
    if role == "user" and not any(form.values()):
        return b""
    return _packed({"role": role, **form})


def canonical_answer(message: Message) -> bytes:
    """The canonical bytes of a model's answer, equal whether assembled from the wire or sent back later.

    Clients drop refusals, annotations, audio and reasoning, and many trim the text, so only the tool calls
    and the text without its outer white space count.
    """
    content = message.get("content")
    if isinstance(content, str) and not message.get("tool_calls") and (text := content.strip()):
        return _plain("assistant", text)
    parts = _content(content)
    for place in (0, -1):
        said = parts[place].get("text") if parts else None
        if isinstance(said, str):
            parts[place] = parts[place] | {"text": said.lstrip() if place == 0 else said.rstrip()}
    return _packed(
        {
            "role": "assistant",
            "content": [part for part in parts if part.get("text") != ""],
            "tool_calls": _tool_calls(message.get("tool_calls")),
        }
    )


def _plain(role: str, text: str) -> bytes:
    """What `_packed` gives for a message of one text, in a fraction of the time: most messages are such."""
    try:
        return _encode({"content": [{"text": text, "type": "text"}], "role": role})
    except UnicodeEncodeError as error:
        raise WireError(f"a message has no canonical form: {error}") from error


def _packed(form: dict[str, Any]) -> bytes:
    try:
        return _encode_sorted({key: value for key, value in form.items() if value})
    except (RecursionError, UnicodeEncodeError) as error:
        raise WireError(f"a message has no canonical form: {error}") from error


def _content(content: Any) -> list[dict[str, Any]]:
    if content is None:
        return []
    if not isinstance(content, list):
        content = [content]
    parts = [_part(part) for part in content]
    return [part for part in parts if part and part.get("text") != ""]


def _part(part: Any) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": lasting(part)}
    if not isinstance(part, dict):
        return {"type": "value", "value": part}
    form = {
        key: value
        for key, value in part.items()
        if value is not None and key not in ("cache_control", "annotations", "citations", "logprobs")
    }
    text = form.get("text")
    if isinstance(text, str):
        form["text"] = lasting(text)
    return form


def _tool_calls(calls: Any) -> list[Any]:
    if not isinstance(calls, list):
        return []
    return [_tool_call(call) if isinstance(call, dict) else call for call in calls]


def _tool_call(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function")
    if not isinstance(function, dict):
        form = {key: value for key, value in call.items() if value is not None}
        return form | {"id": _id(form["id"])} if "id" in form else form
    return {
        "id": _id(call.get("id")),
        "name": function.get("name"),
        "arguments": _arguments(function.get("arguments")),
    }


def _id(value: Any) -> Any:
    """An id of a call: some clients take out of it what is no letter and no digit."""
    return _NOT_IN_IDS.sub("", value) if isinstance(value, str) else value


def _arguments(arguments: Any) -> Any:
    """Arguments as a value: clients parse and print them anew, and write a call without any as '' or '{}'."""
    if not arguments:
        return {}
    if not isinstance(arguments, str):
        return arguments
    try:
        return _decode(arguments)
    except (msgspec.DecodeError, RecursionError):
        return arguments
