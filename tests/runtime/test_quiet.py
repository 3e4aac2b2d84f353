"""Agents are at rest when no request of theirs is open, and none was for a while."""

from __future__ import annotations

from dataclasses import dataclass

from metaclaw_tray.runtime.quiet import QuietWatch
from support.clock import FakeClock


@dataclass
class Counted:
    turns: int = 0
    open_turns: int = 0


def test_it_is_quiet_some_seconds_after_the_last_request_ended() -> None:
    clock, traffic = FakeClock(), Counted()
    is_quiet = QuietWatch(lambda: traffic, lambda: 10.0, clock)
    assert is_quiet()
    traffic.turns, traffic.open_turns = 1, 1
    clock.advance(60)
    assert not is_quiet()
    traffic.open_turns = 0
    clock.advance(9)
    assert not is_quiet()
    clock.advance(1)
    assert is_quiet()


def test_a_request_that_came_and_went_unseen_counts() -> None:
    clock, traffic = FakeClock(), Counted()
    is_quiet = QuietWatch(lambda: traffic, lambda: 10.0, clock)
    assert is_quiet()
    traffic.turns = 5
    assert not is_quiet()
    clock.advance(10)
    assert is_quiet()
