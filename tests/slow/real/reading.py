"""What a request says, in each dialect, as far as a play depends on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from slow.real.plays import Asked

Body = dict[str, Any]


def read_messages(body: Body) -> Asked:
    def told() -> Iterator[str | None]:
        for message in body["messages"]:
            if message["role"] != "user":
                continue
            content = message["content"]
            for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                if block["type"] in ("text", "tool_result"):
                    yield block.get("text") if block["type"] == "text" else None

    tools = frozenset(tool["name"] for tool in body.get("tools") or ())
    return _asked(told(), tools, body)


def read_chat(body: Body) -> Asked:
    def told() -> Iterator[str | None]:
        for message in body["messages"]:
            if message["role"] == "tool":
                yield None
            elif message["role"] == "user":
                yield from _texts(message["content"])

    tools = frozenset(tool["function"]["name"] for tool in body.get("tools") or ())
    return _asked(told(), tools, body)


def read_responses(body: Body) -> Asked:
    items = [{"role": "user", "content": body["input"]}] if isinstance(body["input"], str) else body["input"]

    def told() -> Iterator[str | None]:
        for item in items:
            if item.get("type", "").endswith("_output"):
                yield None
            elif item.get("role") == "user":
                yield from _texts(item["content"])

    named = [*(body.get("tools") or ())]
    named += [tool for item in items if item.get("type") == "additional_tools" for tool in item["tools"]]
    return _asked(told(), frozenset(tool.get("name") or tool["type"] for tool in named), body)


READERS: dict[str, Callable[[Body], Asked]] = {
    "messages": read_messages,
    "chat": read_chat,
    "responses": read_responses,
}


def _texts(content: str | list[Any]) -> list[str]:
    return [content] if isinstance(content, str) else [part["text"] for part in content if "text" in part]


def _asked(told: Iterator[str | None], tools: frozenset[str], body: Body) -> Asked:
    said: list[str] = []
    results: list[int] = []
    for text in told:
        if text is not None:
            said.append(text)
            results.append(0)
        elif results:
            results = [count + 1 for count in results]
    return Asked(tuple(said), tuple(results), tools, bool(body.get("stream")), body.get("model", ""))
