"""Agents that talk while everything around them may be killed."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import httpx

from slow.topics import rule_about

_SECONDS = 20.0  # a hang guard for one answer


class Talker:
    """An agent in a thread of its own: streams one conversation after another until it is left.

    In each the person corrects the first answer with a rule for always, and says thanks to the second.
    Answers that break off, and connections that are refused, are what the test is about; they end the
    conversation.
    """

    def __init__(self, base_url: str, seed: int) -> None:
        self._base_url = base_url
        self._rng = random.Random(seed)
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._talk, name=f"talker-{seed}")
        self.answers = 0  # whole ones
        self.broken = 0
        self.turns: set[str] = set()  # ids that the answers' headers named

    def __enter__(self) -> Talker:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()
        self._thread.join(2 * _SECONDS)

    def leave(self) -> None:
        """Begin no more conversations."""
        self._leaving.set()

    def _talk(self) -> None:
        with httpx.Client(base_url=self._base_url, timeout=_SECONDS, trust_env=False) as client:
            while not self._leaving.is_set():
                try:
                    self._converse(client)
                except httpx.TransportError:
                    self.broken += 1
                    self._leaving.wait(0.05)

    def _converse(self, client: httpx.Client) -> None:
        topic, rule = rule_about(self._rng)
        said = [
            f"Tell me about {topic} number {self._rng.randrange(10**6)}, please.",
            f"No, that is not right. {rule}",
            f"Thank you, that is it. And what else is there about {topic}?",
        ]
        messages: list[dict[str, str]] = [{"role": "system", "content": "You help a person with lists."}]
        for text in said:
            messages.append({"role": "user", "content": text})
            answer = self._ask(client, messages)
            if answer is None or self._leaving.is_set():
                return
            messages.append({"role": "assistant", "content": answer})

    def _ask(self, client: httpx.Client, messages: list[dict[str, str]]) -> str | None:
        """One streamed answer, or nothing where it did not come whole."""
        request = {"model": "scripted", "stream": True, "messages": messages}
        with client.stream("POST", "chat/completions", json=request) as response:
            if response.status_code != httpx.codes.OK:
                self.broken += 1
                return None
            self.turns.add(response.headers["x-metaclaw-turn"])
            words = list(_words(response.iter_lines()))
        if words[-1:] != [None]:
            self.broken += 1
            return None
        self.answers += 1
        return "".join(word for word in words if word)


def _words(lines: Iterator[str]) -> Iterator[str | None]:
    """The content of each chunk, and None at the end of a whole stream."""
    for line in lines:
        data = line.removeprefix("data: ")
        if data == "[DONE]":
            yield None
        elif data:
            chunk: dict[str, Any] = json.loads(data)
            yield chunk["choices"][0]["delta"].get("content", "")
