"""The prompt cache survives: whatever a client does, shared beginnings stay the same bytes."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from multidict import CIMultiDict, CIMultiDictProxy

from metaclaw_tray.proxy.anchors import Anchors, Block
from metaclaw_tray.proxy.bodies import Body
from metaclaw_tray.proxy.injection import Injector
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.sessions import Sessions
from metaclaw_tray.proxy.tee import Recorder
from metaclaw_tray.proxy.threads import Threads
from metaclaw_tray.proxy.turns import Desk, Turn
from metaclaw_tray.settings import Settings, Upstream
from metaclaw_tray.store.records import BlockInjected
from metaclaw_tray.wire.chat import CHAT
from proxy.house import KEY, Library, Pipe
from support.clock import FakeClock

NAMES = ["dates", "cats", "trains", "soup"]
WORDS = st.lists(st.sampled_from([*NAMES, "please", "北京", "\ud83d"]), min_size=1, max_size=4).map(" ".join)
MESSAGE = st.one_of(
    st.builds(lambda words: {"role": "user", "content": words}, WORDS),
    st.builds(lambda words: {"role": "user", "content": [{"type": "text", "text": words}]}, WORDS),
    st.builds(lambda words: {"role": "assistant", "content": words}, WORDS),
    st.builds(lambda words: {"role": "tool", "tool_call_id": "1", "content": words}, WORDS),
    st.builds(lambda words: {"role": "system", "content": words}, WORDS),
)
# What happens next: go on from any earlier request (an edit, a branch, the next turn), repeat one, learn a
# skill, or start the program again.
STEP: st.SearchStrategy[tuple[str, int, int, list[dict[str, Any]]]] = st.one_of(
    st.tuples(st.just("go on"), st.integers(0, 20), st.integers(0, 6), st.lists(MESSAGE, max_size=3)),
    st.tuples(st.just("repeat"), st.integers(0, 20), st.just(0), st.just([])),
    st.tuples(st.just("learn"), st.integers(0, 3), st.just(0), st.just([])),
    st.tuples(st.just("restart"), st.just(0), st.just(0), st.just([])),
)


class Talk:
    """One session of a client, and what the upstream sees of it."""

    def __init__(self) -> None:
        self.library, self.pipe, self.clock = Library(), Pipe(), FakeClock()
        self.requests: list[list[dict[str, Any]]] = [[]]
        self.sent: list[tuple[int, list[dict[str, Any]], list[Any]]] = []
        self.runs = 0
        self._open()

    def _open(self) -> None:
        self.runs += 1
        anchors = Anchors()
        anchors.load((kept.anchor, _block(kept)) for kept in self.pipe.of(BlockInjected))
        self._desk = Desk(
            Settings,
            Injector(anchors, self.library),
            Sessions(),
            Threads(KEY),
            Recorder(self.pipe, self.clock),
            self.clock,
            KEY,
        )

    def take(self, step: tuple[str, int, int, list[dict[str, Any]]]) -> None:
        what, which, kept, new = step
        if what == "learn":
            self.library.add(NAMES[which])
            return
        if what == "restart":
            self._open()
            return
        earlier = self.requests[which % len(self.requests)]
        request = earlier if what == "repeat" else [*earlier[: len(earlier) - kept or None], *new]
        if request:
            self.requests.append(request)
            self._ask(request)

    def _ask(self, messages: list[dict[str, Any]]) -> None:
        body = json.dumps({"model": "m", "messages": messages}).encode()
        headers = CIMultiDictProxy(CIMultiDict({"X-Session-Id": "s"}))
        route = Route("m", Upstream(base_url="http://127.0.0.1:1/v1"))
        turn = self._desk.begin("claw", CHAT, Body(body, body), headers, lambda _: route)
        assert isinstance(turn, Turn)
        self.sent.append((self.runs, messages, json.loads(turn.sent.body)["messages"]))


def _block(kept: BlockInjected) -> Block:
    return Block(kept.block, tuple(kept.skills), kept.tokens, kept.generation, kept.session_id, kept.at)


@settings(max_examples=150, deadline=None)
@given(st.lists(STEP, max_size=14))
def test_what_two_requests_share_the_upstream_sees_alike(steps: list[Any]) -> None:
    talk = Talk()
    for step in steps:
        talk.take(step)
    for place, (run, messages, sent) in enumerate(talk.sent):
        assert [_bare(message) for message in sent] == [_bare(message) for message in messages]
        for run_then, others, sent_then in talk.sent[:place]:
            shared = 0
            while shared < min(len(messages), len(others)) and messages[shared] == others[shared]:
                shared += 1
            # The first note is the first message's own, and stands before it: those who share that message
            # share the note.
            begun = next((n for n, each in enumerate(messages) if each["role"] == "user"), len(messages))
            first = 0 if begun < shared else _leading(messages)
            if run == run_then:
                assert sent[first:shared] == sent_then[first:shared]
            else:  # that nothing fitted is remembered for as long as the program runs, a block for ever
                for place_then in range(first, shared):
                    if sent_then[place_then] != others[place_then]:
                        assert sent[place_then] == sent_then[place_then]


def _leading(messages: list[dict[str, Any]]) -> int:
    """How many system messages stand at the beginning."""
    others = (place for place, message in enumerate(messages) if message["role"] != "system")
    return next(others, len(messages))


def _bare(message: dict[str, Any]) -> Any:
    """A message without what was put into it."""
    content = message["content"]
    text = content if isinstance(content, str) else content[0]["text"]
    return message["role"], text.partition("\n\n[note")[0]
