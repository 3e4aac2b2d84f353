"""An upstream of chat completions that thinks before each answer and, as DeepSeek does, refuses a
conversation in which one of its answers lacks what it thought; and clients that never send it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Protocol

import aiohttp

from metaclaw_tray.wire.dialects import DIALECTS
from proxy.upstream import DONE, Saw, Wire

MISSING = "The `reasoning_content` in the thinking mode must be passed back to the API."
PATHS = {"messages": "/messages", "responses": "/responses"}


@dataclass
class Thinker:
    """Answers what it is told to; strict where an assistant's message has no thoughts."""

    strict: bool = True
    thinks: bool = True
    calls: list[str] = field(default_factory=list)  # ids of the calls of the next answer
    text: str = "It is done."
    secret: str = ""  # in its thoughts
    answered: int = 0
    got: list[dict[str, Any]] = field(default_factory=list)  # requests

    @property
    def thought(self) -> str:
        """What it thinks before its latest answer."""
        return f"The person wants it, number {self.answered}.\nSo I do it.{self.secret}"

    @property
    def returned(self) -> list[str | None]:
        """The thoughts in the latest request, one for each answer."""
        said = [each for each in self.got[-1]["messages"] if each["role"] == "assistant"]
        return [each.get("reasoning_content") for each in said]

    async def __call__(self, saw: Saw, wire: Wire) -> None:
        self.got.append(saw.json)
        if self.strict and not all(self.returned):
            error = {"message": MISSING, "type": "invalid_request_error", "param": None, "code": "invalid"}
            await wire.answer(json.dumps({"error": error}).encode(), "400 Bad Request")
            return
        self.answered += 1
        message = self._message()
        if saw.json.get("stream"):
            await self._stream(message, wire)
        else:
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            await wire.answer(json.dumps({"id": "c1", "model": "m", "choices": [choice]}).encode())

    def _message(self) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.thinks:
            message["reasoning_content"] = self.thought
        if self.calls:
            function = {"name": "read", "arguments": '{"path": "a.txt"}'}
            message["tool_calls"] = [
                {"index": n, "id": each, "type": "function", "function": function}
                for n, each in enumerate(self.calls)
            ]
        return message

    async def _stream(self, message: dict[str, Any], wire: Wire) -> None:
        thought = message.pop("reasoning_content", "")
        deltas: list[dict[str, Any]] = [{"reasoning_content": each} for each in thought.splitlines(True)]
        deltas += [{"content": message["content"]}]
        deltas += [{"tool_calls": [call]} for call in message.get("tool_calls", ())]
        await wire.stream_head()
        for place, each in enumerate([*deltas, {}]):
            finish = "stop" if place == len(deltas) else None
            chunk = {"id": "c1", "choices": [{"index": 0, "delta": each, "finish_reason": finish}]}
            await wire.chunk(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        await wire.chunk(DONE)
        await wire.end()


class Reached(Protocol):
    """Something that serves an agent."""

    @property
    def url(self) -> str: ...

    @property
    def client(self) -> aiohttp.ClientSession: ...


@dataclass
class Forgetful:
    """A client that keeps texts and calls of its answers, and drops the thoughts."""

    house: Reached
    dialect: str
    stream: bool
    url: str = ""
    said: list[dict[str, Any]] = field(default_factory=list)
    status: int = 0
    heard: bytes = b""

    async def say(self, words: str) -> None:
        self.said.append({"role": "user", "content": words})
        await self.go_on()

    async def give(self, *call_ids: str) -> None:
        """The results of calls."""
        if self.dialect == "messages":
            results = [{"type": "tool_result", "tool_use_id": each, "content": "text"} for each in call_ids]
            self.said.append({"role": "user", "content": results})
        else:
            self.said += [
                {"type": "function_call_output", "call_id": each, "output": "text"} for each in call_ids
            ]
        await self.go_on()

    def body(self) -> dict[str, Any]:
        if self.dialect == "messages":
            return {"model": "m", "max_tokens": 9, "messages": self.said, "stream": self.stream}
        instructions = {"role": "developer", "content": "Be brief."}
        return {"model": "m", "store": False, "input": [instructions, *self.said], "stream": self.stream}

    async def go_on(self) -> None:
        url = f"{self.url or self.house.url}{PATHS[self.dialect]}"
        async with self.house.client.post(url, json=self.body()) as response:
            self.status, self.heard = response.status, await response.read()
            kind = response.headers["Content-Type"]
        if self.status == 200:
            self.said += self._kept(kind)

    def _kept(self, kind: str) -> list[dict[str, Any]]:
        message = DIALECTS[self.dialect].assemble(self.heard, kind).message
        assert message is not None
        calls = message.get("tool_calls", [])
        if self.dialect == "messages":
            blocks: list[dict[str, Any]] = [{"type": "text", "text": message["content"]}]
            blocks += [
                {
                    "type": "tool_use",
                    "id": each["id"],
                    "name": each["function"]["name"],
                    "input": json.loads(each["function"]["arguments"]),
                }
                for each in calls
            ]
            return [{"role": "assistant", "content": blocks}]
        items: list[dict[str, Any]] = [
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": message["content"]}],
            }
        ]
        return items + [
            {
                "type": "function_call",
                "call_id": each["id"],
                "name": each["function"]["name"],
                "arguments": each["function"]["arguments"],
            }
            for each in calls
        ]
