"""A child for the tests of `child`: it does what it is told, and can misbehave in each way a child can."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from msgspec import Struct

from metaclaw_tray.child import run_child, serve_child


class Say(Struct, tag="say"):
    text: str


class Do(Struct, tag="do"):
    """exit N, stall, stop_reading, garbage, oversized, print TEXT, log TEXT, write FILE."""

    what: str
    argument: str = ""


class Heard(Struct, tag="heard"):
    text: str
    size: int = 0


class Bye(Struct, tag="bye"):
    count: int


ToEcho = Say | Do
FromEcho = Heard | Bye


def child_main(args: list[str]) -> int:
    pipe = serve_child(ToEcho, FromEcho)
    report = Path(args[0]) if args else None
    count = 0
    for message in pipe:
        count += 1
        if isinstance(message, Say):
            pipe.send(Heard(message.text[:40], len(message.text)))
            continue
        match message.what:
            case "exit":
                return int(message.argument)
            case "stall":
                Path(message.argument).read_bytes()  # a named pipe: blocks until somebody writes
            case "garbage":
                os.write(pipe._sink.fileno(), b"\x00\x00\x00\x01\xc1")
            case "oversized":
                os.write(pipe._sink.fileno(), b"\xff\xff\xff\xff")
            case "cut":
                os.write(pipe._sink.fileno(), b"\x00\x00\x00\x09abc")
                return 0
            case "print":
                print(message.argument, flush=True)  # noqa: T201
                pipe.send(Heard("printed"))
            case "flood":
                for _ in range(int(message.argument)):
                    pipe.send(Heard("x" * 1000, 1000))
    pipe.send(Bye(count))
    if report:
        report.write_text(str(count))
    return 0


if __name__ == "__main__":
    sys.exit(run_child(sys.argv[2:], {"echo": "echo_child", "pid": "echo_child"}))
