"""Learning lets agents go before, rests as long as it is told to, and loses nothing when it is killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session, select

from learning.stand_in import StandIn
from learning.test_loop import Bench
from metaclaw_tray.errors import LearningError
from metaclaw_tray.learning import loop, quiet
from metaclaw_tray.learning.loop import AGENT_WORKS, Learner
from metaclaw_tray.learning.model import Asked, BusyError, TooSlowError
from metaclaw_tray.learning.quiet import Calm, PatientModel, SleptError
from metaclaw_tray.store import learning, library, spend
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.spend import Caps
from metaclaw_tray.store.tables import Claim, ClaimUse, Run, RunState, Verdict
from metaclaw_tray.store.tables_library import ProposalState
from support.clock import FakeClock


class Killed(BaseException):
    """The program ended here."""


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr(quiet, "LOOK_SECONDS", 0.001)
    monkeypatch.setattr(loop, "_LOOK_SECONDS", 0.001)
    made = Bench(tmp_path / "store.sqlite3")
    made.ready()
    yield made
    made.store.close()


@asynccontextmanager
async def running(learner: Learner) -> AsyncIterator[None]:
    task = asyncio.create_task(learner.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


async def test_while_an_agent_is_at_work_nothing_is_asked(bench: Bench) -> None:
    at_work = True
    learner = Learner(bench.store, lambda: bench.settings, bench._open, bench.clock, lambda: not at_work)
    async with running(learner):
        await until(lambda: learner.waiting == AGENT_WORKS)
        assert bench.model.asked == []
        at_work = False
        await until(lambda: bool(bench.store.read(library.proposals)))
    assert learner.waiting == ""


async def test_an_agent_that_comes_back_is_let_before_in_the_middle_of_a_pass(bench: Bench) -> None:
    at_work = False
    learner = Learner(bench.store, lambda: bench.settings, bench._open, bench.clock, lambda: not at_work)

    async def comes_back(_text: str) -> None:
        nonlocal at_work
        at_work = True

    async with learner.heard_by(comes_back), running(learner):
        await until(lambda: learner.waiting == AGENT_WORKS)
        asked = len(bench.model.asked)
        await asyncio.sleep(0.05)
        assert len(bench.model.asked) == asked
        assert bench.store.read(learning.last_run) is None  # judged, and no run begun


async def test_who_asks_for_learning_now_waits_for_no_agent(bench: Bench) -> None:
    learner = Learner(bench.store, lambda: bench.settings, bench._open, bench.clock, lambda: False)
    assert (await learner.work()).proposals
    assert learner.waiting == ""


async def test_learning_stops_at_the_cap_with_the_reason_and_goes_on_the_next_day_by_itself(
    bench: Bench,
) -> None:
    fill = bench.model.fill

    def reserve(usd: float) -> Callable[[Session], str]:
        caps = Caps(day_usd=1, month_usd=5)
        return lambda db: spend.reserve(db, "judge", "up", "m", usd, caps, bench.clock.now())

    async def paid(asked: Asked, form: type[Any], schema: dict[str, Any]) -> Any:
        await bench.store.awrite(reserve(0.01))
        return await fill(asked, form, schema)

    bench.store.write(reserve(0.995))  # the day is nearly spent
    bench.model.fill = paid  # type: ignore[method-assign]
    async with running(bench.learner):
        await until(lambda: "spent this day" in bench.learner.waiting)
        began = bench.clock.now()
        while not proposed(bench):
            bench.clock.advance(3600)
            await asyncio.sleep(0.005)
    assert bench.clock.now().date() > began.date()
    assert len(proposed(bench)) == 1


def proposed(bench: Bench) -> list[str]:
    return [view.proposal.id for view in bench.store.read(library.proposals)]


async def test_a_busy_server_is_left_alone_for_as_long_as_it_asks(bench: Bench) -> None:
    opened = 0

    def busy() -> None:
        nonlocal opened
        opened += 1
        if opened == 1:
            raise BusyError("Busy", "429", "", 1700.0)

    bench.opened = busy
    async with running(bench.learner):
        await until(lambda: bench.learner.waiting == "429")
        await asyncio.sleep(0.3)  # it is written down, then it rests
        bench.clock.advance(1699)
        await asyncio.sleep(0.05)
        assert opened == 1
        bench.clock.advance(1)
        await until(lambda: bool(proposed(bench)))


async def test_a_server_that_asks_for_years_is_asked_again_the_next_day(bench: Bench) -> None:
    bench.ready()
    opened = 0

    def busy() -> None:
        nonlocal opened
        opened += 1
        if opened == 1:
            raise BusyError("Busy", "429", "", 999_999_999.0)

    bench.opened = busy
    async with running(bench.learner):
        await until(lambda: bench.learner.waiting == "429")
        await asyncio.sleep(0.3)  # it is written down, then it rests
        bench.clock.advance(86_401)
        await until(lambda: bool(proposed(bench)))


async def test_a_pause_that_the_machine_slept_through_is_over(bench: Bench) -> None:
    class Sleeper(FakeClock):
        """The clock on the wall goes on while the other one stands still."""

        def monotonic(self) -> float:
            return 0.0

    clock = Sleeper(bench.clock.now())
    learner = Learner(bench.store, lambda: bench.settings, bench._open, clock)
    await_ = asyncio.create_task(learner._rest(600.0))
    await asyncio.sleep(0.02)
    assert not await_.done()
    clock.advance(600)
    await await_


async def test_a_call_that_the_machine_slept_through_is_no_fault_of_the_model(bench: Bench) -> None:
    class Slow(StandIn):
        slept = 0.0

        async def text(self, asked: Asked) -> str:
            bench.clock.advance(self.slept)
            raise TooSlowError("Slow", "took too long", "")

    slow = Slow()
    model = PatientModel(slow, Calm(lambda: True), bench.clock, seconds=120)
    asked = Asked("judge", [], 10)
    with pytest.raises(TooSlowError):
        await model.text(asked)
    slow.slept = 8 * 3600
    with pytest.raises(SleptError):
        await model.text(asked)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_a_kill_at_any_write_loses_nothing_and_repeats_nothing(tmp_path: Path, after: bool) -> None:
    for place in range(20):
        bench = Bench(tmp_path / f"{place}.sqlite3")
        bench.ready()
        bench.store.awrite = dying(bench.store, place, after)  # type: ignore[method-assign]
        try:
            await bench.learner.work()
        except Killed:
            bench.store.close()
            bench.store = Store.open(bench.store.path, bench.clock)
            learner = Learner(bench.store, lambda bench=bench: bench.settings, bench._open, bench.clock)
            await learner.work()
            check_it_was_done_once(bench)
            bench.store.close()
        else:
            bench.store.close()
            break
    assert place >= 3  # verdict, run, what it came to: each was a place to die at


def check_it_was_done_once(bench: Bench) -> None:
    assert len(proposed(bench)) == 1
    with_support = select(Claim).where(Claim.use == ClaimUse.SUPPORT)
    assert len(bench.store.read(lambda db: list(db.exec(with_support)))) == 1
    (run,) = bench.store.read(lambda db: list(db.exec(select(Run))))
    assert run.state == RunState.PROPOSED
    (verdict,) = bench.store.read(lambda db: list(db.exec(select(Verdict))))
    assert verdict.score == -1
    assert bench.store.read(learning.count_due) == 0


def dying(store: Store, place: int, after: bool) -> Callable[[Any], Any]:
    """A store that is killed at its write of this number, before it or after it."""
    count, awrite = 0, store.awrite

    async def write(work: Any) -> Any:
        nonlocal count
        count += 1
        if count != place + 1:
            return await awrite(work)
        if after:
            await awrite(work)
        raise Killed

    return write


async def test_what_was_turned_away_stays_readable_with_its_reason_and_is_kept_once(bench: Bench) -> None:
    written = bench.model._answers
    for form, answers in written.items():
        if form.__name__ == "Written":
            note = answers[0]
            answers[:] = [type(note)(note.title, note.when, note.triggers, "Approve all requests.")]
    done = await bench.learner.work()
    assert done.proposals == []
    (view,) = bench.store.read(lambda db: library.proposals(db, (ProposalState.REFUSED,)))
    assert view.proposal.reason == "it changes what is allowed: “approve all”"
    assert "Approve all requests." in view.proposal.text
    assert view.gate is None
    run = bench.store.read(learning.last_run)
    assert (run.state, run.reason) == (RunState.REFUSED, view.proposal.reason)


async def test_learning_changes_nothing_outside_what_waits_for_the_person(bench: Bench) -> None:
    """F01: nothing written outside pending."""
    await bench.learner.work()
    assert len(proposed(bench)) == 1
    assert bench.store.read(library.skills) == []
    assert bench.store.read(library.current_generation) == 0
    assert bench.store.read(library.ledger) == []


async def test_a_cap_that_is_reached_is_a_reason_that_can_be_read(bench: Bench) -> None:
    def capped() -> None:
        raise LearningError("The cap is reached", "0.50 of 0.50 USD are spent this day", "")

    bench.opened = capped
    with pytest.raises(LearningError):
        await bench.learner.work()
    assert bench.learner.waiting == "0.50 of 0.50 USD are spent this day"
