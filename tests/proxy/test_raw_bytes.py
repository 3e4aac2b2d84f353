"""Bytes that are no UTF-8, wherever a client or an upstream may put them, and a scribe's pipe that fails."""

from __future__ import annotations

import json
import logging

import pytest

from metaclaw_tray.proxy.tee import Recorder
from metaclaw_tray.proxy.texts import encodable
from metaclaw_tray.store.records import BlockInjected, Dropped, SessionEnded, TurnBegun, TurnEnded
from proxy.house import TOKEN, House, Pipe, raw_exchange
from proxy.upstream import Saw, Wire, completion
from support.clock import FakeClock

BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}]}).encode()


async def raw_turn(house: House, *headers: bytes) -> tuple[int, bytes]:
    head = [
        b"POST /a/%s/v1/chat/completions HTTP/1.1" % TOKEN.encode(),
        b"Host: 127.0.0.1:%d" % house.port,
        b"Content-Type: application/json",
        b"Content-Length: %d" % len(BODY),
        *headers,
    ]
    return await raw_exchange(house.port, b"\r\n".join(head) + b"\r\n\r\n" + BODY)


async def test_a_session_name_that_is_no_utf8_is_a_session_all_the_same(house: House) -> None:
    for name in (b"caf\xe9", b"caf\xe8"):
        status, _ = await raw_turn(house, b"X-Session-Id: " + name)
        assert status == 200
    begun = await house.begun(2)
    await house.ended(2)
    assert [each.session_id for each in begun] == [r"claw/caf\udce9", r"claw/caf\udce8"]
    await house.proxy.drain(1)
    assert [each.session_id for each in house.pipe.of(SessionEnded)] == [each.session_id for each in begun]
    assert house.proxy.counters.faults == 0


@pytest.mark.parametrize(
    "header",
    [
        b"X-Turn-Type: \xe9",
        b"X-Session-Done: \xe9",
        b"Content-Encoding: \xe9",
        b"X-Own: \xe9",
        b"Accept: \xe9",
    ],
)
async def test_no_header_byte_of_a_client_fails_its_request(house: House, header: bytes) -> None:
    assert (await raw_turn(house, header))[0] == 200
    assert len(await house.ended()) == 1


async def test_a_refusal_can_name_any_bytes(house: House) -> None:
    status, answer = await raw_turn(house, b"Expect: caf\xe9")
    assert status == 417
    assert r"caf\udce9" in json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["message"]


@pytest.mark.parametrize("name", ["Content-Type", "Content-Encoding", "X-Own"])
async def test_no_header_byte_of_an_upstream_fails_its_answer(house: House, name: str) -> None:
    async def script(saw: Saw, wire: Wire) -> None:
        body = completion()
        head = f"HTTP/1.1 200 OK\r\n{name}: caf".encode() + b"\xe9\r\nContent-Length: %d\r\n\r\n" % len(body)
        await wire.send(head + body)

    house.upstream.script = script
    status, answer = await raw_turn(house)
    assert status == 200
    assert answer.endswith(completion())
    (ended,) = await house.ended()
    told = {"Content-Type": ended.content_type, "Content-Encoding": ended.content_encoding}
    assert told.get(name, r"caf\udce9") == r"caf\udce9"
    assert house.proxy.counters.faults == 0


async def test_a_pipe_that_is_broken_never_breaks_the_agent(house: House) -> None:
    house.pipe.broken = (TurnBegun, TurnEnded, BlockInjected, SessionEnded)
    house.library.add("dates")
    for _ in range(3):
        assert (await house.say("about dates", X_Session_Done="true")).status == 200
    house.proxy.sweep()
    assert house.proxy.counters.open_turns == 0
    assert house.proxy.counters.faults > 3
    house.pipe.broken = ()
    await house.say("again")
    await house.ended()
    assert house.pipe.of(Dropped)
    house.pipe.broken = (SessionEnded, Dropped)
    await house.proxy.drain(1)


def test_a_record_that_can_never_be_told_is_counted_and_out_of_the_way() -> None:
    pipe = Pipe()
    recorder = Recorder(pipe, FakeClock())
    recorder.keep(SessionEnded("caf\udce9", "signal", 1.0))
    recorder.keep(SessionEnded("sound", "signal", 2.0))
    assert [each.session_id for each in pipe.of(SessionEnded)] == ["sound"]
    assert [each.count for each in pipe.of(Dropped)] == [1]
    assert (recorder.dropped, recorder.faults) == (1, 1)


def test_text_that_can_be_encoded_stays_as_it_is() -> None:
    assert encodable("plain") == "plain"
    assert encodable("北京 🦞") == "北京 🦞"


@pytest.mark.parametrize(
    "request_line",
    [
        b"POST /a/%s/v1/chat/completions HTTP/9.9.9",
        b"POST /a/%s/caf\xe9 HTTP/1.1",
        b"P\xe9ST /a/%s/v1/chat/completions HTTP/1.1",
        b"POST /a/%s/v1/chat/completions HTTP/1.1\r\nno header",
    ],
)
async def test_a_broken_request_leaves_no_word_in_the_log(
    house: House, caplog: pytest.LogCaptureFixture, request_line: bytes
) -> None:
    with caplog.at_level(logging.DEBUG):
        status, _ = await raw_exchange(house.port, request_line % TOKEN.encode() + b"\r\nHost: x\r\n\r\n")
    assert status == 400
    logged = [logging.Formatter().format(record) for record in caplog.records]
    assert [line for line in logged if "could not be read" in line]
    assert not [line for line in logged if TOKEN in line or "caf" in line or "no header" in line]
