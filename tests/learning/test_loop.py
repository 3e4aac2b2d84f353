"""The loop does what is due, once, and takes up what was cut short."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import Session

from learning.stand_in import StandIn
from metaclaw_tray.errors import LearningError, UpstreamError
from metaclaw_tray.learning.client import Asked, TooSlowError
from metaclaw_tray.learning.feedback import take_feedback
from metaclaw_tray.learning.judge import Vote
from metaclaw_tray.learning.loop import Learner
from metaclaw_tray.learning.model import TurnedDownError
from metaclaw_tray.learning.note import Written
from metaclaw_tray.learning.paraphrase import Invented
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import claims, forgetting, learning, leaving, lessons, library, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.leaving import Which
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.tables import Exchange, RunState
from metaclaw_tray.store.tables_library import ProposalState
from store.conversation import Client, agent, person
from support.clock import FakeClock

RULE = "Always write headings in capital letters."


class Bench:
    """A store with one conversation that went wrong, a learner, and a stand-in for its model."""

    def __init__(self, path: Path) -> None:
        self.clock = FakeClock(datetime(2026, 3, 3, 12, 5, tzinfo=UTC))
        self.store = Store.open(path, self.clock)
        self.model = StandIn()
        self.opened: Callable[[], None] = lambda: None
        self.settings = Settings()
        self.learner = Learner(self.store, lambda: self.settings, self._open, self.clock)
        self.told: list[str] = []
        self._talk()

    def _talk(self) -> None:
        recorder = Recorder(self.store.read(turns.node_key))
        client = Client(self.store.read(turns.node_key))
        one = client.begin([person("Write the heading.")])
        two = client.begin([person("Write the heading."), agent("Our prices"), person(RULE)])

        def write(session: Session) -> None:
            for record in (
                one,
                client.end(one, agent("Our prices")),
                two,
                client.end(two, agent("OUR PRICES")),
            ):
                recorder.apply(session, record)

        self.store.write(write)

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[StandIn]:
        self.opened()
        yield self.model

    def ready(self) -> None:
        """Let the model do everything well."""
        self.model.will(Vote("not in capitals", -1, "wrong text style"))
        self.model.will(Invented("Write the heading for the list of speakers."))
        self.model.will(
            Written(
                op="create",
                title="Headings in capitals",
                when="Use when writing a heading.",
                triggers=["heading", "headline", "title"],
                body="Write headings in capital letters.",
            )
        )
        self.model.reading(RULE, "rule")
        self.model.answer = lambda asked: (
            "OUR PRICES" if "metaclaw-notes" in str(asked.messages[-1]) else "Our prices"
        )
        self.model.weight = lambda asked: 0.9 if "OUR PRICES" in str(asked.messages[-1]) else 0.1


@pytest.fixture
def bench(tmp_path: Path):
    made = Bench(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


async def test_a_standing_instruction_becomes_a_measured_proposal(bench: Bench) -> None:
    bench.ready()
    done = await bench.learner.work()
    (view,) = bench.store.read(library.proposals)
    assert done.proposals == [view.proposal.id]
    assert view.gate is not None
    assert view.gate.passed
    assert view.gate.with_skill == pytest.approx(0.8)
    assert view.gate.without_skill == pytest.approx(-0.8)
    assert bench.store.read(learning.last_run).state == RunState.PROPOSED
    assert await bench.learner.work() == type(done)()


async def test_nothing_due_opens_no_model(bench: Bench) -> None:
    bench.ready()
    await bench.learner.work()

    def fail() -> None:
        raise AssertionError("the model was opened")

    bench.opened = fail
    await bench.learner.work()


@pytest.mark.parametrize(
    "error", [LearningError("The cap is reached", "0 of 0", ""), UpstreamError("Away", "gone", "")]
)
async def test_a_run_that_the_budget_or_the_model_stopped_is_taken_up_again(
    bench: Bench, error: Exception
) -> None:
    bench.ready()
    answer = bench.model.answer

    def stop(_asked: object) -> str:
        raise error

    bench.model.answer = stop
    for _ in range(3):
        with pytest.raises(type(error)):
            await bench.learner.work()
    (run,) = bench.store.read(learning.open_runs)
    assert bench.store.read(lambda db: len(lessons.ready_clusters(db, 4))) == 0  # claimed once, and for ever
    bench.model.answer = answer
    done = await bench.learner.work()
    assert len(done.proposals) == 1
    assert bench.store.read(learning.open_runs) == []
    assert bench.store.read(learning.last_run).id == run.id


async def test_a_run_that_is_turned_down_again_and_again_ends_and_others_go_on(bench: Bench) -> None:
    bench.ready()

    def turns_down(_asked: object) -> str:
        raise TurnedDownError("Turned down", "the request is longer than the context", "")

    bench.model.answer = turns_down
    for _ in range(3):
        with pytest.raises(UpstreamError):
            await bench.learner.work()
    run = bench.store.read(learning.last_run)
    assert run is not None
    assert (run.state, run.reason) == (RunState.FAILED, "the request is longer than the context")


async def test_a_model_that_is_away_for_days_ends_the_run_with_its_reason(bench: Bench) -> None:
    bench.ready()

    def stop(_asked: object) -> str:
        raise UpstreamError("Away", "the model is gone", "")

    bench.model.answer = stop
    with pytest.raises(UpstreamError):
        await bench.learner.work()
    bench.clock.advance(timedelta(days=4).total_seconds())
    with pytest.raises(UpstreamError):
        await bench.learner.work()
    run = bench.store.read(learning.last_run)
    assert (run.state, run.reason) == (RunState.FAILED, "the model is gone")


async def test_a_skill_that_does_not_help_is_refused_and_stays_readable(bench: Bench) -> None:
    bench.ready()
    bench.model.weight = lambda _asked: 0.5
    done = await bench.learner.work()
    assert done.proposals == []
    (view,) = bench.store.read(lambda db: library.proposals(db, (ProposalState.REFUSED,)))
    assert "no difference" in view.proposal.reason
    assert bench.store.read(library.proposals) == []


async def test_learning_stops_in_the_middle_of_a_pass_when_it_is_switched_off(bench: Bench) -> None:
    bench.ready()

    async def switch_off(_text: str) -> None:
        bench.settings = Settings.model_validate({"learning": {"enabled": False}})

    async with bench.learner.heard_by(switch_off):
        done = await bench.learner.work()
    assert done.judged == 1
    assert bench.store.read(learning.last_run) is None


async def test_support_is_claimed_before_the_evolver_sees_it(bench: Bench) -> None:
    bench.ready()
    seen: list[bool] = []

    async def look(text: str) -> None:
        if text.startswith("a skill was written"):
            exchange = bench.store.read(lambda db: turns.turns(db)[-1].turn.exchange_id)
            seen.append(bench.store.read(lambda db: claims.use_of(db, exchange)) is not None)

    async with bench.learner.heard_by(look):
        await bench.learner.work()
    assert seen == [True]


def test_a_bare_thumb_down_keeps_the_rule_that_the_judge_had_found(bench: Bench) -> None:
    def write(db: Session) -> None:
        first = turns.turns(db)[-1].turn
        exchange = db.get(Exchange, first.exchange_id)
        ruling = learning.Ruling(-1, (-1,), "not in capitals", "wrong text style", RULE)
        learning.add_verdict(db, first.id, first.exchange_id, ruling, "model", bench.clock.now())
        take_feedback(db, exchange, False, "", bench.clock.now())

    bench.store.write(write)
    (cluster,) = bench.store.read(lambda db: lessons.ready_clusters(db, 4))
    assert (cluster.instruction, cluster.kind) == (RULE, "wrong text style")


async def test_a_turn_keeps_waiting_while_the_model_is_away_and_says_so(bench: Bench) -> None:
    def away() -> None:
        raise UpstreamError("Away", "connection refused", "")

    bench.opened = away
    for _ in range(5):
        with pytest.raises(UpstreamError):
            await bench.learner.work()
    assert bench.learner.waiting == "connection refused"
    assert bench.store.read(learning.count_due) == 1
    bench.opened = lambda: None
    bench.ready()
    assert (await bench.learner.work()).proposals
    assert bench.learner.waiting == ""


@pytest.mark.parametrize(
    "error",
    [
        TooSlowError("Slow", "took longer than 1 second", ""),
        TurnedDownError("Turned down", "the request is longer than the context", ""),
    ],
)
async def test_a_call_that_cannot_be_answered_three_times_leaves_the_turn_unscored(
    bench: Bench, error: UpstreamError
) -> None:
    bench.ready()
    bench.model.fill = _raising(error)  # type: ignore[method-assign]
    for _ in range(2):
        with pytest.raises(UpstreamError):
            await bench.learner.work()
    await bench.learner.work()
    assert bench.store.read(learning.count_verdicts) == (0, 1)


def _raising(error: Exception):
    async def fill(*_: object) -> None:
        raise error

    return fill


def forget_all(bench: Bench) -> None:
    """The person forgets it all, while learning is at it."""

    def work(session: Session) -> None:
        told = leaving.chosen(session, Which(agent="agent"))
        forgetting.forget(session, told, bench.clock.now(), learnt=True)

    bench.store.write(work)


async def test_what_is_forgotten_while_it_is_judged_gets_no_verdict(bench: Bench) -> None:
    bench.ready()
    fill = bench.model.fill

    async def forgetting_first(asked: Asked, form: type[Any], schema: dict[str, Any]) -> Any:
        forget_all(bench)
        return await fill(asked, form, schema)

    bench.model.fill = forgetting_first  # type: ignore[method-assign]
    await bench.learner.work()
    assert bench.store.read(learning.count_verdicts) == (0, 0)
    assert bench.store.read(learning.last_run) is None


async def test_what_is_forgotten_while_it_is_measured_is_not_proposed(bench: Bench) -> None:
    bench.ready()

    def forgetting_first(_asked: object) -> str:
        forget_all(bench)
        return "OUR PRICES"

    bench.model.answer = forgetting_first
    done = await bench.learner.work()
    assert done.proposals == []
    assert done.notes == ["what it was learnt from was forgotten"]
    assert bench.store.read(lambda db: library.proposals(db, tuple(ProposalState))) == []
    run = bench.store.read(learning.last_run)
    assert run is not None
    assert (run.state, run.reason) == (RunState.FAILED, "what it was learnt from was forgotten")


async def test_the_turn_at_fault_is_kept_with_the_verdict_of_the_last(bench: Bench) -> None:
    client = Client(bench.store.read(turns.node_key), session="steps")
    recorder = Recorder(client.key)
    function = {"name": "edit", "arguments": "{}"}
    step = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function"}]}
    step["tool_calls"][0]["function"] = function
    said = [person("Rename it in report.sql."), step, {"role": "tool", "tool_call_id": "c", "content": "ok"}]
    one, two = client.begin(said[:1]), client.begin(said)
    three = client.begin([*said, agent("Renamed."), person("Not in the backup!")])

    def write(session: Session) -> None:
        for record in (one, client.end(one, step), two, client.end(two, agent("Renamed.")), three):
            recorder.apply(session, record)

    bench.store.write(write)
    bench.model.will(Vote("the wrong file", -1, "wrong file", 1)).reading()
    await bench.learner.work()
    view = bench.store.read(lambda db: turns.turn(db, two.turn_id))
    assert view.verdict is not None
    assert view.verdict.guilty_turn_id == one.turn_id
