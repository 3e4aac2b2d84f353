"""What agents ask through the official packages, in each dialect: one function for each kind of request.

Each gives all that the package made of the answer: the object, or the events of the stream and what they
came to.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import BaseModel

from slow.official import Clients, every, opened, settled

Ask = Callable[[Clients, str], Awaitable[Any]]

HELLO = [{"role": "user", "content": "Say hello in one word."}]
WEATHER = [{"role": "user", "content": "Weather in Paris?"}]
_CITY = [{"role": "user", "content": 'Say this and nothing else: {"city": "Paris", "big": true}'}]
_SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
_ABOUT: dict[str, Any] = {"name": "weather", "description": "Weather of a city"}
CHAT_TOOLS = [{"type": "function", "function": {**_ABOUT, "parameters": _SCHEMA}}]
MESSAGES_TOOLS = [{**_ABOUT, "input_schema": _SCHEMA}]
RESPONSES_TOOLS = [{"type": "function", **_ABOUT, "parameters": _SCHEMA, "strict": False}]

CHAT: dict[str, Any] = {"temperature": 0, "seed": 1, "max_tokens": 36}
MESSAGES: dict[str, Any] = {"max_tokens": 36, "extra_body": {"temperature": 0, "seed": 1}}
RESPONSES: dict[str, Any] = {"temperature": 0, "max_output_tokens": 36, "extra_body": {"seed": 1}}

_SHORT = {**CHAT, "max_tokens": 8}


class City(BaseModel):
    city: str
    big: bool


async def chat(to: Clients, model: str) -> Any:
    return await settled(to.openai.chat.completions.create(model=model, messages=HELLO, **CHAT))


async def chat_streamed(to: Clients, model: str) -> Any:
    asked = {"stream": True, "stream_options": {"include_usage": True}}
    stream = to.openai.chat.completions.create(model=model, messages=HELLO, **asked, **CHAT)
    return await every(await settled(stream))


async def chat_with_tools(to: Clients, model: str) -> Any:
    tools = {"tools": CHAT_TOOLS, "tool_choice": "auto"}
    return await settled(to.openai.chat.completions.create(model=model, messages=WEATHER, **tools, **CHAT))


async def chat_with_a_forced_tool(to: Clients, model: str) -> Any:
    choice = {"type": "function", "function": {"name": "weather"}}
    tools = {"tools": CHAT_TOOLS, "tool_choice": choice}
    return await settled(to.openai.chat.completions.create(model=model, messages=WEATHER, **tools, **CHAT))


async def chat_with_tools_streamed(to: Clients, model: str) -> Any:
    manager = to.openai.chat.completions.stream(
        model=model, messages=WEATHER, tools=CHAT_TOOLS, stream_options={"include_usage": True}, **CHAT
    )
    async with opened(manager) as stream:
        return [await every(stream), await settled(stream.get_final_completion())]


async def chat_structured(to: Clients, model: str) -> Any:
    answer = await settled(
        to.openai.chat.completions.parse(model=model, messages=_CITY, response_format=City, **CHAT)
    )
    assert isinstance(answer.choices[0].message.parsed, City)
    return answer


async def completion(to: Clients, model: str) -> Any:
    return await settled(to.openai.completions.create(model=model, prompt="1, 2, 3,", **_SHORT))


async def completion_streamed(to: Clients, model: str) -> Any:
    stream = to.openai.completions.create(model=model, prompt="1, 2, 3,", stream=True, **_SHORT)
    return await every(await settled(stream))


async def models(to: Clients, model: str) -> Any:
    """Of both packages: their shapes of the same list."""
    page = await settled(to.openai.models.list())
    assert [each.id for each in page.data] == [model]
    return [page.data, (await settled(to.anthropic.models.list())).data]


async def messages(to: Clients, model: str) -> Any:
    system = "You are brief."
    return await settled(to.anthropic.messages.create(model=model, system=system, messages=HELLO, **MESSAGES))


async def messages_streamed(to: Clients, model: str) -> Any:
    async with opened(to.anthropic.messages.stream(model=model, messages=HELLO, **MESSAGES)) as stream:
        return [await every(stream), await settled(stream.get_final_message())]


async def messages_with_tools(to: Clients, model: str) -> Any:
    tools = {"tools": MESSAGES_TOOLS, "tool_choice": {"type": "auto"}}
    return await settled(to.anthropic.messages.create(model=model, messages=WEATHER, **tools, **MESSAGES))


async def messages_with_a_forced_tool_streamed(to: Clients, model: str) -> Any:
    tools = {"tools": MESSAGES_TOOLS, "tool_choice": {"type": "any"}}
    stream = to.anthropic.messages.create(model=model, messages=WEATHER, stream=True, **tools, **MESSAGES)
    return await every(await settled(stream))


async def messages_structured(to: Clients, model: str) -> Any:
    answer = await settled(
        to.anthropic.messages.parse(model=model, messages=_CITY, output_format=City, **MESSAGES)
    )
    assert isinstance(answer.parsed_output, City)
    return answer


async def tokens(to: Clients, model: str) -> Any:
    """As the package counts, and as its beta does."""
    asked = {"model": model, "system": "You are brief.", "messages": WEATHER, "tools": MESSAGES_TOOLS}
    counted = [to.anthropic.messages.count_tokens(**asked), to.anthropic.beta.messages.count_tokens(**asked)]
    return [await settled(each) for each in counted]


async def responses(to: Clients, model: str) -> Any:
    instructions = "You are brief."
    return await settled(
        to.openai.responses.create(model=model, instructions=instructions, input=HELLO, **RESPONSES)
    )


async def responses_streamed(to: Clients, model: str) -> Any:
    stream = to.openai.responses.create(model=model, input="Say hello in one word.", stream=True, **RESPONSES)
    return await every(await settled(stream))


async def responses_with_tools(to: Clients, model: str) -> Any:
    tools = {"tools": RESPONSES_TOOLS, "tool_choice": "auto"}
    return await settled(to.openai.responses.create(model=model, input=WEATHER, **tools, **RESPONSES))


async def responses_with_a_forced_tool_streamed(to: Clients, model: str) -> Any:
    tools = {"tools": RESPONSES_TOOLS, "tool_choice": "required"}
    async with opened(to.openai.responses.stream(model=model, input=WEATHER, **tools, **RESPONSES)) as stream:
        return [await every(stream), await settled(stream.get_final_response())]


async def responses_structured(to: Clients, model: str) -> Any:
    answer = await settled(to.openai.responses.parse(model=model, input=_CITY, text_format=City, **RESPONSES))
    assert isinstance(answer.output_parsed, City)
    return answer


TURNS: dict[Ask, str] = {
    chat: "chat",
    chat_streamed: "chat",
    chat_with_tools: "chat",
    chat_with_a_forced_tool: "chat",
    chat_with_tools_streamed: "chat",
    chat_structured: "chat",
    messages: "messages",
    messages_streamed: "messages",
    messages_with_tools: "messages",
    messages_with_a_forced_tool_streamed: "messages",
    messages_structured: "messages",
    responses: "responses",
    responses_streamed: "responses",
    responses_with_tools: "responses",
    responses_with_a_forced_tool_streamed: "responses",
    responses_structured: "responses",
}
"""Requests that are turns of a conversation, and the dialect of each."""

PLAIN: list[Ask] = [completion, completion_streamed, models, tokens]
"""Requests that only pass through."""
