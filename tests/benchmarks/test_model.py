"""The benchmark's model is understood by the official client, so that its answers are what clients get."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from openai import AsyncOpenAI

from benchmarks.answers import CHUNKS
from benchmarks.model import Connection


@pytest.fixture
async def client() -> AsyncIterator[AsyncOpenAI]:
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with server, AsyncOpenAI(base_url=url, api_key="none") as client:
        yield client


@pytest.mark.parametrize("model", ["bench-burst", "bench-paced"])
async def test_chat_streams_are_whole(client: AsyncOpenAI, model: str) -> None:
    stream = await client.chat.completions.create(
        model=model, stream=True, messages=[{"role": "user", "content": "Hello"}]
    )
    chunks = [chunk async for chunk in stream]
    assert len([chunk for chunk in chunks if chunk.choices[0].delta.content]) == CHUNKS
    assert chunks[-1].choices[0].finish_reason == "stop"


async def test_responses_streams_say_at_the_end_what_they_said_before(client: AsyncOpenAI) -> None:
    stream = await client.responses.create(model="bench-burst", stream=True, input="Hello")
    events = [event async for event in stream]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    said = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    last = events[-1]
    assert last.type == "response.completed"
    assert last.response.output_text == said


async def test_answers_at_once_are_whole(client: AsyncOpenAI) -> None:
    response = await client.responses.create(model="bench-json", input="Hello")
    assert response.output_text.startswith("The answer")
    assert response.usage
    assert response.usage.total_tokens == 2200
