"""What the running app tells the scheduler at once, and what it tells the person of windows."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.admin.api.tray import TrainingNews
from metaclaw_tray.errors import KnownError
from metaclaw_tray.omls.sensing.senses import SystemSenses
from metaclaw_tray.runtime.facade.training import TrainingDesk
from metaclaw_tray.runtime.notifying import Notifying
from metaclaw_tray.runtime.watching import WindowNews, watch
from metaclaw_tray.settings import Settings
from metaclaw_tray.store import schedule as rows
from omls.person import House, settle
from omls.sensing.bus import bus, needs_bus, service


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = House(tmp_path)
    yield made
    made.scheduler._driver.want("")
    await settle()
    made.store.close()


@pytest.fixture
def news(house: House) -> WindowNews:
    made = WindowNews(house.store, house.clock, lambda: None)
    house.scheduler._opened, house.scheduler._closed = made.opened, made.closed
    return made


async def told(house: House, settings: Settings) -> list[str]:
    """What the person is told now, in the parts that count."""
    due = await Notifying(house.store, lambda: settings, list, house.clock).due(autostart=False)
    trainings = [each.training for each in due if each.training is not None]
    for each in due:
        await Notifying(house.store, lambda: settings, list, house.clock).shown(each.kind, each.keys)
    return [f"{_phase(each)} {each.window} {each.title} {each.minutes:.0f}".strip() for each in trainings]


def _phase(news: TrainingNews) -> str:
    if not news.ended:
        return "begun"
    return "paused" if news.more_to_do else "ended"


async def test_a_window_is_told_as_it_opens_and_as_it_closes_with_its_minutes(
    house: House, news: WindowNews
) -> None:
    house.meeting(60, "Budget")
    await house.after(120)
    await news.rest()
    titled = Settings.model_validate({"notifications": {"titles": True}})
    assert await told(house, titled) == ["begun meeting Budget 0"]
    house.clock.advance(480)
    await house.after(1)
    house.person.write()
    await house.after(1)
    await news.rest()
    assert await told(house, titled) == ["paused meeting Budget 10"]


async def test_a_training_that_has_nothing_left_to_do_is_told_as_done(house: House, news: WindowNews) -> None:
    house.meeting(60)
    await house.after(600)
    house.work.finish()
    await house.after(1)
    await news.rest()
    assert await told(house, Settings()) == ["ended meeting  10"]


async def test_the_title_of_a_meeting_is_told_only_where_the_person_wants_it(
    house: House, news: WindowNews
) -> None:
    house.meeting(60, "Budget")
    await house.after(120)
    await news.rest()
    assert await told(house, Settings()) == ["begun meeting  0"]


async def test_a_window_that_was_over_before_anything_was_trained_is_not_told_at_its_end(
    house: House, news: WindowNews
) -> None:
    house.meeting(60)
    await house.after(10)
    await news.rest()
    assert len(await told(house, Settings())) == 1
    house.person.write()
    await house.after(1)
    await news.rest()
    assert await told(house, Settings()) == []


async def test_before_the_machine_sleeps_the_job_is_down_and_nothing_opens_until_it_woke(
    house: House,
) -> None:
    house.meeting(600)
    await house.after(60)
    assert house.work.running
    await house.scheduler.sleeps()
    assert not house.work.running
    (window,) = house.store.read(rows.windows)
    assert window.why_closed == "the computer goes to sleep"
    await house.after(40)
    assert not house.work.running
    house.clock._now += timedelta(hours=2)  # the wall clock goes on, the other one does not
    house.scheduler.wakes()
    await house.after(5)
    assert not house.work.running
    await house.after(40)
    assert house.work.running


async def test_sleep_that_was_called_off_without_a_word_is_forgotten_after_a_minute(house: House) -> None:
    house.meeting(600)
    await house.after(60)
    await house.scheduler.sleeps()
    await house.after(61 + 31)
    assert house.work.running


async def test_after_a_sleep_of_seconds_a_window_waits_no_longer_than_after_a_long_one(
    house: House,
) -> None:
    house.meeting(600)
    await house.after(60)
    await house.scheduler.sleeps()
    house.scheduler.wakes()
    await house.after(29)
    assert not house.work.running
    await house.after(3)
    assert house.work.running


async def test_what_was_started_by_hand_is_down_before_sleep_too(house: House) -> None:
    house.scheduler.start_now()
    await house.after(5)
    assert house.work.running
    await house.scheduler.sleeps()
    assert not house.work.running


async def test_start_pause_and_stop_reach_the_scheduler_where_there_is_something_to_train(
    house: House,
) -> None:
    verbs = TrainingDesk(control=house.scheduler).handlers()
    await verbs[api.StartTraining](api.StartTraining(), None)  # type: ignore[arg-type]
    await house.after(2)
    assert house.work.running
    until = house.clock.now() + timedelta(hours=1)
    said = await verbs[api.PauseTraining](api.PauseTraining(until=until), None)  # type: ignore[arg-type]
    assert said.text.startswith("Training pauses until")
    await house.after(2)
    assert not house.work.running
    await verbs[api.StartTraining](api.StartTraining(), None)  # type: ignore[arg-type]
    await house.after(2)
    await verbs[api.StopTraining](api.StopTraining(), None)  # type: ignore[arg-type]
    await house.after(2)
    assert not house.work.running
    house.work.set_up = False
    with pytest.raises(KnownError, match="No training is set up"):
        await verbs[api.StartTraining](api.StartTraining(), None)  # type: ignore[arg-type]


async def test_what_was_asked_for_by_hand_ends_with_the_job(house: House) -> None:
    house.scheduler.start_now()
    await house.after(2)
    house.work.finish()
    await house.after(2)
    house.work.reason = ""
    await house.after(5)
    assert len(house.work.windows) == 1


async def test_the_way_of_telling_idleness_that_works_is_remembered(house: House) -> None:
    await house.after(1)
    assert house.store.read(rows.idle_way) == "scripted"


async def test_what_happens_while_it_looks_is_worth_another_look(house: House) -> None:
    seen: list[float] = []
    look = house.person.look

    async def looked() -> object:
        seen.append(house.clock.monotonic())
        if len(seen) == 1:
            house.scheduler.look_soon()
        return await look()

    house.person.look = looked  # type: ignore[method-assign]
    running = asyncio.create_task(house.scheduler.run())
    async with asyncio.timeout(60):
        while len(seen) < 2:
            await asyncio.sleep(0)
    running.cancel()
    await asyncio.wait([running])


class Told:
    """A scheduler that is told of things."""

    def __init__(self) -> None:
        self.asleep, self.awake = asyncio.Event(), asyncio.Event()

    async def sleeps(self) -> None:
        self.asleep.set()

    def wakes(self) -> None:
        self.awake.set()

    async def run(self) -> None:
        await asyncio.Event().wait()


@needs_bus
async def test_the_system_tells_of_sleep_and_waking_and_the_way_that_worked_is_tried_first(
    house: House,
) -> None:
    house.store.write(lambda db: rows.set_idle_way(db, "logind"))
    told, senses = Told(), SystemSenses()
    ours, theirs = os.pipe()
    answers = {("/org/freedesktop/login1", "Inhibit"): lambda *_: ("h", (theirs,))}
    with bus(), service("org.freedesktop.login1", answers) as logind:
        watching = asyncio.create_task(watch(told, senses, house.store))  # type: ignore[arg-type]
        async with asyncio.timeout(60):
            while "Inhibit" not in logind.asked:
                await asyncio.sleep(0.01)  # its thread needs the interpreter too
            logind.emit(
                "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "b", True
            )
            await told.asleep.wait()
            logind.emit(
                "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "b", False
            )
            await told.awake.wait()
        watching.cancel()
        await asyncio.wait([watching])
    assert senses.chain._ways[0][0] == "logind"
    os.close(ours)
    os.close(theirs)
