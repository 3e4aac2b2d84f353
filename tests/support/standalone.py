"""How a helper behaves as a process of its own: it says where it is, and ends when its input does."""

from __future__ import annotations

import asyncio
import json
import os
import sys


def announce(url: str) -> None:
    """One line of JSON for whoever started us."""
    sys.stdout.write(json.dumps({"url": url, "pid": os.getpid()}) + "\n")
    sys.stdout.flush()


async def until_input_ends() -> None:
    """Return when standard input is closed: by whoever started us, or because that process is gone."""
    ended = asyncio.Event()

    def read() -> None:
        if not os.read(sys.stdin.fileno(), 4096):
            ended.set()

    loop = asyncio.get_running_loop()
    loop.add_reader(sys.stdin, read)
    await ended.wait()
    loop.remove_reader(sys.stdin)
