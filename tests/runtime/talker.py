"""A client that talks for a long time, in any dialect, as real ones do; and what a model says to it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

DIALECTS = ("chat", "messages", "responses", "instructions")
"""The last one is responses with `instructions`, as clients without developer items send them."""

PATHS = {"chat": "/chat/completions", "messages": "/messages"}
_SYSTEM = "You are a helpful agent. Work carefully."
_SUMMARY = (
    "This session is being continued from a previous conversation that ran out of context. We spoke of "
)


@dataclass
class Talk:
    """One thread. `said` holds what went to and fro, in no dialect: ("user", words), ("call", id),
    ("result", id), ("answer", words)."""

    dialect: str
    system: str = _SYSTEM
    said: list[tuple[str, str]] = field(default_factory=list)
    turn: int = 0

    def branch(self, keep: int, system: str | None = None) -> Talk:
        return Talk(self.dialect, system or self.system, self.said[:keep], self.turn)

    def user(self, words: str) -> None:
        self.said.append(("user", words))

    def compact(self) -> None:
        self.said = [("user", _SUMMARY + "many things.")]

    def body(self) -> dict[str, Any]:
        """The request, with the noise that this client makes."""
        self.turn += 1
        return getattr(self, f"_{self.dialect}")()

    def heard(self, answer: dict[str, Any]) -> bool:
        """Take in an answer; True where it asks for a tool, whose result is there now."""
        text, call = read_answer(self.dialect, answer)
        if not call:
            self.said.append(("answer", text))
            return False
        self.said += [("call", call), ("result", call)]
        return True

    def _chat(self) -> dict[str, Any]:
        messages: list[dict[str, Any]] = [{"role": "system", "content": self.system}]
        for place, (what, text) in enumerate(self.said):
            parts = self.turn % 2 and place == len(self.said) - 1  # now a text, now a list
            match what:
                case "user":
                    content: Any = [{"type": "text", "text": text}] if parts else text
                    messages.append({"role": "user", "content": content})
                case "answer":
                    messages.append({"role": "assistant", "content": text, "refusal": None})
                case "call":
                    function = {"name": "look", "arguments": json.dumps({"at": text})}
                    call = {"id": text, "type": "function", "function": function}
                    messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
                case "result":
                    messages.append({"role": "tool", "tool_call_id": text, "content": f"result of {text}"})
        return {"model": "m", "messages": messages, "temperature": 0.70, "tools": []}

    def _messages(self) -> dict[str, Any]:
        messages: list[dict[str, Any]] = []
        marker = {"cache_control": {"type": "ephemeral"}}
        for place, (what, text) in enumerate(self.said):
            last = place == len(self.said) - 1
            match what:
                case "user":
                    part = {"type": "text", "text": text}
                    content: Any = [part | marker] if last else text
                    messages.append({"role": "user", "content": content})
                case "answer":
                    messages.append({"role": "assistant", "content": [{"type": "text", "text": text}]})
                case "call":
                    thought = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
                    use = {"type": "tool_use", "id": text, "name": "look", "input": {"at": text}}
                    messages.append({"role": "assistant", "content": [thought, use]})
                case "result":
                    result: dict[str, Any] = {
                        "type": "tool_result",
                        "tool_use_id": text,
                        "content": f"result of {text}",
                    }
                    messages.append({"role": "user", "content": [result | marker if last else result]})
        system = [{"type": "text", "text": "Today."}, {"type": "text", "text": self.system} | marker]
        return {"model": "m", "max_tokens": 99, "system": system, "messages": messages}

    def _responses(self) -> dict[str, Any]:
        leading = [
            {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": self.system}]}
        ]
        return {"model": "m", "store": False, "input": [*leading, *self._items()]}

    def _instructions(self) -> dict[str, Any]:
        return {"model": "m", "store": False, "instructions": self.system, "input": self._items()}

    def _items(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = []
        for what, text in self.said:
            match what:
                case "user":
                    content = [{"type": "input_text", "text": text}]
                    items.append({"type": "message", "role": "user", "content": content})
                case "answer":
                    content = [{"type": "output_text", "text": text, "annotations": []}]
                    items.append({"type": "message", "role": "assistant", "content": content})
                case "call":
                    items.append(
                        {"type": "reasoning", "id": f"rs_{text}", "summary": [], "encrypted_content": "e"}
                    )
                    arguments = json.dumps({"at": text})
                    items.append(
                        {"type": "function_call", "call_id": text, "name": "look", "arguments": arguments}
                    )
                case "result":
                    items.append(
                        {"type": "function_call_output", "call_id": text, "output": f"result of {text}"}
                    )
        return items


def model_says(dialect: str, text: str, call: str, number: int) -> dict[str, Any]:
    """A whole answer: a text, or where `call` is given a call of a tool."""
    match dialect:
        case "chat":
            message: dict[str, Any] = {"role": "assistant", "content": None if call else text}
            if call:
                function = {"name": "look", "arguments": json.dumps({"at": call}, separators=(",", ":"))}
                message["tool_calls"] = [{"id": call, "type": "function", "function": function}]
            return {
                "id": f"c{number}",
                "model": "m",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            }
        case "messages":
            thought = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
            use = {"type": "tool_use", "id": call, "name": "look", "input": {"at": call}}
            content = [thought, use] if call else [{"type": "text", "text": text}]
            usage = {"input_tokens": 9, "output_tokens": 3}
            stopped = "tool_use" if call else "end_turn"
            return {
                "id": f"m{number}", "type": "message", "role": "assistant", "model": "m",
                "content": content, "stop_reason": stopped, "usage": usage,
            }  # fmt: skip
        case _:
            arguments = json.dumps({"at": call})
            reasoning = {"type": "reasoning", "id": f"rs_{call}", "summary": [], "encrypted_content": "e"}
            used = {
                "type": "function_call",
                "id": "fc",
                "call_id": call,
                "name": "look",
                "arguments": arguments,
            }
            part = {"type": "output_text", "text": text, "annotations": []}
            said = {
                "type": "message",
                "id": "msg",
                "role": "assistant",
                "status": "completed",
                "content": [part],
            }
            output = [reasoning, used] if call else [said]
            return {
                "id": f"resp_{number}",
                "object": "response",
                "status": "completed",
                "model": "m",
                "output": output,
            }


def read_answer(dialect: str, answer: dict[str, Any]) -> tuple[str, str]:
    """The text of an answer, and the id of the call in it."""
    match dialect:
        case "chat":
            message = answer["choices"][0]["message"]
            calls = message.get("tool_calls") or [{"id": ""}]
            return message.get("content") or "", calls[0]["id"]
        case "messages":
            text = "".join(part.get("text", "") for part in answer["content"])
            return text, next((part["id"] for part in answer["content"] if part["type"] == "tool_use"), "")
        case _:
            output = answer["output"]
            text = "".join(
                part["text"] for item in output if item["type"] == "message" for part in item["content"]
            )
            return text, next((item["call_id"] for item in output if item["type"] == "function_call"), "")


def units(dialect: str, body: dict[str, Any]) -> list[str]:
    """What a request says, piece by piece, as text: its instructions first. The markers of caches, which
    clients move about, are left out, and one text is a list of one part."""
    head: list[Any] = []
    if dialect == "messages":
        head = body["system"]
    elif dialect == "instructions":
        head = [body["instructions"]]
    said = body["messages"] if dialect in ("chat", "messages") else body["input"]
    return [json.dumps(_plain(each), sort_keys=False) for each in (*head, *said)]


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    plain = {key: _plain(each) for key, each in value.items() if key != "cache_control"}
    if isinstance(plain.get("content"), str) and "role" in plain:
        plain["content"] = [{"type": "text", "text": plain["content"]}]
    return plain
