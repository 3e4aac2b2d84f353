"""The demonstration's agent: the official `openai` package, talking to the proxy as any client would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from metaclaw_tray.demo.cases import SYSTEM
from metaclaw_tray.errors import KnownError, UpstreamError

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageParam

_ANSWER_TOKENS = 160
_SECONDS = 300.0


@dataclass(frozen=True)
class Reply:
    """An answer, and what the proxy says of it in its headers."""

    text: str
    turn: str
    skills: tuple[str, ...]  # "name@version"


class Agent:
    """One conversation after another, each in a session of its own."""

    def __init__(self, base_url: str, model: str) -> None:
        try:
            from openai import OpenAI
        except ImportError as error:
            raise KnownError(
                "The `openai` package is missing",
                "The demonstration talks to the proxy through it.",
                "Install it: `pip install 'metaclaw-tray[demo]'`.",
            ) from error
        self._client = OpenAI(base_url=base_url, api_key="unused", timeout=_SECONDS, max_retries=0)
        self._model = model
        self._messages: list[ChatCompletionMessageParam] = []
        self._session = ""

    def begin(self, session: str) -> None:
        """A new conversation."""
        self._session = session
        self._messages = [{"role": "system", "content": SYSTEM}]

    def ask(self, words: str) -> Reply:
        """Say something and wait for the streamed answer. Raises UpstreamError where none comes."""
        from openai import OpenAIError

        self._messages.append({"role": "user", "content": words})
        try:
            response = self._client.chat.completions.with_raw_response.create(
                model=self._model,
                messages=self._messages,
                stream=True,
                temperature=0,
                max_tokens=_ANSWER_TOKENS,
                extra_headers={"X-Session-Id": self._session},
            )
            pieces = [chunk.choices[0].delta.content or "" for chunk in response.parse() if chunk.choices]
        except OpenAIError as error:
            raise UpstreamError("The model did not answer", str(error), "") from error
        text = "".join(pieces)
        self._messages.append({"role": "assistant", "content": text})
        skills = response.headers.get("x-metaclaw-skills", "")
        return Reply(
            text.strip(),
            response.headers.get("x-metaclaw-turn", ""),
            tuple(each.strip() for each in skills.split(",") if each.strip()),
        )
