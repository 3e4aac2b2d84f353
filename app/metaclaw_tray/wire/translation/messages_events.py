"""The events of a stream of Anthropic's messages, in the order in which Anthropic sends them.

message_start, then blocks one after the other (start, deltas, stop), message_delta, message_stop
"""

from __future__ import annotations

from typing import Any

from metaclaw_tray.wire.answer import Usage
from metaclaw_tray.wire.translation import thoughts
from metaclaw_tray.wire.translation.messages_answer import error_of, usage_written
from metaclaw_tray.wire.translation.reading import written

TEXT = "text"
THINKING = "thinking"
CALL = "tool_use"
_EMPTY: dict[str, dict[str, Any]] = {
    TEXT: {"type": TEXT, "text": ""},
    THINKING: {"type": THINKING, "thinking": "", "signature": ""},
}
_GROWS = {TEXT: "text", CALL: "input"}  # the field that holds what came in pieces


class Events:
    """Writes events, and knows which block is open."""

    def __init__(self) -> None:
        self._out: list[bytes] = []
        self._index = -1  # of the last block
        self._open = ""  # the type of the open block
        self._blank: tuple[str, list[str]] = ("", [])  # white space that is sent only where words follow
        self._said_nothing = True  # in the open block
        self._pieces: list[str] = []  # of the open block
        self.blocks: list[dict[str, Any]] = []
        """The texts and calls that are closed, as the client has them; arguments are one text."""
        self.characters = 0  # sent in all blocks

    def taken(self) -> bytes:
        """What was written since it was last taken."""
        out = b"".join(self._out)
        self._out.clear()
        return out

    def start(self, message_id: str, model: str, usage: Usage) -> None:
        message: dict[str, Any] = {
            "id": message_id,
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage_written(usage),
        }
        self._write({"type": "message_start", "message": message})

    def say(self, kind: str, text: str) -> None:
        """Text of the kind TEXT or THINKING, in its open block or a new one. No block is all white space:
        Anthropic refuses such when they come back."""
        if self._open != kind:
            if self._blank[0] != kind:
                self._blank = (kind, [])
            self._blank[1].append(text)
            if not text.strip():
                return
            text = "".join(self._blank[1])
            self.close()
            self._begin(kind, _EMPTY[kind])
        self._delta({"type": f"{kind}_delta", kind: text}, text)

    def call(self, call_id: str, name: str) -> None:
        """Begin a call."""
        self.close()
        self._begin(CALL, {"type": CALL, "id": call_id, "name": name, "input": {}})

    def arguments(self, text: str) -> None:
        """A piece of the open call's arguments."""
        self._delta({"type": "input_json_delta", "partial_json": text}, text)

    def close(self) -> None:
        """End the open block, if there is one."""
        self._blank = ("", [])
        if self._open == THINKING:
            self._delta({"type": "signature_delta", "signature": thoughts.MARK}, "")
        elif self._open == CALL and self._said_nothing:
            self.arguments("{}")
        if self._open:
            self._write({"type": "content_block_stop", "index": self._index})
            if self._open != THINKING:
                self.blocks[-1][_GROWS[self._open]] = "".join(self._pieces)
        self._open = ""

    def stop(self, reason: str, usage: Usage) -> None:
        """End the message."""
        self.close()
        delta = {"stop_reason": reason, "stop_sequence": None}
        self._write({"type": "message_delta", "delta": delta, "usage": usage_written(usage)})
        self._write({"type": "message_stop"})

    def error(self, status: int, error: Any) -> None:
        """End the stream without an end of the message."""
        self._out.append(b"event: error\ndata: " + error_of(status, error)[1] + b"\n\n")

    def _begin(self, kind: str, block: dict[str, Any]) -> None:
        self._index += 1
        self._open = kind
        self._said_nothing = True
        self._pieces.clear()
        if kind != THINKING:
            self.blocks.append(dict(block))
        self._write({"type": "content_block_start", "index": self._index, "content_block": block})

    def _delta(self, delta: dict[str, Any], text: str) -> None:
        self.characters += len(text)
        self._pieces.append(text)
        self._said_nothing = self._said_nothing and not text.strip()
        self._write({"type": "content_block_delta", "index": self._index, "delta": delta})

    def _write(self, value: dict[str, Any]) -> None:
        self._out.append(b"event: " + value["type"].encode() + b"\ndata: " + written(value) + b"\n\n")
