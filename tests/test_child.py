from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import uvloop

from echo_child import Bye, Do, FromEcho, Heard, Say, ToEcho
from metaclaw_tray import child as child_module
from metaclaw_tray.child import Child, ChildEndedError, FrameError, encode, run_child, start_child

ECHO = [sys.executable, str(Path(__file__).parent / "echo_child.py")]


def start_echo(*args: str, **options):
    return start_child("echo", *args, to_child=ToEcho, from_child=FromEcho, command=ECHO, **options)


async def next_message(child: Child):
    return await anext(child.messages())


async def test_messages_go_both_ways_in_order():
    async with start_echo() as child:
        for number in range(100):
            await child.send(Say(str(number)))
        heard = [await next_message(child) for _ in range(100)]
    assert heard == [Heard(str(n), len(str(n))) for n in range(100)]
    assert child.returncode == 0


def test_a_child_works_on_uvloop_too():
    async def talk() -> None:
        async with start_echo() as child:
            assert child.offer(encode(Say("x" * 3_000_000)))
            assert await next_message(child) == Heard("x" * 40, 3_000_000)
        assert child.returncode == 0
        assert not child.offer(encode(Say("late")))

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(talk())


async def test_end_of_input_lets_the_child_drain_and_say_goodbye():
    async with start_echo() as child:
        for _ in range(50):
            assert child.offer(encode(Say("x" * 100_000)))
        assert await child.stop(grace=60) == 0
        said = [message async for message in child.messages()]
    assert said[-1] == Bye(50)


async def test_messages_end_and_the_return_code_is_known_when_the_child_dies():
    async with start_echo() as child:
        await child.send(Do("exit", "7"))
        assert [message async for message in child.messages()] == []
        assert child.returncode == 7
        assert [message async for message in child.messages()] == []


async def test_offer_to_a_killed_child_is_refused_without_an_exception():
    async with start_echo() as child:
        await child.send(Say("here"))
        await next_message(child)
        os.kill(child.pid, signal.SIGKILL)
        async for _ in child.messages():
            pass
        assert child.returncode == -signal.SIGKILL
        while child.offer(encode(Say("x" * 100_000))):
            await asyncio.sleep(0)
        with pytest.raises(ChildEndedError):
            await child.send(Say("anybody?"))


async def test_offer_refuses_beyond_its_limit_and_never_waits(tmp_path: Path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    async with start_echo(limit_bytes=8_000_000) as child:
        await child.send(Do("stall", str(gate)))
        frame = encode(Say("x" * 500_000))
        accepted = 0
        while child.offer(frame):
            accepted += 1
        assert child.waiting_bytes <= 8_000_000
        assert 15 <= accepted <= 20
        await asyncio.to_thread(gate.write_bytes, b"go")
        assert [await next_message(child) for _ in range(accepted)] == [Heard("x" * 40, 500_000)] * accepted
        assert child.offer(frame)


async def test_a_talkative_child_can_end_though_nobody_listens():
    async with start_echo() as child:
        await child.send(Do("flood", "2000"))
        assert await child.stop(grace=60) == 0


async def test_a_child_that_will_not_end_is_killed(tmp_path: Path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    async with start_echo() as child:
        await child.send(Say("ready"))
        await next_message(child)
        await child.send(Do("stall", str(gate)))
        assert await child.stop(grace=0.2) == -signal.SIGKILL


async def test_signals_to_the_group_are_left_to_the_parent():
    async with start_echo() as child:
        await child.send(Say("ready"))
        await next_message(child)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(child.pid, number)
        await child.send(Say("still here"))
        assert await next_message(child) == Heard("still here", 10)


@pytest.mark.parametrize("crime", ["garbage", "oversized"])
async def test_a_child_that_breaks_the_protocol_is_killed_and_said_so(crime: str):
    async with start_echo() as child:
        await child.send(Do(crime))
        with pytest.raises(FrameError, match="echo process broke the protocol"):
            await next_message(child)
        assert await child.stop() == -signal.SIGKILL


async def test_a_frame_cut_short_by_death_is_the_end_not_an_error():
    async with start_echo() as child:
        await child.send(Do("cut"))
        assert [message async for message in child.messages()] == []


async def test_what_a_child_prints_goes_to_the_log_and_not_into_the_messages(caplog):
    caplog.set_level("INFO")
    async with start_echo() as child:
        await child.send(Do("print", "stray words"))
        assert await next_message(child) == Heard("printed")
    assert ("metaclaw_tray.child.echo", 20, "stray words") in caplog.record_tuples


def test_an_oversized_message_is_refused_before_it_is_sent(monkeypatch):
    monkeypatch.setattr(child_module, "FRAME_LIMIT", 1000)
    encode(Say("x" * 900))
    with pytest.raises(FrameError, match="over the limit of 1000"):
        encode(Say("x" * 1000))


PARENT = """
import asyncio, os, sys
from echo_child import Do, FromEcho, Say, ToEcho
from metaclaw_tray.child import encode, start_child

async def main():
    async with start_child("echo", sys.argv[1], to_child=ToEcho, from_child=FromEcho,
                           command=[sys.executable, sys.argv[2]]) as child:
        await child.send(Say("ready"))
        await anext(child.messages())
        await child.send(Do("stall", sys.argv[3]))
        for _ in range(20):
            await child.send(Say("x" * 10_000))
        while child.waiting_bytes:
            await asyncio.sleep(0.01)
        print(child.pid, flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


def test_a_parent_killed_with_9_loses_nothing_that_is_in_the_pipe(tmp_path: Path):
    report, gate = tmp_path / "report", tmp_path / "gate"
    os.mkfifo(gate)
    folder = Path(__file__).parent
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(report), ECHO[1], str(gate)],
        env={**os.environ, "PYTHONPATH": f"{folder.parent / 'app'}{os.pathsep}{folder}"},
        stdout=subprocess.PIPE,
    )
    with parent:
        assert parent.stdout is not None
        child_pid = int(parent.stdout.readline())
        parent.kill()
    gate.write_bytes(b"go")
    while _alive(child_pid):
        signal.sigtimedwait([], 0.01)
    assert report.read_text() == "22"


def _alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


def test_an_unknown_role_is_wrong_usage(capsys):
    assert run_child(["nobody"]) == 2
    assert "no child role 'nobody'" in capsys.readouterr().err


async def test_the_program_itself_dispatches_children(caplog):
    caplog.set_level("INFO")
    async with start_child("nobody", to_child=ToEcho, from_child=FromEcho) as child:
        assert [message async for message in child.messages()] == []
    assert child.returncode == 2
    assert "no child role 'nobody'" in caplog.text
