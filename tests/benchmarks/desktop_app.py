"""The app of a window that is measured: `python -m benchmarks.desktop_app HOME STREAMS`.

It speaks with the window on its standard input and output, as a child would the other way round, and its
agents ask for streams without a pause, which a model in another process answers.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from pathlib import Path

import httpx

from benchmarks.desktop_home import TOKEN
from metaclaw_tray.admin.window import FromWindow, ToWindow
from metaclaw_tray.child import ChildPipe, serve_child
from screenshots.house import House


async def _stream(client: httpx.AsyncClient, url: str, number: int) -> None:
    body = {"model": "paced", "stream": True, "messages": [{"role": "user", "content": f"Stream {number}"}]}
    headers = {"X-Session-Id": f"stream{number}"}
    while True:
        asked = client.stream("POST", f"{url}/a/{TOKEN}/v1/chat/completions", json=body, headers=headers)
        async with asked as answer:
            async for _ in answer.aiter_raw():
                pass


async def _streams(url: str, count: int) -> None:
    async with httpx.AsyncClient(timeout=60, trust_env=False) as client:
        with contextlib.suppress(httpx.HTTPError):  # the app ended
            await asyncio.gather(*(_stream(client, url, number) for number in range(count)))


def _write(house: House, pipe: ChildPipe[FromWindow, ToWindow]) -> None:
    while (message := house.receive()) is not None:
        pipe.send(message)


def main() -> None:
    home, count = Path(sys.argv[1]), int(sys.argv[2])
    pipe: ChildPipe[FromWindow, ToWindow] = serve_child(FromWindow, ToWindow)
    with House(home) as house:
        threading.Thread(target=_write, args=(house, pipe), daemon=True).start()
        if count:
            threading.Thread(target=lambda: asyncio.run(_streams(house.url, count)), daemon=True).start()
        while (message := pipe.receive()) is not None:
            house.send(message)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
