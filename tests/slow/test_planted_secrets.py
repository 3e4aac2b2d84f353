"""Secrets wherever one can stand in a conversation: none is on the disk, in a log, in what commands show, or
in what learning sends. The app runs as a person runs it; only the models behind it are scripted.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import struct
import zlib
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from metaclaw_tray.store.trimming import TEXT_LIMIT
from proxy.upstream import Saw, Script, Upstream, Wire, open_upstream
from slow.commands import QuickHome
from slow.dialogues import PATHS, Said, answer, events, refusal, request, talk
from slow.planting import Garden, files
from support.processes import Home, Program
from support.scripted_learner import answer_schema, chat_answer

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

each_dialect = pytest.mark.parametrize("dialect", PATHS)
SEED = 41
_VAULT = "secrets.json"  # where keys and tokens may be, where the system keeps none


@dataclass
class Stage:
    """The running app, a scripted upstream behind it, and the secrets that were planted."""

    home: QuickHome
    app: Program
    upstream: Upstream
    garden: Garden
    base_url: str
    http: httpx.AsyncClient

    async def do(self, *args: str) -> str:
        return await asyncio.to_thread(self.home.do, *args)

    async def listing(self, *args: str) -> Any:
        return await asyncio.to_thread(self.home.listing, *args)

    async def post(self, dialect: str, body: Any, **headers: str) -> httpx.Response | None:
        """One request; None where its answer broke off."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {
            "content-type": "application/json",
            **{key.replace("_", "-"): headers[key] for key in headers},
        }
        try:
            return await self.http.post(self.base_url + PATHS[dialect], content=content, headers=sent)
        except httpx.RemoteProtocolError:
            return None

    async def shown(self) -> list[tuple[str, bytes]]:
        """What the commands say about everything."""
        turns = [row["id"] for row in await self.listing("turns", "list", "--limit", "1000")]
        sessions = [row["id"] for row in await self.listing("sessions", "list")]
        proposals = [row["id"] for row in await self.listing("review", "list", "--all")]
        asked = [("turns", "list"), ("sessions", "list"), ("notices",), ("ledger", "list"), ("status",)]
        asked += [("turns", "show", each) for each in turns]
        asked += [("sessions", "show", each) for each in sessions]
        asked += [("review", "show", each) for each in proposals]
        said = []
        for args in asked:
            said.append((" ".join(args), (await self.do(*args)).encode()))
            said.append((" ".join(args) + " --json", (await self.do(*args, "--json")).encode()))
        return said

    async def found(self) -> list[str]:
        """Which planted secrets are anywhere: while the app runs, and when it has ended."""
        contents = [*await self.shown(), *self._lying()]
        assert await asyncio.to_thread(self.app.stop) == 0
        return self.garden.found([*contents, *self._lying()])

    def _lying(self) -> list[tuple[str, bytes]]:
        log = self.home.folder.with_suffix(".log")
        return [(log.name, log.read_bytes()), *files(self.home.folder, but=[_VAULT])]


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    garden = Garden(SEED)
    async with AsyncExitStack() as stack:
        upstream = await stack.enter_async_context(open_upstream())
        http = await stack.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=30))
        home = QuickHome(tmp_path / "home")
        stack.callback(home.close)
        app = home.serve()
        stack.callback(lambda: app.process.poll() is None and app.stop())
        home.env["PLANTED_KEY"] = garden.secret("the upstream's key", "openai")
        spoken = ("--dialects", "chat,messages,responses", "--key-env", "PLANTED_KEY", "--default")
        Home.run(home, "upstream", "add", "work", "--base-url", upstream.base_url, *spoken).check_returncode()
        agent = home.listing("agents", "add", "agent")
        garden.know("the agent's token", agent["token"])
        yield Stage(home, app, upstream, garden, agent["base_url"], http)


def _image(text: str) -> str:
    """A PNG of one dot, as base64, with a text among its metadata."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    dot = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + chunk(
        b"IDAT", zlib.compress(b"\0\0")
    )
    about = chunk(b"tEXt", b"Comment\0" + text.encode())
    return b64encode(b"\x89PNG\r\n\x1a\n" + about + dot + chunk(b"IEND", b"")).decode()


def _said(garden: Garden, dialect: str) -> Said:
    """A conversation with a secret in each place, of all shapes, beside words that must be kept."""

    def planted(place: str, kind: str) -> str:
        return garden.secret(f"{dialect}, {place}", kind)

    return Said(
        system=f"Kept-system. One is {planted('system', 'github')}, one {planted('system', 'jwt')}.",
        tool=f"Kept-tool. Runs a command, with {planted('tool', 'slack')}.",
        prompt=f"Kept-prompt. Why is {planted('prompt', 'anthropic')} refused?\n{planted('prompt', 'pem')}\n",
        arguments={
            "command": f"kept-argument psql postgres://app:{planted('arguments', 'base62')}@db:5432/app",
            "key": planted("arguments", "pem"),
            "env": {"SERVICE_PASSWORD": planted("arguments", "base64url")},
        },
        result=f"kept-result\nPORT=80\nAWS_ACCESS_KEY_ID={planted('result', 'aws')}\n"
        f"AWS_SECRET_ACCESS_KEY={planted('result', 'aws_secret')}\n"
        f"DB_PASSWORD={planted('result', 'base62')}\n",
        thanks=f"Kept-thanks. Now {planted('thanks', 'openai')} and {planted('thanks', 'metaclaw')}.",
        image=_image(planted("metadata of an image", "github")),
        file=f"{planted('name of a file', 'aws')}.png",
        user=json.dumps({"user_id": "me", "key": planted("who the client says it is", "stripe")}),
    )


def _answers(body: bytes, status: str = "200 OK", **headers: str) -> Script:
    async def script(saw: Saw, wire: Wire) -> None:
        await wire.answer(body, status, **headers)

    return script


def _streams(pieces: list[bytes], *, whole: bool) -> Script:
    """Streams the pieces; where they are not the whole, the connection breaks off."""

    async def script(saw: Saw, wire: Wire) -> None:
        await wire.stream_head()
        for piece in pieces:
            await wire.chunk(piece)
        if whole:
            await wire.end()
        else:
            wire.reset()

    return script


@each_dialect
async def test_nothing_is_left_of_the_secrets_in_a_conversation(stage: Stage, dialect: str) -> None:
    garden, upstream = stage.garden, stage.upstream
    said = _said(garden, dialect)

    def spoken(how: str) -> tuple[str, dict[str, Any]]:
        words = f"Kept-answer. It is {garden.secret(f'{dialect}, {how} answer', 'github')}, or\n"
        pem = garden.secret(f"{dialect}, {how} answer", "pem")
        return f"{words}{pem}\nindeed.", {"command": garden.secret(f"{dialect}, {how} call", "gitlab")}

    secret = garden.secret(f"{dialect}, a header of the answer", "slack")
    upstream.script = _answers(
        answer(dialect, *spoken("whole")), Set_Cookie=f"s={secret}", X_Request_Id=secret
    )
    headers = {
        "x_api_key": garden.secret(f"{dialect}, x-api-key", "anthropic"),
        "authorization": f"Bearer {garden.secret(f'{dialect}, authorization', 'openai')}",
        "cookie": f"session={garden.secret(f'{dialect}, cookie', 'base62')}",
        "x_title": garden.secret(f"{dialect}, some header", "github"),
    }
    assert await stage.post(dialect, request(dialect, said, stream=False), **headers)
    upstream.script = _streams(events(dialect, *spoken("streamed")), whole=True)
    assert await stage.post(dialect, request(dialect, said, stream=True))
    for kind in ("github", "pem", "anthropic", "jwt"):  # cut within the secret that comes last
        secret = garden.secret(f"{dialect}, cut answer", kind)
        pieces = events(dialect, f"Kept-half. {secret}", {})
        size = len("Kept-half. ") + len(secret) * 3 // 4
        garden.know(f"{dialect}, half a secret of a cut answer", secret[: len(secret) * 3 // 4 - 7])
        upstream.script = _streams(pieces[: size // 7 + 3], whole=False)
        await stage.post(dialect, request(dialect, said, stream=True))
    quoted = garden.secret(f"{dialect}, key that a refusal quotes", "openai")
    upstream.script = _answers(refusal(dialect, f"Incorrect API key provided: {quoted}."), "401 Unauthorized")
    refused = await stage.post(dialect, request(dialect, said, stream=False))
    assert refused
    assert quoted in refused.text
    upstream.script = _streams([b"data: " + refusal(dialect, f"No such key: {quoted}") + b"\n\n"], whole=True)
    assert await stage.post(dialect, request(dialect, said, stream=True))

    shown = json.dumps([await stage.listing("turns", "show", "last"), *await stage.listing("turns", "list")])
    outcomes = [row["outcome"] for row in await stage.listing("turns", "list")]
    assert outcomes == ["failed", "failed", "cut", "cut", "cut", "cut", "ok", "ok"]
    assert len(re.findall("Kept-(?:prompt|thanks)|kept-(?:argument|result)", shown)) >= 4
    assert await stage.found() == []


async def test_nothing_is_left_of_what_could_not_be_read(stage: Stage) -> None:
    garden = stage.garden

    def planted(place: str, kind: str = "github") -> str:
        return garden.secret(place, kind)

    async def refuses(saw: Saw, wire: Wire) -> None:
        await wire.answer(refusal("chat", f"What is {planted('refusal')}?"), "400 Bad Request")

    stage.upstream.script = refuses
    await stage.post("chat", f'{{"messages": [{{"content": "{planted("broken JSON")}'.encode())
    await stage.post("chat", b'{"messages": "\xff\xfe ' + planted("bytes that are no text").encode() + b'"}')
    await stage.post("messages", [planted("a list in place of an object")])
    await stage.post("messages", {"messages": {"text": planted("messages in a wrong shape")}})
    await stage.post("responses", {"model": planted("the name of a model"), "input": planted("input")})
    packed = gzip.compress(json.dumps(talk("chat", planted("packed body"))).encode())
    await stage.post("chat", packed, content_encoding="gzip")
    await stage.post("chat", packed[:-9], content_encoding="gzip")
    await stage.post("chat", talk("chat", "Hi"), content_encoding=planted("content encoding"))
    await stage.post("chat", talk("chat", "Hi"), x_session_id=planted("id of a session"))
    stage.upstream.script = _answers(planted("an answer that is no JSON").encode(), content_type="text/html")
    await stage.post("chat", talk("chat", "Hi"))
    queries = {"key": planted("query", "google"), "code": planted("query", "base62")}

    async def lost(saw: Saw, wire: Wire) -> None:
        wire.reset()

    stage.upstream.script = lost
    for path in PATHS.values():
        await stage.http.post(stage.base_url + path, params=queries, json={"model": "m", "messages": []})
    root = stage.base_url.partition("/a/")[0]
    await stage.http.get(f"{root}/a/{planted('a token that is not ours', 'metaclaw')}/v1/models")
    await stage.http.get(f"{stage.base_url}/nowhere/{planted('a path')}")
    await stage.http.get(f"{root}/v1/models", headers={"x-api-key": planted("a key that is not ours")})
    assert await stage.found() == []


@each_dialect
@pytest.mark.parametrize("kind", ["pem", "github"])
async def test_nothing_is_left_of_secrets_around_the_cut_in_a_long_text(
    stage: Stage, dialect: str, kind: str
) -> None:
    secrets = [stage.garden.secret("a long text", kind) for _ in range(80)]
    for secret in secrets if kind == "github" else []:
        stage.garden.know("half a secret", secret[4:])  # without what tells that it is one
    first, second = "\n".join(secrets[:40]), "\n".join(secrets[40:])
    edge, middle = "edge " * (TEXT_LIMIT // 10 - 200), "middle " * 5000
    stage.upstream.script = _answers(answer(dialect, "Kept-answer."))
    for shift in range(0, 44, 4):
        text = "\n".join([edge, "x" * shift, first, middle, second, "x" * shift, edge])
        assert await stage.post(dialect, talk(dialect, text))
    picture = b64encode(bytes(3 * 2**20)).decode()  # the body is made smaller before the scribe gets it
    text = "\n".join([first, f"data:image/png;base64,{picture}", second])
    assert await stage.post(dialect, talk(dialect, text))
    assert await stage.found() == []


@each_dialect
async def test_learning_neither_sends_nor_keeps_a_secret(stage: Stage, dialect: str) -> None:
    garden = stage.garden

    async def learns(saw: Saw, wire: Wire) -> None:
        if "/models" in saw.line:
            await wire.answer(b'{"object": "list", "data": []}')
            return
        asked = saw.json
        if form := asked.get("response_format"):
            text = json.dumps(answer_schema(form["json_schema"]["schema"], asked["messages"]))
        else:
            text = chat_answer(asked["messages"])
        await wire.answer(answer("chat", text))

    async def says(*said: str, **headers: str) -> str:
        """The model's answer, which holds a secret of its own."""
        text = f"As you like: {garden.secret('an answer', 'anthropic')}. {len(said)}"
        stage.upstream.script = _answers(answer(dialect, text))
        assert await stage.post(dialect, talk(dialect, *said), **headers)
        return text

    async with open_upstream(learns) as learner:
        await stage.do("upstream", "add", "learner", "--base-url", learner.base_url)
        await stage.do("config", "set", "learning.upstream", "learner")
        await stage.do("config", "set", "learning.model", "scripted")
        asked = f"Which fares, by currency code, for {garden.secret('what the person asked', 'github')}?"
        rule = (
            f"Always write amounts with the code and the key {garden.secret('a rule', 'openai')} beside them"
        )
        first = await says(asked)
        second = await says(asked, first, f"No. {rule}.")
        third = await says(asked, first, f"No. {rule}.", second, "Thank you.")
        note = f"{rule}: DB_PASSWORD={garden.secret('a note of feedback', 'base62')}"
        await stage.do("feedback", "last", "down", "--note", note)
        await stage.do("learn", "now")
        rows = await stage.listing("review", "list")
        assert rows, "nothing was learnt"
        for row in rows:
            await stage.do("review", "approve", row["id"], "--yes")
        await says(asked, first, f"No. {rule}.", second, "Thank you.", third, asked, x_session_id="again")
        sent = [("what learning sends", saw.body) for saw in learner.seen]
        purposes = {
            row["key"] for row in (await stage.listing("spend", "show", "--by", "purpose"))["learning"]
        }
        assert len(purposes) >= 3, purposes
        assert garden.found(sent) == []
        assert "currency code" in b"".join(body for _, body in sent).decode()
        assert await stage.found() == []
