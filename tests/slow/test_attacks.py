"""The app under attack, as it is started by a person: nothing is got, nothing is harmed, nothing is told."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import logging
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from attacks import floods
from attacks.honest import FLOOD, Agent, upstream
from attacks.neighbours import another_user, can_be_played
from attacks.run import attack
from attacks.wire import Target, exchange
from proxy.upstream import Saw, Upstream, Wire, completion, open_upstream
from support.processes import Home, Program

log = logging.getLogger(__name__)

KEY = "plainwordsthatareakey"  # of no shape that gives it away
_WARM_TURNS = 300
_TAKERS = 50
_GROWTH = 1.5  # of the memory that the app took up before
_SETTLE_SECONDS = 40
_LOG_BYTES = 200_000

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@dataclass
class Scene:
    """A running app with an agent, and the upstream that it reaches."""

    home: Home
    app: Program
    token: str
    upstream: Upstream

    @property
    def target(self) -> Target:
        return Target(int(self.app.ready["url"].rpartition(":")[2]), self.token)

    @property
    def url(self) -> str:
        return f"{self.app.ready['url']}/a/{self.token}/v1"

    def said(self) -> bytes:
        """All that the app wrote to its log files and to standard error."""
        files = [self.home.folder.with_suffix(".log"), *(self.home.folder / "logs").iterdir()]
        return b"".join(file.read_bytes() for file in files)


_WITH_FEW_DESCRIPTORS = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
sys.argv = ["metaclaw-tray", "serve", "--json", "--port", "0"]
runpy.run_module("metaclaw_tray", run_name="__main__")
"""


@contextlib.asynccontextmanager
async def open_scene(folder: Path, program: str = "") -> AsyncIterator[Scene]:
    """`program` is Python that serves, where that is not `metaclaw-tray serve` itself."""
    home = Home(folder / "home")
    async with open_upstream(upstream) as asked:
        app = Program("-c", program, env=home.env, log=folder / "home.log") if program else home.serve()
        try:
            home.env["MAIN_KEY"] = KEY  # of the commands; the app runs already
            added = ["upstream", "add", "main", "--base-url", asked.base_url, "--default"]
            await asyncio.to_thread(home.do, *added, "--key-env", "MAIN_KEY")
            told = await asyncio.to_thread(home.do, "agents", "add", "claw", "--json")
            yield Scene(home, app, json.loads(told)["token"], asked)
        finally:
            assert await asyncio.to_thread(app.stop) == 0


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


async def settled(measure: Callable[[], float], most: float) -> float:
    """What is measured, once it is no more than `most`; else after a while."""
    for _ in range(_SETTLE_SECONDS * 10):
        if measure() <= most:
            break
        await asyncio.sleep(0.1)
    return measure()


@pytest.mark.skipif(sys.platform != "linux", reason="counts what /proc shows")
async def test_attacks_get_nothing_and_harm_nothing(tmp_path: Path) -> None:
    async with open_scene(tmp_path) as scene:
        process, agent = psutil.Process(scene.app.pid), Agent(scene.url)
        await agent.turns(_WARM_TURNS)
        memory, descriptors = process.memory_info().rss, process.num_fds()
        async with agent:
            tallies = await attack(scene.target)
            tallies["takers of nothing"] = await floods.takers_of_nothing(scene.target, FLOOD, _TAKERS)
        peak = process.memory_info().rss / memory
        grown = await settled(lambda: process.memory_info().rss / memory, _GROWTH)
        seen = {name: each.seen for name, each in tallies.items()}
        log.info("%s; memory x %.2f, then x %.2f; %s", seen, peak, grown, agent)
        assert {name: each.got for name, each in tallies.items() if each.got} == {}
        assert [saw.line for saw in scene.upstream.seen if b"honest" not in saw.body] == []
        assert agent.wrong == []
        assert agent.answers > _WARM_TURNS + 100
        assert grown < _GROWTH
        assert await settled(process.num_fds, descriptors + 2) <= descriptors + 2
        status = json.loads(await asyncio.to_thread(scene.home.do, "status", "--json"))
        assert status["trouble"][1:] == []
        assert status["dropped_records"] <= _TAKERS, "only of the long answers that nobody took"
    said = scene.said()
    assert len(said) < _LOG_BYTES, "whoever knocks often fills the disk"
    for secret in (scene.token, KEY, "saidbyanattacker"):
        assert secret.encode() not in said


@pytest.mark.skipif(sys.platform != "linux", reason="counts what /proc shows")
async def test_a_flood_leaves_the_app_descriptors_of_its_own(tmp_path: Path) -> None:
    """256 are what macOS gives a program that asks for no more."""
    async with open_scene(tmp_path, _WITH_FEW_DESCRIPTORS) as scene, Agent(scene.url) as agent:
        tallies = [
            await floods.connections(scene.target, 3000),
            await floods.takers_of_nothing(scene.target, FLOOD, _TAKERS, seconds=2.0),
        ]
        assert [each.got for each in tallies] == [[], []]
        assert agent.wrong == []
        assert await asyncio.to_thread(scene.home.listing, "turns", "list")
        assert scene.said().count(b"Too many open files") == 0


@pytest.mark.skipif(not can_be_played(), reason="only root can start a process of another user")
async def test_another_user_of_the_machine_gets_nothing(open_folder: Path) -> None:
    async with open_scene(open_folder) as scene:
        home, target = scene.home.folder, scene.target
        tally = await asyncio.to_thread(another_user, home, target.port, scene.app.pid)
        assert tally.tries > 20
        assert tally.got == []
        assert scene.upstream.seen == []


async def test_a_rotated_token_opens_nothing_from_then_on(tmp_path: Path) -> None:
    async with open_scene(tmp_path) as scene:
        old, body = scene.target, b'{"messages":[]}'
        assert (await exchange(old, old.post(body)))[9:12] == b"200"
        told = await asyncio.to_thread(scene.home.do, "agents", "rotate", "claw", "--json")
        new = Target(old.port, json.loads(told)["token"])
        assert len(new.token) >= 43  # 256 bits
        assert (await exchange(old, old.post(body)))[9:12] == b"401"
        assert (await exchange(new, new.post(body)))[9:12] == b"200"


@pytest.mark.parametrize("started_with", ["", "0", "true", "yes"])
async def test_only_the_app_that_was_started_for_it_takes_a_scripted_yes(
    tmp_path: Path, started_with: str
) -> None:
    """What a command has in its own environment is the word of whoever wrote the command."""
    home = Home(tmp_path / "home")
    home.env["METACLAW_TRAY_ALLOW_SCRIPTED"] = started_with
    app = home.serve()
    try:
        home.env["METACLAW_TRAY_ALLOW_SCRIPTED"] = "1"
        assert home.listing("status")["allow_scripted"] is False
        done = home.run("config", "set", "budget.day_usd", "5.0", "--yes")
        assert done.returncode == 1
        assert "does not count" in done.stderr
        assert home.listing("config", "show")["budget.day_usd"] == 0.5
    finally:
        assert app.stop() == 0


PLANTED = "plantedwordsofaprompt"
OWN = "plainwordsofaclientskey"


async def quoting(saw: Saw, wire: Wire) -> None:
    """An upstream that says what it was told, in every place where an upstream can say something."""
    words, way = f"{saw.header('Authorization')} {PLANTED}", ""
    with contextlib.suppress(ValueError, KeyError, RecursionError):
        way = saw.json["model"]
    match way:
        case "refuses":
            await wire.answer(json.dumps({"error": {"message": words}}).encode(), f"401 {words}")
        case "odd line":
            await wire.send(f"{words}\r\n\r\n".encode())
            wire.cut()
        case "odd header":
            await wire.send(f"HTTP/1.1 200 OK\r\n{words}\r\n\r\n".encode())
            wire.cut()
        case "odd chunk":
            await wire.stream_head()
            await wire.chunk(f"data: {words}\n\n".encode())
            await wire.send(f"{words}\r\n".encode())
            wire.cut()
        case "odd coding":
            await wire.answer(words.encode(), Content_Encoding="gzip")
        case "odd json":
            await wire.answer(b'{"choices": ' + words.encode())
        case "odd event":
            await wire.answer(f"data: {{{words}\n\n".encode(), content_type="text/event-stream")
        case "cuts":
            await wire.head(Content_Type="application/json", Content_Length="1000")
            await wire.send(words.encode())
            wire.reset()
        case _:
            await wire.answer(completion(words))


def hostile(target: Target) -> list[bytes]:
    """Requests that put what must not be told wherever a request can hold it."""
    token, post = target.token, target.post

    def body(model: str) -> bytes:
        said = {"model": model, "messages": [{"role": "user", "content": f"{PLANTED} {token} {OWN}"}]}
        return json.dumps(said).encode()

    ways = [
        "refuses",
        "odd line",
        "odd header",
        "odd chunk",
        "odd coding",
        "odd json",
        "odd event",
        "cuts",
        "x",
    ]
    requests = [post(body(way), f"Authorization: Bearer {OWN}", f"X-Own: {PLANTED}") for way in ways]
    requests += [post(body(PLANTED), f"X-Session-Id: {PLANTED}", f"X-Turn-Type: {PLANTED}")]
    requests += [post(body("x"), f"{name}: {OWN} {token}") for name in ("Cookie", "Accept", "X-Token", "Via")]
    requests += [
        post(body("x"), path=f"/v1/{place}?token={token}&key={OWN}") for place in ("messages", "odd")
    ]
    requests += [post(body("x"), path=f"/{token}/{PLANTED}"), post(body("x"), path=f"//a/{token}/v1/x")]
    requests += [post(body("x"), f"Origin: http://{PLANTED}"), post(body("x"), host=PLANTED)]
    requests += [post(body("x"), f"Expect: {PLANTED}"), post(body("x"), f"Content-Encoding: {PLANTED}")]
    requests += [post(PLANTED.encode(), "Content-Encoding: gzip"), post(gzip.compress(body("x"))[:-9])]
    requests += [post(f'{{"messages": "{PLANTED}'.encode()), post(f'{{"messages": "{PLANTED}"}}'.encode())]
    requests += [post(f'{{"{PLANTED}": {"[" * 5000}'.encode()), post(b"\xff" + PLANTED.encode())]
    requests += [f"GET /a/{token}/{PLANTED} HTTP/9.9.9\r\nHost: x\r\n\r\n".encode()]
    requests += [f"G\x00T /a/{token}/v1/{PLANTED} HTTP/1.1\r\n\r\n".encode()]
    requests += [target.head(f"{PLANTED} {token}"), target.head(f"X-Odd: {PLANTED}\x00{token}")]
    requests += [target.head(f"Content-Length: {PLANTED}"), target.head(f"Transfer-Encoding: {PLANTED}")]
    chunked = target.head("Content-Type: application/json", "Transfer-Encoding: chunked")
    return [*requests, chunked + f"{PLANTED} {token}\r\n".encode()]


async def test_logs_hold_no_word_key_or_token_of_a_hostile_session(tmp_path: Path) -> None:
    async with open_scene(tmp_path) as scene:
        scene.upstream.script = quoting
        with contextlib.suppress(RuntimeError):  # it fails, and tells
            await asyncio.to_thread(scene.home.do, "upstream", "test", "main")
        for request in hostile(scene.target):
            await exchange(scene.target, request)
        assert len(scene.upstream.seen) > 15
        assert any(KEY in (saw.header("Authorization") or "") for saw in scene.upstream.seen)
        for command in (
            ["secret", "list"],
            ["status"],
            ["turns", "list"],
            ["doctor"],
            ["config", "set", OWN, "1"],
        ):
            await asyncio.to_thread(scene.home.run, *command)
        old = scene.token
        told = await asyncio.to_thread(scene.home.do, "agents", "rotate", "claw", "--json")
        scene.token = json.loads(told)["token"]
        await exchange(scene.target, Target(scene.target.port, old).post(b"{}"))
    said = scene.said()
    assert b"no answer upstream=main" in said  # it was worth searching
    for secret in (KEY, OWN, PLANTED, old, scene.token):
        lines = [line for line in said.split(b"\n") if secret.encode() in line]
        assert lines == []
    elsewhere = [
        file for file in scene.home.folder.rglob("*") if file.is_file() and file.name != "secrets.json"
    ]
    for secret in (old, scene.token):
        assert [file.name for file in elsewhere if secret.encode() in file.read_bytes()] == []
