"""The official packages, sync and async, behind one way of calling them."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import anthropic
import openai

Manner = Literal["sync", "async"]
_SECONDS = 120.0  # a hang guard for one answer


@dataclass(frozen=True)
class Clients:
    """Both packages pointed at one server. `headers` are those of the answers that came, oldest first."""

    openai: Any
    anthropic: Any
    headers: list[Any] = field(default_factory=list)

    @property
    def turn(self) -> str:
        """The id of the turn that was answered last."""
        return str(self.headers[-1]["x-metaclaw-turn"])


@asynccontextmanager
async def clients(
    manner: Manner, base_url: str, anthropic_base_url: str, token: str = "unused"
) -> AsyncIterator[Clients]:
    """Clients that ask once, and only what they are told to."""
    headers: list[Any] = []

    def note(response: Any) -> None:
        headers.append(response.headers)

    async def note_later(response: Any) -> None:
        headers.append(response.headers)

    common: dict[str, Any] = {"api_key": token, "max_retries": 0, "timeout": _SECONDS}
    hooks: dict[str, Any] = {"event_hooks": {"response": [note if manner == "sync" else note_later]}}
    if manner == "sync":
        own = {"http_client": openai.DefaultHttpxClient(trust_env=False, **hooks)}
        theirs = {"http_client": anthropic.DefaultHttpxClient(trust_env=False, **hooks)}
        made = Clients(
            openai.OpenAI(base_url=base_url, **own, **common),
            anthropic.Anthropic(base_url=anthropic_base_url, **theirs, **common),
            headers,
        )
    else:
        own = {"http_client": openai.DefaultAsyncHttpxClient(trust_env=False, **hooks)}
        theirs = {"http_client": anthropic.DefaultAsyncHttpxClient(trust_env=False, **hooks)}
        made = Clients(
            openai.AsyncOpenAI(base_url=base_url, **own, **common),
            anthropic.AsyncAnthropic(base_url=anthropic_base_url, **theirs, **common),
            headers,
        )
    try:
        yield made
    finally:
        await settled(made.openai.close())
        await settled(made.anthropic.close())


async def settled(value: Awaitable[Any] | Any) -> Any:
    """What a call gives, in either manner."""
    return await value if inspect.isawaitable(value) else value


async def some(stream: Any) -> AsyncIterator[Any]:
    """The events of a stream, in either manner."""
    if hasattr(stream, "__aiter__"):
        async for event in stream:
            yield event
    else:
        for event in stream:
            yield event


async def every(stream: Any) -> list[Any]:
    """All events of a stream, in either manner."""
    return [event async for event in some(stream)]


@asynccontextmanager
async def opened(manager: Any) -> AsyncIterator[Any]:
    """Inside a context manager, in either manner."""
    if hasattr(manager, "__aenter__"):
        async with manager as inner:
            yield inner
    else:
        with manager as inner:
            yield inner
