"""What is told when the scribe is slow to listen."""

from __future__ import annotations

from typing import Any

from metaclaw_tray.proxy.tee import Recorder
from metaclaw_tray.store.records import BlockInjected, Dropped, SessionEnded, ThreadKnown, TurnEnded
from proxy.house import Pipe
from support.clock import FakeClock

BLOCK = BlockInjected(b"n" * 16, "s", "text", ["dates@1"], 3, 1, 0.0)
THREAD = ThreadKnown("resp_1", "claw", "s", b"t" * 16, [], False, 0.0)


def end(number: int) -> TurnEnded:
    return TurnEnded(str(number), "ok", 200, "", b"x" * 10_000, "application/json", "", False, 1.0, 2.0)


def test_every_turn_ends_though_no_answer_found_room() -> None:
    pipe = Pipe()
    recorder = Recorder(pipe, FakeClock())
    pipe.full = True
    for number in range(100):
        recorder.offer(end(number))
    pipe.full = False
    recorder.retry()
    ended = pipe.of(TurnEnded)
    assert [(each.turn_id, each.outcome, each.body) for each in ended] == [
        (str(number), "ok", b"") for number in range(100)
    ]
    assert [each.count for each in pipe.of(Dropped)] == [100]


def test_an_end_of_which_only_the_answer_is_too_large_is_told_without_it() -> None:
    class Narrow(Pipe):
        def offer(self, record: Any) -> bool:
            if isinstance(record, TurnEnded) and len(record.body) > 1000:
                raise ValueError("it never fits")
            return super().offer(record)

    pipe = Narrow()
    recorder = Recorder(pipe, FakeClock())
    assert not recorder.offer(end(1))
    assert [each.turn_id for each in pipe.of(TurnEnded)] == ["1"]


def test_only_blocks_wait_without_a_limit() -> None:
    pipe = Pipe()
    recorder = Recorder(pipe, FakeClock())
    pipe.full = True
    for _ in range(2000):
        recorder.keep(SessionEnded("s", "silence", 0.0))
        recorder.keep(BLOCK)
        recorder.keep(THREAD)
        recorder.offer(end(1))
    for _ in range(8000):
        recorder.keep(BLOCK)
    pipe.full = False
    recorder.retry()
    others = len(pipe.of(SessionEnded)) + len(pipe.of(ThreadKnown)) + len(pipe.of(TurnEnded))
    assert len(pipe.of(BlockInjected)) == 10_000
    assert others == 4096
    assert [each.count for each in pipe.of(Dropped)] == [2000 + 6000 - 4096], "answers, and all that waited"
    recorder.keep(THREAD)
    assert pipe.records[-1] == THREAD, "there is room again"
