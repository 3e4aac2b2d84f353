"""Two forms of a message: where it stands in the tree, and what it says.

`canonical` is one form for all the ways in which clients write the same message, and finds its place in the
tree. A client sends the same message once as a string and once as parts, moves `cache_control` about, writes
null or leaves the key away, puts reminders of its own into messages and takes them out again, cleans ids,
drops from an answer what it does not know, and empties old results of tools to save room. The tree must see
one message. A call of a tool whose id is long and random is known by that id alone, and so is its result:
clients mend arguments.

`whole` leaves out nothing that was said. By it messages are stored, so that none is ever shown for another
that merely looks alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.said import Message, lasting, lasting_result

_encode = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder().decode
_MARKS = ("cache_control", "annotations", "citations", "logprobs", "id", "status")  # of parts, by the way
_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9]+")
_EXACT = 2**53
# Of cleaned ids of calls. Servers count some up, behind names and zeros; what chance made has digits and
# letters mixed all over, or is one long number.
_COUNTED = re.compile(r"functions|.*(.)\1{5}")
_RUN = re.compile(r"[a-z]+|[A-Z]+|[0-9]+")
_LONG_NUMBER = re.compile(r"[A-Za-z]*[0-9]{17,}")
_UNIQUE_LENGTH, _UNIQUE_RUNS, _UNIQUE_DIGITS = 16, 6, 3


def canonical(message: Message) -> bytes:
    """The bytes by which a message that a client sent finds its place; empty where nothing in it lasts. Only
    `role`, `content`, `tool_calls`, `tool_call_id` and `name` count.

    Raises WireError where the message holds what no UTF-8 can say (a lone surrogate).
    """
    role = message.get("role")
    if role == "assistant":
        return canonical_answer(message)
    content = message.get("content")
    if role == "user" and len(message) == 2 and isinstance(content, str):
        text = lasting(content)
        return _plain("user", text) if text else b""
    called = cleaned_id(message.get("tool_call_id"))
    if role == "tool" and is_unique(called):
        return _packed({"role": "tool", "tool_call_id": called})
    form = {
        "content": _content(content, lasting if role == "user" else lasting_result),
        "tool_calls": _tool_calls(message.get("tool_calls")),
        "tool_call_id": called,
        "name": message.get("name"),
    }
    if role == "user" and not any(form.values()):
        return b""
    return _packed({"role": role, **form})


def canonical_answer(message: Message) -> bytes:
    """The bytes by which a model's answer finds its place, equal whether it comes or is sent back.

    Clients drop refusals, annotations, audio, reasoning and empty parts, and many trim the text, so only the
    tool calls and the texts without their outer white space count.
    """
    content = message.get("content")
    if isinstance(content, str) and not message.get("tool_calls") and (text := content.strip()):
        return _plain("assistant", text)
    parts = _content(content, str.strip)
    return _packed(
        {
            "role": "assistant",
            "content": [part for part in parts if part.get("type") != "refusal"],
            "tool_calls": _tool_calls(message.get("tool_calls")),
        }
    )


def whole(message: Message) -> bytes:
    """The bytes of all that a message says, to the last reminder. Only marks of caches, the order of keys and
    whether one text stands alone or as a part make no difference. Raises WireError as `canonical` does."""
    content = message.get("content")
    if isinstance(content, str):
        parts: list[Any] = [{"text": content, "type": "text"}]
    else:
        parts = [_unmarked(part) for part in content] if isinstance(content, list) else [content]
    form = {key: value for key, value in message.items() if value is not None}
    return _packed(form | {"content": [part for part in parts if part is not None]})


def _unmarked(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    return {key: value for key, value in part.items() if value is not None and key != "cache_control"}


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


def _content(content: Any, what_lasts: Callable[[str], str]) -> list[dict[str, Any]]:
    if content is None:
        return []
    if not isinstance(content, list):
        content = [content]
    parts = [_part(part, what_lasts) for part in content]
    return [part for part in parts if part and part.get("text") != ""]


def _part(part: Any, what_lasts: Callable[[str], str]) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": what_lasts(part)}
    if not isinstance(part, dict):
        return {"type": "value", "value": part}
    form = {key: value for key, value in part.items() if value is not None and key not in _MARKS}
    text = form.get("text")
    if isinstance(text, str):
        form["text"] = what_lasts(text)
    return form


def _tool_calls(calls: Any) -> list[Any]:
    if not isinstance(calls, list):
        return []
    return [_tool_call(call) if isinstance(call, dict) else call for call in calls]


def _tool_call(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function")
    if not isinstance(function, dict):
        form = {key: value for key, value in call.items() if value is not None}
        return form | {"id": cleaned_id(form["id"])} if "id" in form else form
    called = cleaned_id(call.get("id"))
    if is_unique(called):
        return {"id": called}
    return {"id": called, "name": function.get("name"), "arguments": _arguments(function.get("arguments"))}


def cleaned_id(value: Any) -> Any:
    """An id of a call: some clients take out of it what is no letter and no digit."""
    return _NOT_IN_IDS.sub("", value) if isinstance(value, str) else value


def is_unique(called: Any) -> bool:
    """Whether a cleaned id of a call looks as if it can have been given only once."""
    if not isinstance(called, str) or len(called) < _UNIQUE_LENGTH or _COUNTED.match(called):
        return False
    if _LONG_NUMBER.fullmatch(called):
        return True
    runs = _RUN.findall(called)
    digits = sum(len(run) for run in runs if run.isdecimal())
    return len(runs) >= _UNIQUE_RUNS and digits >= _UNIQUE_DIGITS


def _arguments(arguments: Any) -> Any:
    """Arguments as a value: clients parse and print them anew, and write a call without any as '' or '{}'."""
    if not arguments:
        return {}
    if not isinstance(arguments, str):
        return arguments
    try:
        return _as_printed(_decode(arguments))
    except (msgspec.DecodeError, RecursionError):
        return arguments


def _as_printed(value: Any) -> Any:
    """A value whose numbers are what they are: JavaScript prints 1.0 as 1."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _EXACT else value
    if isinstance(value, dict):
        return {key: _as_printed(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_printed(each) for each in value]
    return value
