"""The scripted model is spoken to by the official client, and says the same each time."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from openai import AsyncOpenAI

from support.scripted_learner import answer_schema, chat_answer
from support.scripted_llm import STREAM_CHUNKS, serving

_RULE = "Always put the unit behind the number."


@pytest.fixture
async def client() -> AsyncIterator[AsyncOpenAI]:
    async with serving() as url, AsyncOpenAI(base_url=url, api_key="none") as client:
        yield client


def _user(text: str) -> Any:
    return {"role": "user", "content": text}


async def test_it_lists_its_models(client: AsyncOpenAI) -> None:
    assert {"json", "burst", "paced"} <= {model.id async for model in client.models.list()}


@pytest.mark.parametrize("model", ["burst", "paced", "scripted"])
async def test_every_kind_of_stream_is_whole(client: AsyncOpenAI, model: str) -> None:
    stream = await client.chat.completions.create(model=model, stream=True, messages=[_user("Hello")])
    chunks = [chunk async for chunk in stream]
    assert chunks[-1].choices[0].finish_reason == "stop"
    words = [chunk.choices[0].delta.content or "" for chunk in chunks[:-1]]
    if model == "scripted":
        assert "".join(words) == chat_answer([_user("Hello")])
    else:
        assert len(words) == STREAM_CHUNKS


async def test_a_call_with_a_schema_gets_an_answer_that_fits(client: AsyncOpenAI) -> None:
    schema: Any = {"type": "object", "properties": {"score": {"type": "integer", "enum": [-1, 0, 1]}}}
    answer = await client.chat.completions.create(
        model="scripted",
        messages=[_user(f"The person said: No. {_RULE}")],
        response_format={"type": "json_schema", "json_schema": {"name": "verdict", "schema": schema}},
    )
    assert json.loads(answer.choices[0].message.content or "") == {"score": -1}


def test_a_rule_in_front_of_the_model_is_followed_and_a_judge_sees_it() -> None:
    followed = chat_answer([{"role": "system", "content": _RULE}, _user("How long is it?")])
    schema = {
        "type": "object",
        "properties": {"score": {"enum": [-1, 0, 1]}, "rule": {"enum": ["", _RULE]}},
    }
    shown = f"Request: How long is it?\nTo another answer the person said: {_RULE}\nAnswer: "
    assert answer_schema(schema, [_user(shown + followed)]) == {"score": 1, "rule": _RULE}
    assert answer_schema(schema, [_user(shown + "Twelve.")]) == {"score": -1, "rule": _RULE}
