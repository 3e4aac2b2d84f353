"""The official packages against a real llama.cpp server: through the proxy they get what they get directly.

Compared is all that they make of an answer, less ids, times and what the server had in its cache.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, aclosing, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import anthropic
import openai
import pytest

from metaclaw_tray.embedded.manifest import load_manifest
from metaclaw_tray.paths import Paths
from slow import asked
from slow.asked import Ask
from slow.commands import QuickHome
from slow.comparable import comparable, usage
from slow.llama import LlamaServer
from slow.official import Clients, Manner, clients, opened, settled, some
from support.processes import Program

FILE = load_manifest(Paths.find()).default
MODEL = "small"
_PATIENCE_SECONDS = 10.0  # a hang guard; all that is waited for comes within one

pytestmark = [
    pytest.mark.slow,
    pytest.mark.model,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        not FILE.is_present(Paths.find()),
        reason=f"{FILE.file} is not in the cache: `metaclaw-tray model fetch`",
    ),
]

each_manner = pytest.mark.parametrize("manner", get_args(Manner))


def _named(ask: Ask) -> str:
    return ask.__name__


def _until(holds: Callable[[], bool], what: str) -> None:
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() - begun < _PATIENCE_SECONDS, what
        time.sleep(0.02)


@dataclass
class Stand:
    """A server, the app in front of it, and an agent of the app."""

    server: LlamaServer
    home: QuickHome
    app: Program
    agent: dict[str, str]

    def direct(self, manner: Manner = "async") -> AbstractAsyncContextManager[Clients]:
        return clients(manner, self.server.url, self.server.url.removesuffix("/v1"))

    def proxied(self, manner: Manner) -> AbstractAsyncContextManager[Clients]:
        return clients(manner, self.agent["base_url"], self.agent["anthropic_base_url"])

    def turn(self, turn_id: str) -> dict[str, Any]:
        """What `turns show` says of a turn that has ended."""
        detail: dict[str, Any] = {}

        def ended() -> bool:
            detail.update(self.home.listing("turns", "show", turn_id))
            return detail["turn"]["outcome"] != "open"

        _until(ended, f"{turn_id} does not end")
        return detail

    def row(self, turn_id: str) -> dict[str, Any]:
        """A turn as it lies in the store."""
        file = self.home.folder / "state" / "store.sqlite3"
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
            db.row_factory = sqlite3.Row
            return dict(db.execute("SELECT * FROM turn WHERE id = ?", (turn_id,)).fetchone())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("official")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[LlamaServer]:
    server = LlamaServer(FILE.path(Paths.find()), MODEL, log=folder / "llama.log")
    yield server
    server.kill()


@pytest.fixture(scope="module")
def stand(folder: Path, server: LlamaServer) -> Iterator[Stand]:
    spoken = ("--dialects", "chat,messages,responses")
    with ExitStack() as stack:
        home = QuickHome(folder / "home")
        stack.callback(home.close)
        app = home.serve()
        stack.callback(app.stop)
        home.do("upstream", "add", "llama", "--base-url", server.url, *spoken, "--default")
        yield Stand(server, home, app, home.listing("agents", "add", "agent"))


@pytest.fixture(scope="module")
def known() -> dict[Ask, Any]:
    """What the server answers directly, once it was asked."""
    return {}


async def _directly(stand: Stand, ask: Ask, known: dict[Ask, Any]) -> Any:
    if ask not in known:
        async with stand.direct() as to:
            known[ask] = comparable(await ask(to, MODEL), MODEL)
    return known[ask]


@each_manner
@pytest.mark.parametrize("ask", asked.TURNS, ids=_named)
async def test_a_turn_comes_through_as_it_is_and_is_recorded_right(
    stand: Stand, known: dict[Ask, Any], ask: Ask, manner: Manner
) -> None:
    directly = await _directly(stand, ask, known)
    async with stand.proxied(manner) as to:
        answer = comparable(await ask(to, MODEL), MODEL)
        turn_id = to.turn
    assert answer == directly
    shown = stand.turn(turn_id)
    turn, row = shown["turn"], stand.row(turn_id)
    assert (turn["outcome"], turn["kind"], turn["agent"], turn["model"]) == ("ok", "main", "agent", MODEL)
    assert row["dialect"] == asked.TURNS[ask]
    assert not shown["usage_estimated"]
    assert (shown["input_tokens"], shown["output_tokens"]) == usage(answer)
    assert ("tool" in ask.__name__) == bool(shown["answer"].get("tool_calls")), shown["answer"]


@each_manner
@pytest.mark.parametrize("ask", asked.PLAIN, ids=_named)
async def test_what_is_no_turn_comes_through_as_it_is(
    stand: Stand, known: dict[Ask, Any], ask: Ask, manner: Manner
) -> None:
    directly = await _directly(stand, ask, known)
    async with stand.proxied(manner) as to:
        assert comparable(await ask(to, MODEL), MODEL) == directly
        assert "x-metaclaw-turn" not in to.headers[-1]


@pytest.fixture(scope="module")
def embedder(folder: Path, stand: Stand) -> Iterator[tuple[LlamaServer, dict[str, str]]]:
    """A server that only embeds, and an agent that reaches it."""
    log = folder / "embedder.log"
    server = LlamaServer(FILE.path(Paths.find()), MODEL, embeddings=True, log=log)
    try:
        stand.home.do("upstream", "add", "embedder", "--base-url", server.url)
        agent = stand.home.listing("agents", "add", "reader")
        stand.home.do("upstream", "use", "embedder", "--agent", "reader")
        yield server, agent
    finally:
        server.kill()


@each_manner
async def test_embeddings_come_through_as_they_are(
    embedder: tuple[LlamaServer, dict[str, str]], manner: Manner
) -> None:
    server, agent = embedder
    vectors = []
    for base_url in (server.url, agent["base_url"]):
        async with clients(manner, base_url, "http://127.0.0.1:9") as to:
            answer = await settled(to.openai.embeddings.create(model=MODEL, input=["a", "b"]))
            vectors.append([each.embedding for each in answer.data])
    assert vectors[0] == vectors[1]
    assert len(vectors[0]) == 2
    assert len(vectors[0][0]) > 100


# A conversation of three turns in each dialect: a tool is called, its result goes back, the person goes on.
# The tools are offered once: this small model would call them for ever.

_RESULT = "Sunny, 20 degrees."
_BRIEFLY = 8  # tokens of an answer in words
_THEN = {"role": "user", "content": "Thanks. Say goodbye in one word."}


async def _chat_conversation(to: Clients) -> list[str]:
    turns, said = [], list[Any](asked.WEATHER)
    for tools in ({"tools": asked.CHAT_TOOLS}, {}, {}):
        create = to.openai.chat.completions.with_raw_response.create
        length = {} if tools else {"max_tokens": _BRIEFLY}
        raw = await settled(create(model=MODEL, messages=said, **tools, **asked.CHAT | length))
        turns.append(raw.headers["x-metaclaw-turn"])
        message = (await settled(raw.parse())).choices[0].message
        said.append(message.model_dump(exclude_none=True))
        results = [
            {"role": "tool", "tool_call_id": call.id, "content": _RESULT} for call in message.tool_calls or ()
        ]
        said.extend(results or [_THEN])
    return turns


async def _messages_conversation(to: Clients) -> list[str]:
    turns, said = [], list[Any](asked.WEATHER)
    for tools in ({"tools": asked.MESSAGES_TOOLS}, {}, {}):
        create = to.anthropic.messages.with_raw_response.create
        length = {} if tools else {"max_tokens": _BRIEFLY}
        raw = await settled(create(model=MODEL, messages=said, **tools, **asked.MESSAGES | length))
        turns.append(raw.headers["x-metaclaw-turn"])
        content = (await settled(raw.parse())).content
        said.append({"role": "assistant", "content": [part.to_dict() for part in content]})
        results = [
            {"type": "tool_result", "tool_use_id": part.id, "content": _RESULT}
            for part in content
            if part.type == "tool_use"
        ]
        said.append({"role": "user", "content": results} if results else _THEN)
    return turns


async def _responses_conversation(to: Clients) -> list[str]:
    turns, said = [], list[Any](asked.WEATHER)
    for tools in ({"tools": asked.RESPONSES_TOOLS}, {}, {}):
        create = to.openai.responses.with_raw_response.create
        length = {} if tools else {"max_output_tokens": _BRIEFLY}
        raw = await settled(create(model=MODEL, input=said, **tools, **asked.RESPONSES | length))
        turns.append(raw.headers["x-metaclaw-turn"])
        output = (await settled(raw.parse())).output
        said.extend(item.to_dict() for item in output)
        results = [
            {"type": "function_call_output", "call_id": item.call_id, "output": _RESULT}
            for item in output
            if item.type == "function_call"
        ]
        said.extend(results or [_THEN])
    return turns


_CONVERSATIONS = {
    "chat": _chat_conversation,
    "messages": _messages_conversation,
    "responses": _responses_conversation,
}


@each_manner
@pytest.mark.parametrize("dialect", _CONVERSATIONS)
async def test_the_turns_of_a_conversation_are_linked_and_fall_into_exchanges(
    stand: Stand, dialect: str, manner: Manner
) -> None:
    async with stand.proxied(manner) as to:
        turns = await _CONVERSATIONS[dialect](to)
    shown = [stand.turn(turn_id)["turn"] for turn_id in turns]
    assert {turn["session"] for turn in shown} == {shown[0]["session"]}
    first, second, third = (turn["exchange"] for turn in shown)
    assert first == second != third
    rows = [stand.row(turn_id) for turn_id in turns]
    assert [row["next_turn_id"] for row in rows] == [turns[1], turns[2], None]
    assert [row["next_origin"] for row in rows] == ["tool", "person", ""]
    listed = stand.home.listing("turns", "list", "--exchange", first)
    assert {turns[0], turns[1]} <= {turn["id"] for turn in listed}


# Errors, as the packages raise them.


async def _a_bad_number_in_chat(to: Clients) -> None:
    await settled(to.openai.chat.completions.create(model=MODEL, messages=asked.HELLO, n=99))


async def _a_bad_number_in_messages(to: Clients) -> None:
    await settled(to.anthropic.messages.create(model=MODEL, messages=asked.HELLO, max_tokens="many"))


async def _a_bad_number_in_responses(to: Clients) -> None:
    await settled(to.openai.responses.create(model=MODEL, input=asked.HELLO, max_output_tokens="many"))


async def _an_unknown_response_to_go_on_with(to: Clients) -> None:
    given = {"input": asked.HELLO, "previous_response_id": "resp_unknown"}
    await settled(to.openai.responses.create(model=MODEL, **given))


async def _an_unknown_model(to: Clients) -> None:
    await settled(to.openai.models.retrieve("unknown"))


async def _embeddings_of_a_model_that_has_none(to: Clients) -> None:
    await settled(to.openai.embeddings.create(model=MODEL, input="a"))


_REFUSED = {
    _a_bad_number_in_chat: 400,
    _a_bad_number_in_messages: 400,
    _a_bad_number_in_responses: 400,
    _an_unknown_response_to_go_on_with: 400,
    _an_unknown_model: 404,
    _embeddings_of_a_model_that_has_none: 501,
}


@each_manner
@pytest.mark.parametrize("ask", _REFUSED, ids=lambda ask: ask.__name__.strip("_"))
async def test_the_servers_refusals_come_through_word_for_word(
    stand: Stand, ask: Callable[[Clients], Any], manner: Manner
) -> None:
    raised = []
    for way in (stand.direct(manner), stand.proxied(manner)):
        async with way as to:
            with pytest.raises((openai.APIStatusError, anthropic.APIStatusError)) as refusal:
                await ask(to)
            raised.append(refusal.value)
    directly, proxied = raised
    assert type(proxied) is type(directly)
    assert proxied.status_code == directly.status_code == _REFUSED[ask]
    assert proxied.response.content == directly.response.content
    assert proxied.body == directly.body


@each_manner
async def test_our_own_refusals_are_understood_by_both_packages(stand: Stand, manner: Manner) -> None:
    url = stand.app.ready["url"]
    async with clients(manner, f"{url}/a/wrong/v1", f"{url}/a/wrong", "wrong") as to:
        for create in (to.openai.chat.completions.create, to.openai.responses.create):
            given = {"input": "Hi"} if create == to.openai.responses.create else {"messages": asked.HELLO}
            with pytest.raises(openai.AuthenticationError, match="metaclaw-tray agents add") as refusal:
                await settled(create(model=MODEL, **given))
            assert refusal.value.code == "invalid_api_key"
        with pytest.raises(anthropic.AuthenticationError, match="metaclaw-tray agents add") as refused:
            await settled(to.anthropic.messages.create(model=MODEL, messages=asked.HELLO, max_tokens=4))
        assert refused.value.type == "authentication_error"
    async with stand.proxied(manner) as to:
        with pytest.raises(openai.NotFoundError):
            await settled(to.openai.get("/nowhere", cast_to=object))
        with pytest.raises(openai.NotFoundError):
            await settled(to.openai.responses.input_tokens.count(model=MODEL, input="Hi"))
        with pytest.raises(anthropic.NotFoundError):
            await settled(to.anthropic.get("/v1/nowhere", cast_to=object))


@each_manner
async def test_both_packages_get_in_with_the_token_as_their_key(stand: Stand, manner: Manner) -> None:
    url = stand.app.ready["url"]
    async with clients(manner, f"{url}/v1", url, stand.agent["token"]) as to:
        await asked.models(to, MODEL)
        assert await asked.tokens(to, MODEL)


# Leaving in the middle of an answer that would take a minute.

_LONG = [{"role": "user", "content": "Count from one to a thousand in words."}]
_LONG_TOKENS = 2000


def _long_chat(to: Clients) -> Any:
    long = {**asked.CHAT, "max_tokens": _LONG_TOKENS}
    return to.openai.chat.completions.create(model=MODEL, messages=_LONG, stream=True, **long)


def _long_messages(to: Clients) -> Any:
    long = {**asked.MESSAGES, "max_tokens": _LONG_TOKENS}
    return to.anthropic.messages.create(model=MODEL, messages=_LONG, stream=True, **long)


def _long_response(to: Clients) -> Any:
    long = {**asked.RESPONSES, "max_output_tokens": _LONG_TOKENS}
    return to.openai.responses.create(model=MODEL, input=_LONG, stream=True, **long)


@each_manner
@pytest.mark.parametrize("ask", [_long_chat, _long_messages, _long_response])
async def test_a_client_that_leaves_in_the_middle_frees_the_server_at_once(
    stand: Stand, ask: Callable[[Clients], Any], manner: Manner
) -> None:
    async with stand.proxied(manner) as to:
        stream = await settled(ask(to))
        async with opened(stream), aclosing(some(stream)) as events:
            for _ in range(6):
                await anext(events)
            assert stand.server.busy
        _until(lambda: not stand.server.busy, "the server goes on with an answer that nobody reads")
        turn = stand.turn(to.turn)["turn"]
    assert turn["outcome"] == "gone"
