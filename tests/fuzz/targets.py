"""What must hold of any bytes. Each target raises AssertionError, or what should not have been raised."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

from fuzz.source import Source
from metaclaw_tray.redact import redact_json, redact_text
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer_responses import final_answer
from metaclaw_tray.wire.coding import READABLE, decoded
from metaclaw_tray.wire.dialect import HEAD, Dialect
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.sse import Event, EventDecoder
from metaclaw_tray.wire.tree import Reader, answer_id, root_of
from proxy.strict import disagreement, ours, strictly
from support.told import conversation, steps

_KEY = b"k" * 32
_ROOT = root_of(_KEY, "agent")
_BLOCK = "⟦block⟧"
_DIALECTS = tuple(DIALECTS.values())


def events(source: Source) -> None:
    """However a stream is cut, it reads the same."""
    size, stream = source.number(16) + 1, source.events() if source.number(2) else source.rest()
    assert _decoded(stream, size) == _decoded(stream, len(stream) + 1)


def _decoded(stream: bytes, size: int) -> list[Event]:
    decoder = EventDecoder()
    chunks = [stream[start : start + size] for start in range(0, len(stream), size)]
    return [event for chunk in chunks for event in decoder.decode(chunk)] + decoder.flush()


def requests(source: Source) -> None:
    """A request is read or is a WireError; with blocks in it, nothing else of it has changed."""
    dialect = source.pick(_DIALECTS)
    body = source.body()
    if source.number(2):
        fields = source.object(6)
        fields[dialect.conversation] = [source.object(4) for _ in range(source.number(5) + 1)]
        body = json.dumps(fields).encode()
    with contextlib.suppress(WireError):
        request = dialect.parse(body)
        _unchanged(body, dialect.inject(request, [], None), 0)
        list(steps(dialect, request))
        dialect.system_texts(request)
        path = Reader(_KEY).path(dialect, request, _ROOT)
        assert len(path.nodes) == len(path.ids) == len(path.positions) == len(conversation(dialect, request))
        blocks = [(path.positions[place], _BLOCK) for place in path.anchors]
        if dialect.has_system(request):
            blocks.append((HEAD, _BLOCK))
        _unchanged(body, dialect.inject(request, blocks, None), len(blocks))


def _unchanged(before: bytes, after: bytes, blocks: int) -> None:
    try:
        was = json.loads(before)
    except (ValueError, RecursionError):  # holds a value that nobody reads: a number of 5,000 digits
        return
    assert _blocks_between(was, json.loads(after)) == blocks


def _blocks_between(was: Any, now: Any) -> int:
    """How many blocks `now` has more; AssertionError where anything else differs."""
    if isinstance(was, str) and isinstance(now, str) and now.endswith(_BLOCK) and was != now:
        assert now == (was + "\n\n" + _BLOCK if was else _BLOCK)
        return 1
    if isinstance(was, dict) and isinstance(now, dict):
        assert list(was) == list(now)
        return sum(_blocks_between(was[key], now[key]) for key in was)
    if isinstance(was, list) and isinstance(now, list):
        if len(now) == len(was):
            return sum(map(_blocks_between, was, now))
        assert len(now) == len(was) + 1
        new = next((place for place, each in enumerate(now) if _is_block(each)), 0)
        assert _is_block(now[new])
        return 1 + sum(map(_blocks_between, was, now[:new] + now[new + 1 :]))
    assert was == now
    assert type(was) is type(now)
    return 0


def _is_block(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return value.get("text") == _BLOCK or (
        isinstance(content := value.get("content"), list) and len(content) == 1 and _is_block(content[0])
    )


def answers(source: Source) -> None:
    """Whatever comes is an answer, whole or in part, and has an id or is a WireError."""
    dialect = source.pick(_DIALECTS)
    content_type = source.pick(("text/event-stream", "application/json", ""))
    body = source.events() if source.number(4) else source.body()
    for part in (body, body[: source.number(256)]):
        answer = dialect.assemble(part, content_type)
        assert not (answer.complete and answer.message is None and not part.strip())
        if answer.message is not None:
            assert answer.message["role"] == "assistant" or dialect.name == "chat"
            with contextlib.suppress(WireError):
                assert len(answer_id(_KEY, answer.message)) == 16
        if dialect.name == "responses":
            _agrees(dialect, part, content_type)


def _agrees(dialect: Dialect, body: bytes, content_type: str) -> None:
    final = final_answer(body, content_type)
    assert final is None or (final.complete and not final.error)


def encodings(source: Source) -> None:
    """Bodies are read within their limit."""
    names = [source.pick(sorted(READABLE)) for _ in range(source.number(3) + 1)]
    body = source.rest()
    with contextlib.suppress(WireError):
        assert len(decoded(body, ",".join(names), 10_000)) <= max(10_000, len(body))


def secrets(source: Source) -> None:
    """Redacting never fails, and twice is the same as once."""
    text = "".join(source.text() for _ in range(source.number(8))) + source.rest().decode("utf-8", "replace")
    once, _ = redact_text(text)
    assert redact_text(once) == (once, 0)


def secrets_in_json(source: Source) -> None:
    """Redacting never fails, and twice is the same as once; but a secret in the name of a field leaves a name
    that itself says that a secret follows."""
    once, _ = redact_json(source.value(8))
    twice, _ = redact_json(once)
    assert twice == once or _names_hold_marks(once)


def _names_hold_marks(value: Any) -> bool:
    if isinstance(value, dict):
        return any("[redacted:" in name or _names_hold_marks(each) for name, each in value.items())
    return isinstance(value, list) and any(map(_names_hold_marks, value))


_LINES = (
    b"GET /a HTTP/1.1",
    b"POST /b HTTP/1.1",
    b"POST /c HTTP/1.0",
    b"OPTIONS * HTTP/1.1",
    b"CONNECT x:1 HTTP/1.1",
)
_FIELDS = b"""Host: x|Content-Length: 3|Content-Length: 0|Transfer-Encoding: chunked|Connection: close|X: a
Connection: keep-alive|Connection: Upgrade|Upgrade: h2c|Expect: 100-continue""".replace(b"\n", b"|").split(
    b"|"
)
_BODIES = (
    b"",
    b"abc",
    b"3\r\nabc\r\n0\r\n\r\n",
    b"3;x=y\r\nabc\r\n0\r\nT: t\r\n\r\n",
    b"GET /d HTTP/1.1\r\n\r\n",
)
_ENDS = (b"\r\n", b"\n", b"\r", b"\r\n ", b"")


def http(source: Source) -> None:
    """What our server reads on a connection is what a strict reader does, however it is cut."""
    sent = b""
    for _ in range(source.number(3) + 1):
        lines = [source.pick(_LINES), b"Host: x"]
        lines += [source.pick(_FIELDS) for _ in range(source.number(4))]
        for line in [*lines, b""]:
            sent += line + (b"\r\n" if source.number(16) else source.pick(_ENDS))
        sent += source.pick(_BODIES)
    for _ in range(source.number(5)):
        place = source.number(256) * 256 + source.number(256)
        place %= len(sent) + 1
        put = bytes(source.number(256) for _ in range(source.number(4)))
        sent = sent[:place] + put + sent[place + source.number(4) :]
    size = source.pick((1, 2, 7, 10_000))
    sent = source.rest() + sent if source.number(8) == 7 else sent + source.rest()
    mine = _LOOP.run_until_complete(ours([sent[at : at + size] for at in range(0, len(sent), size)]))
    assert disagreement(mine, strictly(sent)) == ""


_LOOP = asyncio.new_event_loop()


TARGETS: dict[str, Callable[[Source], None]] = {
    each.__name__: each for each in (events, requests, answers, encodings, secrets, secrets_in_json, http)
}
