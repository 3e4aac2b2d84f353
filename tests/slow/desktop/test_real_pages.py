"""The window in use: the first steps up to the first exchange, and every page while agents are answered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import httpx
import pytest

from slow.desktop.accessible import LAUNCHER, Reader, reader
from slow.desktop.desk import Desk
from slow.desktop.screen import Screen, needs_screen, screen, until
from support.processes import ScriptedLlm

pytestmark = [
    pytest.mark.slow,
    pytest.mark.shared,
    pytest.mark.timeout(300),
    needs_screen,
    pytest.mark.skipif(not LAUNCHER.exists(), reason="needs at-spi2-core"),
]

WINDOW = "^MetaClaw Tray$"
STREAMS = 8


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedLlm]:
    model = ScriptedLlm()
    yield model
    model.stop()


@pytest.fixture(scope="module")
def sni(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    with screen("sni", tmp_path_factory.mktemp("sni"), "xfce") as made:
        yield made


@pytest.fixture(scope="module")
def eyes(sni: Screen) -> Iterator[Reader]:
    with reader(sni) as made:
        yield made


@pytest.fixture
def desk(tmp_path: Path, sni: Screen, eyes: Reader, model: ScriptedLlm) -> Iterator[Desk]:
    with Desk(tmp_path, sni, model) as desk:
        desk.env |= eyes.env
        yield desk


def test_the_first_steps_lead_to_a_first_exchange(desk: Desk, eyes: Reader) -> None:
    desk.start()
    until(lambda: eyes.find("Choose a model"), "the first steps")
    eyes.press("Next")
    eyes.press("Let it in")
    until(lambda: desk.home.listing("agents", "list"), "the agent")
    (agent,) = desk.home.listing("agents", "list")
    kept = json.loads((desk.home.folder / "state" / "secrets.json").read_text())
    desk.token = next(value for name, value in kept.items() if agent["name"] in name)
    eyes.press("Next")
    until(lambda: eyes.find("Use skills that I approved"), "what it may do")
    eyes.press("Next")
    until(lambda: eyes.find("Waiting…"), "the wait for a request")
    answer, _ = desk.ask("Which way is north?", session="first")
    assert answer
    until(lambda: eyes.find("It works"), "the request that was seen")
    eyes.press("Finish")
    until(lambda: eyes.find("Finish") is None, "the end of the steps")
    desk.stop()
    desk.start()
    until(lambda: eyes.find("Today"), "the window")
    assert eyes.find("Choose a model") is None  # they do not come again


def test_every_page_is_scrolled_while_eight_agents_are_answered(desk: Desk) -> None:
    desk.start("--hidden")
    desk.connect()  # before the window comes: else the first steps stand over it
    assert desk.second_start() == 0
    (window,) = until(lambda: desk.screen.windows(WINDOW), "the window")
    before, troubles = desk.window_process(), desk.home.listing("status")["trouble"]
    with ThreadPoolExecutor(STREAMS) as pool:
        over = Event()
        answers = [pool.submit(stream, desk, number, over) for number in range(STREAMS)]
        try:
            for page in range(1, 7):
                desk.screen.key(window, f"ctrl+{page}", *["Tab"] * 4, *["Next"] * 6, *["Prior"] * 6)
        finally:
            over.set()
        assert all(each.result(60) for each in answers)
    after = desk.window_process()
    assert after is not None
    assert before is not None
    assert after.pid == before.pid
    until(lambda: desk.screen.windows(WINDOW) == [window], "the same window")
    assert desk.home.listing("status")["trouble"] == troubles


def stream(desk: Desk, number: int, over: Event) -> int:
    """Ask for one streamed answer after the other; of how many nothing was missing."""
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": f"Stream {number}"}]}
    url = f"{desk.url}/a/{desk.token}/v1/chat/completions"
    headers, whole = {"X-Session-Id": f"stream{number}"}, 0
    while not over.is_set():
        with httpx.stream("POST", url, json=body, headers=headers, timeout=60, trust_env=False) as answer:
            lines = [line for line in answer.iter_lines() if line]
        assert lines[-1] == "data: [DONE]", lines[-3:]
        whole += 1
    return whole
