"""All senses together: one that hangs or fails makes nothing wait, and is unknown."""

from __future__ import annotations

import threading

import pytest

from metaclaw_tray.omls.sensing import senses
from metaclaw_tray.omls.sensing.idle import IdleChain
from metaclaw_tray.omls.sensing.sensed import Sensed
from metaclaw_tray.omls.sensing.senses import Sometimes, SystemSenses
from omls.sensing.test_idle import Scripted, way
from support.clock import FakeClock


class Quiet:
    """Nothing is locked, nobody in a call. `occupied` hangs while the test holds the lock."""

    def __init__(self) -> None:
        self.held = threading.Lock()
        self.asked = 0

    def locked(self) -> bool:
        return False

    def occupied(self) -> bool:
        self.asked += 1
        with self.held:
            return False

    def network(self) -> tuple[bool | None, bool | None]:
        raise OSError("gone")

    def close(self) -> None:
        pass


@pytest.fixture
def quiet() -> Quiet:
    return Quiet()


async def test_what_fails_is_unknown_and_the_rest_is_told(quiet: Quiet) -> None:
    made = SystemSenses(IdleChain([way(Scripted("scripted", 7.0))]), quiet)
    seen = await made.look()
    assert (seen.idle, seen.locked, seen.occupied, seen.way) == (7.0, False, False, "scripted")
    assert (seen.online, seen.metered) == (None, None)
    assert seen.load is None
    made.close()


async def test_a_sense_that_hangs_leaves_all_unknown_and_holds_nobody_up(
    quiet: Quiet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(senses, "PATIENCE", 0.05)
    made = SystemSenses(IdleChain([way(Scripted("scripted", 7.0))]), quiet)
    with quiet.held:
        assert await made.look() == Sensed(way="scripted")
        assert await made.look() == Sensed(way="scripted")
        assert quiet.asked == 1  # the question that hangs is not asked again
    monkeypatch.setattr(senses, "PATIENCE", 30.0)
    assert (await made.look()).idle == 7.0
    made.close()


def test_a_question_is_asked_again_only_after_its_time() -> None:
    clock = FakeClock()
    answers = iter([1, 2, 3])
    question = Sometimes(lambda: next(answers), 10, clock.monotonic)
    assert [question(), question()] == [1, 1]
    clock.advance(10)
    assert question() == 2


def test_every_way_of_this_system_opens_or_says_why_not() -> None:
    chain = IdleChain(senses.ways())
    chain.seconds_since_input()
    assert chain.name != "nothing" or set(chain.failures) == {name for name, _ in senses.ways()}
    chain.close()
