"""Writes traffic of the clients to `proxy/recorded`, for quick tests: `python -m slow.real.record`.

Each has one session with everything in it that the app tells apart: a task, a sub-agent, a summary of the
client's own, the person's later words, and a few requests that only count.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from proxy.recordings import Recorded, save
from slow.real.hop import Passed
from slow.real.plays import ASIDE, Step, Usage
from slow.real.scene import EDIT, Scene

_GOODBYE = "Now say goodbye."
_COUNTED = 3  # of a burst of counting that are kept
_WINDOW, _SHORTER_FROM = 40_000, 30_000  # tokens, of Codex
_HOME = "/home/person"
_END = 60  # characters of each end of a long text

_SAYS = ("user-agent", "originator", "session-id", "thread-id", "x-app", "x-client-request-id")
_SAYS_MORE = ("x-claude-code-", "x-codex-", "x-openai-")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_DEVICE = re.compile(r"\b[0-9a-f]{64}\b")
_TURN = "x-codex-turn-metadata"
_OF_A_TURN = (
    "session_id",
    "thread_id",
    "turn_id",
    "window_id",
    "request_kind",
    "thread_source",
    "turn_trigger",
)
_OF_A_TOOL = ("type", "name", "defer_loading", "execution")
_MARK = re.compile(r"(?<=_)[0-9a-f]{20}(?=\d?\b)")


class Scrubber:
    """Takes out of values what is of this machine and this run, and what is long."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._known: dict[str, str] = {}

    def headers(self, passed: Passed) -> dict[str, str]:
        own = {name.decode(): value.decode() for name, value in passed.request.headers.items()}
        if _TURN in own:
            said = json.loads(own[_TURN])
            own[_TURN] = json.dumps({name: said[name] for name in _OF_A_TURN if name in said})
        return {
            name: self._text(value, long=True)
            for name, value in own.items()
            if name in _SAYS or name.startswith(_SAYS_MORE)
        }

    def body(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, list):
            return [self.body(each) for each in value]
        if isinstance(value, dict):
            return {key: self.body(each) for key, each in value.items()}
        return value

    def _text(self, text: str, *, long: bool = False) -> str:
        text = text.replace(self._folder, "/home/person").replace(
            self._folder.replace("/", "-"), "-home-person"
        )
        text = _UUID.sub(lambda found: self._stand_in(found[0], "{:08x}-0000-4000-8000-000000000000"), text)
        text = _MARK.sub(lambda found: self._stand_in(found[0], "{:020x}"), text)
        text = _DEVICE.sub("d" * 64, text)
        if long or len(text) <= 3 * _END:
            return text
        return f"{text[:_END]} […] {text[-_END:]}"

    def _stand_in(self, of: str, shape: str) -> str:
        return self._known.setdefault(of, shape.format(len(self._known) + 1))


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    """What of a tool tells it from others."""
    kept: dict[str, Any] = {key: tool[key] for key in _OF_A_TOOL if key in tool}
    if "tools" in tool:
        kept["tools"] = [_tool(inner) for inner in tool["tools"]]
    return kept | ({"input_schema": {"type": "object"}} if "input_schema" in tool else {})


def _recorded(scene: Scene, folder: Path) -> list[Recorded]:
    scrub, turns = Scrubber(folder), {turn["id"]: turn for turn in scene.stand.turns()}
    exchanges: dict[str | None, int | None] = {None: None}
    requests, counted = [], 0
    for passed in scene.hop.passed:
        body = json.loads(passed.request.body)
        if tools := body.get("tools"):
            body["tools"] = [_tool(tool) for tool in tools]
        body.get("client_metadata", {}).pop(_TURN, None)  # it is in the headers too
        path = "/" + passed.request.target.decode().split("/", 3)[3]
        kind, exchange = "", None
        if "count_tokens" not in path:
            turn = turns[passed.headers[b"x-metaclaw-turn"].decode()]
            kind = turn["kind"]
            exchange = exchanges.setdefault(turn["exchange"], len(exchanges))
        elif (counted := counted + 1) > _COUNTED:
            continue
        requests.append(Recorded(path, scrub.headers(passed), scrub.body(body), kind, exchange))
    return requests


def _claude_code(folder: Path) -> list[Recorded]:
    with closing(Scene(folder, "claude-code", "pass-through")) as scene:
        _delegate(scene)
        for words in ("/context", "/compact", _GOODBYE):
            scene.run(words, go_on=True)
        return _recorded(scene, folder)


def _codex(folder: Path) -> list[Recorded]:
    limits = (_WINDOW, _SHORTER_FROM)
    with closing(Scene(folder, "codex", "pass-through", limits=limits)) as scene:
        _delegate(scene, Usage(_SHORTER_FROM + 500, 0, 20))
        scene.run(_GOODBYE, go_on=True)
        return _recorded(scene, folder)


def _delegate(scene: Scene, last: Usage = ASIDE.usage) -> None:
    wait = Step("I wait.", (scene.agent.running("sleep 1"),))
    steps = scene.agent.delegating("Look around. [LOOK]")
    scene.vendor.plays.add("[DELEGATE]", *steps, wait, Step("It is done.", usage=last))
    look = Step("I look.", (scene.agent.running("ls"),))
    scene.vendor.plays.add("[LOOK]", look, Step("There is one file."))
    scene.vendor.plays.add(_GOODBYE, Step("Goodbye."))
    scene.run(EDIT)
    scene.run("Have somebody look around. [DELEGATE]", go_on=True)


def main() -> None:
    for name, make in {"claude-code": _claude_code, "codex": _codex}.items():
        with tempfile.TemporaryDirectory(prefix="record-") as folder:
            file = save(name, make(Path(folder)))
        sys.stdout.write(f"{file.name}: {file.stat().st_size} bytes\n")


if __name__ == "__main__":
    main()
