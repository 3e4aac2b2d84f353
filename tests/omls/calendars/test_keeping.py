"""Calendars are read again and again, kept, and answered from memory whatever the network does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from metaclaw_tray.omls.calendars.frames import Found, ReadGoogle, ReadIcs, Unchanged
from metaclaw_tray.omls.calendars.keeping import calendar_secret
from metaclaw_tray.settings.model import Calendar, Schedule
from metaclaw_tray.store import calendars as rows
from omls.calendars.diary import Home, failure, meeting

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    made.store.close()


def kept(home: Home, name: str = "work") -> list[str]:
    return [each.uid for each in home.store.read(lambda db: rows.events(db, name))]


async def test_meetings_are_answered_from_memory_with_their_buffers(home):
    home.answers = [Found(events=[meeting("1", NOON + timedelta(hours=1), title="Plan")])]
    await home.keeper.look()
    assert home.spans() == [("03 13:02", "13:55")]
    (found,) = home.keeper.meetings(NOON, NOON + timedelta(days=1))
    assert found.title == "Plan"


async def test_settings_of_meetings_count_at_once(home):
    home.answers = [Found(events=[meeting("1", NOON, status="tentative")])]
    await home.keeper.look()
    assert home.spans() == []
    home.calendars = {"work": Calendar(kind="file", path="/x", tentative=True)}
    assert home.spans() == [("03 12:02", "12:55")]
    home.schedule = Schedule(meeting_begins_minutes=0, meeting_ends_minutes=0)
    assert home.spans() == [("03 12:00", "13:00")]
    home.schedule = Schedule(meetings=False)
    assert home.spans() == []


async def test_they_are_read_every_quarter_of_an_hour_and_what_is_kept_is_asked_for_less(home):
    home.answers = [Found(events=[], etag='"1"'), Unchanged()]
    await home.keeper.look()
    await home.after(hours=2)
    assert 7 <= len(home.asked) - 1 <= 9
    first, second = home.asked[:2]
    assert isinstance(first, ReadIcs)
    assert isinstance(second, ReadIcs)
    assert (first.etag, second.etag) == ("", '"1"')


async def test_all_of_it_is_read_again_before_what_is_kept_comes_to_its_end(home):
    home.answers = [Found(events=[], etag='"1"'), Unchanged()]
    await home.keeper.look()
    home.clock.advance(15 * 86_400)
    await home.keeper.look()
    assert home.asked[-1].etag == ""


async def test_who_travels_has_their_calendar_read_for_the_new_place(home):
    home.answers = [Found(events=[], etag='"1"')]
    await home.keeper.look()
    home.zone = ZoneInfo("Asia/Tokyo")
    await home.after(minutes=20)
    assert (home.asked[-1].etag, home.asked[-1].zone) == ("", "Asia/Tokyo")


async def test_what_was_read_is_there_after_a_start_without_a_network(home):
    home.answers = [Found(events=[meeting("1", NOON + timedelta(hours=1))])]
    await home.keeper.look()
    home.online = False
    home.keeper = home.make()
    home.asked.clear()
    await home.keeper.look()
    assert home.spans() == [("03 13:02", "13:55")]
    assert home.asked == []


async def test_a_network_that_comes_back_has_everything_read_at_once(home):
    await home.keeper.look()
    home.online = False
    await home.after(minutes=30)
    assert len(home.asked) == 1
    home.online = True
    await home.keeper.look()
    assert len(home.asked) == 2


async def test_a_machine_that_wakes_has_everything_read_at_once(home):
    await home.keeper.look()
    home.clock._now += timedelta(minutes=5)  # monotonic time stands still in sleep
    await home.keeper.look()
    assert len(home.asked) == 2


async def test_failures_are_tried_again_at_growing_distances_and_said_only_when_they_last(home):
    event = meeting("1", NOON + timedelta(hours=3))
    home.answers = [Found(events=[event]), failure("away")]
    await home.keeper.look()
    await home.after(hours=2)
    assert 5 <= len(home.asked) <= 9
    assert home.said == []
    assert home.spans() == [("03 15:02", "15:55")]
    await home.after(hours=47)
    assert home.keeper.is_stale("work")
    assert home.spans() == []
    (said,) = home.said
    assert "could not be read for two days" in said
    home.answers = [Found(events=[meeting("2", home.clock.now())])]
    await home.after(hours=3)
    assert home.troubles["calendar work"] == ""
    assert len(home.spans()) == 1


async def test_who_asks_for_a_pause_gets_it(home):
    home.answers = [failure("busy", after=3600.0)]
    await home.keeper.look()
    await home.after(minutes=59)
    assert len(home.asked) == 1
    await home.after(minutes=2)
    assert len(home.asked) == 2


async def test_a_permission_that_is_over_is_said_once_and_the_cache_counts_on(home):
    home.answers = [Found(events=[meeting("1", NOON + timedelta(hours=30))]), failure("signed out")]
    await home.keeper.look()
    await home.after(hours=20)
    assert len(home.asked) == 2
    (said,) = home.said
    assert "Connect it again" in said
    assert "for two days" in said
    assert home.spans() == [("04 18:02", "18:55")]


async def test_changes_are_put_in_and_what_is_gone_goes(home):
    home.calendars = {"work": Calendar(kind="google", titles=True)}
    await home.vault.aset(calendar_secret("work"), "the account")
    first = Found(events=[meeting("a", NOON), meeting("b", NOON)], tokens={"primary": "1"})
    more = Found(
        events=[meeting("b", NOON, 30), meeting("c", NOON)], gone=["a"], whole=False, tokens={"primary": "2"}
    )
    home.answers = [first, more]
    await home.keeper.look()
    await home.after(minutes=17)
    assert kept(home) == ["b", "c"]
    assert [each.uid for each in home.keeper.kept("work").events] == ["b", "c"]
    asked = home.asked[1]
    assert isinstance(asked, ReadGoogle)
    assert (asked.tokens, asked.account) == ({"primary": "1"}, "the account")


async def test_a_whole_reading_purges_what_it_does_not_name(home):
    home.answers = [
        Found(events=[meeting("a", NOON), meeting("b", NOON)]),
        Found(events=[meeting("b", NOON)]),
    ]
    await home.keeper.look()
    await home.after(minutes=17)
    assert kept(home) == ["b"]


async def test_an_account_is_read_from_the_beginning_each_day(home):
    home.calendars = {"work": Calendar(kind="google", titles=True)}
    await home.vault.aset(calendar_secret("work"), "the account")
    home.answers = [
        Found(events=[], tokens={"primary": "1"}),
        Found(events=[], whole=False, tokens={"primary": "2"}),
    ]
    await home.keeper.look()
    await home.after(hours=23)
    tokens = [each.tokens for each in home.asked if isinstance(each, ReadGoogle)]
    assert tokens.count({}) == 1
    home.asked.clear()
    await home.after(hours=2)
    assert {} in [each.tokens for each in home.asked if isinstance(each, ReadGoogle)]


async def test_a_permission_that_was_replaced_is_kept(home):
    home.calendars = {"work": Calendar(kind="google")}
    await home.vault.aset(calendar_secret("work"), "the account")
    home.answers = [Found(events=[], account="another one")]
    await home.keeper.look()
    assert await home.vault.aget(calendar_secret("work")) == "another one"


async def test_a_secret_that_is_not_there_is_said_and_nobody_is_asked(home):
    home.calendars = {"work": Calendar(kind="ics", host="x.example")}
    await home.keeper.look()
    assert home.asked == []
    assert "not in the keyring" in home.troubles["calendar work"]


async def test_a_calendar_that_is_taken_out_of_the_settings_is_forgotten(home):
    home.answers = [Found(events=[meeting("a", NOON)])]
    await home.keeper.look()
    home.calendars = {}
    await home.keeper.look()
    assert kept(home) == []
    assert home.store.read(rows.readings) == {}
    assert home.keeper.kept("work") is None


async def test_it_runs_by_itself_and_looks_when_a_calendar_comes(home):
    calendars, home.calendars = home.calendars, {}
    task = asyncio.create_task(home.keeper.run())
    home.calendars = calendars
    home.keeper.settings_changed()
    async with asyncio.timeout(30):
        while not home.asked:
            await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
