"""A window without Qt, for the tests of what keeps one: it does what the first page's name tells it."""

from __future__ import annotations

import sys

import msgspec

from metaclaw_tray.admin.api import GetStatus, RetireSkill
from metaclaw_tray.admin.window import (
    Agreed,
    Answered,
    Asked,
    FromWindow,
    Leaving,
    News,
    Refused,
    Renewing,
    Sheet,
    Show,
    ToWindow,
    Visible,
)
from metaclaw_tray.child import run_child, serve_child


def child_main(args: list[str]) -> int:
    pipe = serve_child(ToWindow, FromWindow)
    for message in pipe:
        match message:
            case Show(page="crash"):
                return 7
            case Show(page="no-screen"):
                return 3
            case Show(page="status"):
                pipe.send(Asked(1, msgspec.json.encode(GetStatus())))
            case Show(page="nonsense"):
                pipe.send(Asked(1, b'{"verb":"no.such"}'))
            case Show(page="retire"):
                pipe.send(Asked(1, msgspec.json.encode(RetireSkill(name="x"))))
            case Show(page="seen"):
                pipe.send(Asked(1, msgspec.json.encode(RetireSkill(name="x")), "tray", "the text"))
            case Show(page="hides"):
                pipe.send(Visible(open=False))
            case Show(page="renews"):
                pipe.send(Renewing("status"))
                pipe.send(Visible(open=False))  # as it goes
                return 0
            case Show(page="quit"):
                pipe.send(Leaving(serve_on=False))
            case Show(page="leave"):
                pipe.send(Leaving(serve_on=True))
                return 0
            case Sheet():
                pipe.send(Agreed(message.number, message.sheet, yes=message.text == "the text"))
            case Answered() | Refused() | News():
                # What came is told by way of another verb's name.
                pipe.send(Asked(99, msgspec.json.encode({"verb": "status", "came": repr(message)})))
            case _:
                pass
    return 0


if __name__ == "__main__":
    sys.exit(run_child(sys.argv[2:], {"window": "window_child"}))
