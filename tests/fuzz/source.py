"""Bytes turned into values, so that mutating bytes also reaches what lies behind the grammar."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

_KEYS = """
role content type text messages input system instructions model name id call_id arguments output
tool_calls tool_call_id tool_use_id function index delta choices finish_reason message usage error
content_block partial_json thinking signature stop_reason response status item item_id output_index
content_index prompt_tokens input_tokens output_tokens input_tokens_details cached_tokens is_error
refusal reasoning_content encrypted_content citation citations cache_control api_key password
"""
KEYS = _KEYS.split()
_WORDS = """
user assistant system developer tool message text input_text output_text tool_use tool_result thinking
function_call function_call_output custom_tool_call custom_tool_call_output reasoning item_reference
message_start content_block_start content_block_delta message_delta message_stop error ping stop
response.created response.output_item.added response.output_item.done response.output_text.delta
response.output_text.done response.function_call_arguments.delta response.function_call_arguments.done
response.completed response.incomplete response.failed completed failed [DONE]
"""
WORDS = _WORDS.split()
TEXTS = (
    "",
    " ",
    "hello",
    "{}",
    '{"x":',
    "\ud83d",
    "\ude00",
    "😀",
    "\ue03d",
    "<system-reminder>x</system-reminder>",
    "This session is being continued from a previous conversation that ran out of context.",
    "sk-proj-Zx81hQmTq0bVn3LrYw6kJd2uEo9sAf4",
    "export DB_PASSWORD=hunter2hunter2",
    "postgres://u:s3cr3tpass@db/x",
    "-----BEGIN PRIVATE KEY-----\n",
)


class Source:
    """Gives out choices until its bytes are used up, and the first of each choice from then on."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0

    def number(self, below: int) -> int:
        if self._place >= len(self._data):
            return 0
        self._place += 1
        return self._data[self._place - 1] % below

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.number(len(choices))]

    def rest(self) -> bytes:
        self._place, begin = len(self._data), self._place
        return self._data[begin:]

    def text(self) -> str:
        if self.number(4):
            return self.pick(WORDS if self.number(2) else TEXTS)
        length = self.number(12)
        self._place, begin = self._place + length, self._place
        return self._data[begin : begin + length].decode("utf-8", "replace")

    def value(self, depth: int = 4) -> Any:
        """Any JSON value, mostly an object with fields that mean something."""
        match self.number(10 if depth else 6):
            case 0:
                return None
            case 1:
                return self.pick((True, False, 0, -1, 1.5, 2**64, 10**30))
            case 2 | 3 | 4 | 5:
                return self.text()
            case 6 | 7:
                return [self.value(depth - 1) for _ in range(self.number(4))]
            case _:
                return self.object(depth)

    def object(self, depth: int = 4) -> dict[str, Any]:
        keys = [self.pick(KEYS) if self.number(8) else self.text() for _ in range(self.number(6) + 1)]
        return {key: self.value(depth - 1) for key in keys}

    def body(self) -> bytes:
        """JSON, or once in four times whatever is left."""
        return self.rest() if self.number(4) == 1 else json.dumps(self.value(6)).encode()

    def events(self) -> bytes:
        """An event stream of JSON values."""
        end = self.pick((b"\n", b"\r\n", b"\r"))
        stream = b""
        for _ in range(self.number(8) + 1):
            name = b"event: " + self.pick(WORDS).encode() + end if self.number(3) == 1 else b""
            stream += name + b"data: " + json.dumps(self.object()).encode() + end + end
        return stream[: len(stream) - self.number(40)]
