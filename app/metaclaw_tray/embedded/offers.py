"""What this machine has already: model servers on the loopback and keys in the environment.

Offered before anything is downloaded. Nobody but the loopback is asked, and of a key only the name is read.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import httpx
import msgspec

ANSWER_SECONDS = 0.3
_ANSWER_BYTES = 1024 * 1024  # a longer list of models is none


@dataclass(frozen=True)
class Offer:
    """An upstream that could be used at once. `models` is empty for a key: its provider was not asked."""

    label: str
    name: str  # for the upstream
    base_url: str
    dialect: Literal["chat", "messages"]
    models: tuple[str, ...] = ()
    key_env: str = ""

    def __str__(self) -> str:
        if self.key_env:
            return f"{self.label}: the key in {self.key_env}"
        return f"{self.label} on {self.base_url}: {', '.join(self.models)}"


SERVERS = (
    Offer("Ollama", "ollama", "http://127.0.0.1:11434/v1", "chat"),
    Offer("LM Studio", "lmstudio", "http://127.0.0.1:1234/v1", "chat"),
    Offer("A model server", "local", "http://127.0.0.1:8080/v1", "chat"),  # as llama.cpp does
)
KEYS = (
    Offer("OpenAI", "openai", "https://api.openai.com/v1", "chat", key_env="OPENAI_API_KEY"),
    Offer("Anthropic", "anthropic", "https://api.anthropic.com/v1", "messages", key_env="ANTHROPIC_API_KEY"),
    Offer("OpenRouter", "openrouter", "https://openrouter.ai/api/v1", "chat", key_env="OPENROUTER_API_KEY"),
)


class _Named(msgspec.Struct):
    id: str


class _Listing(msgspec.Struct):
    """The answer of GET /v1/models, as far as it matters here."""

    data: list[_Named]


async def find_servers(
    environ: Mapping[str, str] = os.environ, servers: Sequence[Offer] = SERVERS
) -> list[Offer]:
    """Servers that answer now with at least one model, then keys that are set."""
    async with httpx.AsyncClient(trust_env=False, timeout=ANSWER_SECONDS) as client:
        found = await asyncio.gather(*(_ask(client, server) for server in servers))
    return [offer for offer in found if offer] + [offer for offer in KEYS if environ.get(offer.key_env)]


async def _ask(client: httpx.AsyncClient, server: Offer) -> Offer | None:
    """The server with its models, or None when it is not there or is something else."""
    body = bytearray()
    try:
        async with (
            asyncio.timeout(ANSWER_SECONDS),
            client.stream("GET", f"{server.base_url}/models") as response,
        ):
            if response.status_code != httpx.codes.OK:
                return None
            async for block in response.aiter_bytes():
                body += block
                if len(body) > _ANSWER_BYTES:
                    return None
        listing = msgspec.json.decode(bytes(body), type=_Listing)
    except (httpx.HTTPError, TimeoutError, msgspec.DecodeError):
        return None
    models = tuple(model.id for model in listing.data)
    return Offer(server.label, server.name, server.base_url, server.dialect, models) if models else None
