from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest

from metaclaw_tray.embedded.offers import KEYS, Offer, find_servers


@asynccontextmanager
async def server(answer: bytes | None):
    """Sends the same bytes to everybody; None keeps silent."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            if answer is None:
                await reader.read()
            else:
                writer.write(answer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with listening:
        port = listening.sockets[0].getsockname()[1]
        yield Offer("Ollama", "ollama", f"http://127.0.0.1:{port}/v1", "chat")


def http(body: bytes, status: str = "200 OK") -> bytes:
    return b"HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n%b" % (status.encode(), len(body), body)


async def test_a_server_is_offered_with_its_models():
    listing = http(b'{"object":"list","data":[{"id":"llama3.2:3b","object":"model"},{"id":"qwen3:4b"}]}')
    async with server(listing) as ollama:
        (offer,) = await find_servers({}, [ollama])
    assert offer.models == ("llama3.2:3b", "qwen3:4b")
    assert str(offer) == f"Ollama on {ollama.base_url}: llama3.2:3b, qwen3:4b"


@pytest.mark.parametrize(
    "answer",
    [
        http(b"<html>a web shop</html>"),
        http(b'{"data": []}'),
        http(b'{"data": "models"}'),
        http(b'{"data":[{"id":"x"}]}', "401 Unauthorized"),
        http(b" " * 1_100_000 + b'{"data":[{"id":"x"}]}'),
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"",
        None,
    ],
    ids=["page", "no models", "other shape", "refused", "huge", "another protocol", "hung up", "silent"],
)
async def test_what_is_no_model_server_is_not_offered(answer):
    async with server(answer) as something:
        assert await find_servers({}, [something]) == []


async def test_a_redirect_away_from_this_machine_is_not_followed():
    away = b"HTTP/1.1 302 Found\r\nLocation: https://example.org/\r\nContent-Length: 0\r\n\r\n"
    async with server(away) as something:
        assert await find_servers({}, [something]) == []


async def test_keys_are_offered_by_name_and_never_by_value():
    offers = await find_servers({"OPENROUTER_API_KEY": "sk-or-very-secret", "ANTHROPIC_API_KEY": ""}, [])
    assert [offer.key_env for offer in offers] == ["OPENROUTER_API_KEY"]
    assert "very-secret" not in repr(offers)


def test_each_key_says_which_dialect_its_provider_speaks():
    assert {offer.key_env: offer.dialect for offer in KEYS} == {
        "OPENAI_API_KEY": "chat",
        "ANTHROPIC_API_KEY": "messages",
        "OPENROUTER_API_KEY": "chat",
    }
