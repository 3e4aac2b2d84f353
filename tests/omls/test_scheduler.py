"""The scheduler opens windows while the person is away, writes down why, and has the job run in them only."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from metaclaw_tray.omls.hours import hours_of
from metaclaw_tray.omls.readings import Manual
from metaclaw_tray.store import schedule as rows
from omls.person import House, settle


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = House(tmp_path)
    yield made
    made.scheduler._driver.want("")
    await settle()
    made.store.close()


async def test_training_begins_when_the_person_has_been_away_long_enough(house: House) -> None:
    await house.after(14 * 60)
    assert not house.work.running
    await house.after(62)
    assert house.work.running
    (window,) = house.store.read(rows.windows)
    assert (window.kind, window.closed_at) == ("idle", None)
    assert window.away_since == house.clock.now() - timedelta(seconds=house.clock.monotonic())
    assert window.why_opened == "nobody has touched the computer"


async def test_a_touch_stops_it_at_the_next_look_which_is_a_second_away(house: House) -> None:
    wait = await house.after(16 * 60)
    assert house.work.running
    assert wait == 1
    house.person.touch()
    house.clock.advance(wait)
    await house.scheduler.look()
    await settle()
    assert not house.work.running
    (window,) = house.store.read(rows.windows)
    assert window.closed_at == house.clock.now()
    assert window.why_closed == "you are at the computer"
    assert 50 < window.trained_seconds < 70
    assert house.closed == [window.id]


async def test_notes_may_be_typed_in_a_meeting_and_a_message_ends_it(house: House) -> None:
    house.meeting(60, "Review")
    await house.after(60, looking=house.person.touch)
    assert house.work.running
    house.person.write()
    await house.scheduler.look()
    await settle()
    assert not house.work.running
    (window,) = house.store.read(rows.windows)
    assert (window.kind, window.title) == ("meeting", "Review")
    assert window.why_closed == "you have just written to an agent"


async def test_a_window_that_closes_with_its_meeting_says_so(house: House) -> None:
    house.meeting(20)
    await house.after(21 * 60, looking=house.person.touch)
    (window,) = house.store.read(rows.windows)
    assert window.why_closed == "the meeting ends"
    assert house.store.read(rows.entries)[0].words == "the meeting ends"


async def test_a_window_is_not_opened_for_a_meeting_that_is_too_short(house: House) -> None:
    house.meeting(9)
    await house.after(60, looking=house.person.touch)
    assert not house.work.windows
    entry = house.store.read(rows.entries)[0]
    assert (entry.open, entry.kind, entry.vetoes) == (False, "meeting", ["short"])
    assert entry.words == "you will likely be back too soon"


async def test_each_change_is_one_row_and_no_look_without_a_change_is_any(house: House) -> None:
    await house.after(20 * 60)
    house.person.touch()
    await house.after(5)
    told = [(each.open, each.kind) for each in reversed(house.store.read(rows.entries))]
    assert told == [(True, "idle"), (False, "")]


async def test_a_job_that_has_nothing_left_closes_the_window_with_its_reason(house: House) -> None:
    await house.after(16 * 60)
    house.work.finish()
    await settle()
    await house.after(2)
    (window,) = house.store.read(rows.windows)
    assert window.why_closed == "there is nothing new to train on"
    assert house.scheduler.why_not() == "there is nothing new to train on"


async def test_a_job_that_ends_with_an_error_closes_its_window_and_is_tried_again_later(house: House) -> None:
    house.work.fault = ValueError("words that may be a prompt")
    await house.after(16 * 60)
    (window,) = house.store.read(rows.windows)
    assert window.closed_at is not None
    assert window.why_closed == "training ended with an error (ValueError); it is tried again later"
    assert house.scheduler.why_not() == window.why_closed
    house.work.fault = None
    await house.after(16 * 60)
    assert house.work.running
    assert len(house.work.windows) == 2


async def test_start_now_goes_over_presence_and_stop_over_everything(house: House) -> None:
    house.person.touch()
    house.scheduler.start_now()
    await house.after(5, looking=house.person.touch)
    assert house.work.running
    house.scheduler.stop(house.clock.now() + timedelta(hours=1))
    await house.after(50 * 60)
    assert not house.work.running
    assert house.scheduler.why_not() == "you stopped training"
    await house.after(20 * 60)
    assert house.work.running
    assert house.scheduler.readings.manual is Manual.NOTHING


async def test_a_job_that_does_not_heed_is_ended_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("metaclaw_tray.omls.driving.STOP_SECONDS", 0.01)
    house.work.deaf = True
    await house.after(16 * 60)
    house.person.touch()
    await house.after(1)
    async with asyncio.timeout(10):
        while house.work.running:
            await asyncio.sleep(0.01)
    assert house.work.windows


async def test_after_a_short_return_the_job_goes_on_in_a_new_window(house: House) -> None:
    await house.after(16 * 60)
    house.person.touch()
    await house.after(16 * 60)
    assert len(set(house.work.windows)) == 2
    assert house.work.running


async def test_sleep_of_the_machine_ends_a_window_and_is_kept_as_an_absence(house: House) -> None:
    await house.after(16 * 60)
    house.clock._now += timedelta(hours=2)  # the wall clock went on, the monotonic one stood still
    await house.scheduler.look()
    await settle()
    assert not house.work.running
    assert house.scheduler.why_not() == "the computer has just woken, or its clock was set"
    kept = house.store.read(lambda db: rows.absences(db, house.clock.now() - timedelta(days=1)))
    assert ("asleep", timedelta(hours=2)) in [(each.kind, each.end_at - each.begin_at) for each in kept]


async def test_a_window_that_a_killed_run_left_open_ends_when_it_was_last_seen(
    house: House, tmp_path: Path
) -> None:
    await house.after(18 * 60)
    seen = house.store.read(rows.windows)[0].seen_at
    house.clock.advance(3600)
    again = House(tmp_path)
    running = asyncio.create_task(again.scheduler.run())
    await asyncio.sleep(0.1)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    again.store.close()
    (window,) = house.store.read(rows.windows)
    assert (window.closed_at, window.why_closed) == (seen, "the program ended")


async def test_absences_become_habits(house: House) -> None:
    await house.after(40 * 60)
    house.person.touch()
    await house.after(60)
    (kept,) = house.store.read(lambda db: rows.absences(db, house.clock.now() - timedelta(days=1)))
    assert timedelta(minutes=39) <= kept.end_at - kept.begin_at <= timedelta(minutes=40)


async def test_the_next_window_is_forecast_from_sleep_hours(house: House) -> None:
    house.wishes = house.wishes.__class__(house.wishes.rules, {"every": hours_of("23:00-07:00")}, False, True)
    found = house.scheduler.next_window()
    assert found is not None
    assert (found.span.begin.hour, found.span.begin.minute) == (23, 5)


async def test_switched_off_nothing_opens_and_that_is_said(house: House) -> None:
    house.wishes = house.wishes.__class__(house.wishes.rules, {}, False, enabled=False)
    await house.after(20 * 60)
    assert not house.work.windows
    assert house.scheduler.why_not() == "training in windows is switched off"
    assert house.scheduler.next_window() is None


async def test_the_end_of_the_program_pauses_the_job_and_closes_the_window(house: House) -> None:
    house.meeting(60)
    running = asyncio.create_task(house.scheduler.run())
    async with asyncio.timeout(10):
        await house.work.begun.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert not house.work.running
    (window,) = house.store.read(rows.windows)
    assert window.why_closed == "the program ends"


async def test_many_messages_are_one_look_as_long_as_no_window_is_open(house: House) -> None:
    """Agents bring hundreds a second."""
    looks = 0
    look = house.scheduler._look

    async def counted() -> float:
        nonlocal looks
        wait = await look()
        looks += 1
        return wait

    house.scheduler._look = counted  # type: ignore[method-assign]
    running = asyncio.create_task(house.scheduler.run())
    async with asyncio.timeout(60):
        while not looks:
            await asyncio.sleep(0)
        for _ in range(100):
            house.scheduler.person_wrote()
            await settle()
        assert looks == 1
        house.clock.advance(5)
        house.scheduler.person_wrote()
        while looks < 2:
            await asyncio.sleep(0)
    running.cancel()
    await asyncio.wait([running])


async def test_a_message_asks_for_a_look_at_once_while_a_window_is_open(house: House) -> None:
    await house.after(14 * 60)
    house.scheduler.person_wrote()
    assert not house.scheduler._wake.is_set()
    await house.after(2 * 60)
    assert house.work.running
    house.scheduler.person_wrote()
    assert house.scheduler._wake.is_set()


async def test_no_message_asks_for_a_look_at_a_window_that_the_person_opened(house: House) -> None:
    house.scheduler.start_now()
    await house.scheduler.look()
    assert house.scheduler.window
    house.scheduler._wake.clear()
    house.scheduler.person_wrote()
    assert not house.scheduler._wake.is_set()
