"""While the person lets learning rest, it begins nothing, asks nothing, and stops at the next step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from learning.test_loop import Bench
from metaclaw_tray.errors import LearningError
from metaclaw_tray.learning.loop import Learner
from metaclaw_tray.learning.quiet import Calm
from metaclaw_tray.store import learning

WHY = "paused by you"


class Resting(Bench):
    """A learner that rests while `why` says so."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.why = ""
        self.learner = Learner(
            self.store, lambda: self.settings, self._open, self.clock, held=lambda: self.why
        )


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Resting]:
    made = Resting(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


async def test_nothing_is_begun_and_no_model_is_opened(bench: Resting) -> None:
    bench.ready()
    opened: list[int] = []
    bench.opened = lambda: opened.append(1)
    bench.why = WHY
    with pytest.raises(LearningError, match=WHY):
        await bench.learner.work()
    assert opened == []
    assert bench.store.read(learning.due_turns)
    bench.why = ""
    assert (await bench.learner.work()).judged == 1


async def test_a_pass_that_is_under_way_stops_at_its_next_step(bench: Resting) -> None:
    bench.ready()

    async def pause(_text: str) -> None:
        bench.why = WHY

    async with bench.learner.heard_by(pause):
        done = await bench.learner.work()
    assert done.judged == 1
    assert bench.store.read(learning.last_run) is None


async def test_it_is_at_work_only_while_it_works(bench: Resting) -> None:
    bench.ready()
    seen: list[bool] = []

    async def look(_text: str) -> None:
        seen.append(bench.learner.working)

    assert not bench.learner.working
    async with bench.learner.heard_by(look):
        await bench.learner.work()
    assert seen
    assert all(seen)
    assert not bench.learner.working


def test_a_rest_is_no_quiet_moment(bench: Resting) -> None:
    calm: Calm = bench.learner._calm
    assert calm._is_quiet()
    bench.why = WHY
    assert not calm._is_quiet()
