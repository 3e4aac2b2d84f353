"""The agent of the benchmark: one conversation after another, through the proxy."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import httpx

from metaclaw_tray.errors import UpstreamError

SYSTEM = "You are the assistant of a small team. Be brief."

_ANSWER_TOKENS = 200
_SECONDS = 300.0  # a hang guard: the embedded model answers in a few


@dataclass(frozen=True)
class Reply:
    """An answer, and what the proxy says of it in its headers."""

    text: str
    turn: str
    skills: list[str]  # "name@version"
    seconds: float
    input_tokens: int
    output_tokens: int


class Agent:
    """Talks to the proxy with the address that it was given, each conversation in a session of its own."""

    def __init__(self, name: str, base_url: str, model: str) -> None:
        self.name = name
        self._model = model
        self._client = httpx.Client(base_url=base_url, timeout=_SECONDS, trust_env=False)
        self._messages: list[dict[str, str]] = []
        self._session = ""

    def close(self) -> None:
        self._client.close()

    def begin(self, session: str) -> str:
        """A new conversation; the id that the app has for its session."""
        self._session = session
        self._messages = [{"role": "system", "content": SYSTEM}]
        return f"{self.name}/{session}"

    def ask(self, words: str) -> Reply:
        """Say something and wait for the answer. Raises UpstreamError where none comes."""
        self._messages.append({"role": "user", "content": words})
        body = {
            "model": self._model,
            "messages": self._messages,
            "temperature": 0,
            "max_tokens": _ANSWER_TOKENS,
        }
        begun = time.monotonic()
        try:
            answer = self._client.post(
                "/chat/completions", json=body, headers={"X-Session-Id": self._session}
            )
        except httpx.HTTPError as error:
            raise UpstreamError("The model did not answer", repr(error), "") from error
        if answer.status_code != httpx.codes.OK:
            raise UpstreamError("The model did not answer", f"{answer.status_code}: {answer.text[:300]}", "")
        told: dict[str, Any] = answer.json()
        text = str(told["choices"][0]["message"].get("content") or "")
        self._messages.append({"role": "assistant", "content": text})
        usage = told.get("usage") or {}
        skills = answer.headers.get("x-metaclaw-skills", "")
        return Reply(
            text.strip(),
            answer.headers.get("x-metaclaw-turn", ""),
            [each.strip() for each in skills.split(",") if each.strip()],
            time.monotonic() - begun,
            int(usage.get("prompt_tokens", 0)),
            int(usage.get("completion_tokens", 0)),
        )
