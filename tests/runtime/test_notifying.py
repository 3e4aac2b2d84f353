"""What is told outside the window: once, in the day's measure, outside the quiet hours, what belongs together
together."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from metaclaw_tray.admin.api.tray import TrainingNews
from metaclaw_tray.runtime.notifying import Notifying, announce_training, is_quiet
from metaclaw_tray.settings import Settings
from metaclaw_tray.settings.model import Notifications
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables_library import Proposal
from support.clock import FakeClock

MEETING = TrainingNews(
    job="j1",
    ended=True,
    window="meeting",
    window_from=datetime(2026, 3, 3, 14, tzinfo=UTC),
    window_until=datetime(2026, 3, 3, 15, tzinfo=UTC),
    title="Salaries",
    minutes=41,
    score_before=0.61,
    score_after=0.66,
)


class House:
    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = FakeClock()  # noon
        self.wrong: list[str] = []
        self.settings = Settings()
        self.again()

    def set(self, **wanted: Any) -> None:
        self.settings = Settings(notifications=Notifications(**wanted))

    def again(self) -> None:
        """As after a restart."""
        self.notifying = Notifying(
            self.store, lambda: self.settings, lambda: self.wrong, self.clock, zone=UTC
        )

    def propose(self, name: str) -> None:
        now = self.clock.now()
        made = Proposal(
            id=name, op="create", skill=name, base_version=0, text="", why="You said so.", exchanges=[],
            state="pending", created_at=now, offered_at=now,
        )  # fmt: skip
        self.store.write(lambda db: db.add(made))

    async def due(self, *, autostart: bool = False) -> list[Any]:
        return await self.notifying.due(autostart=autostart)

    async def tell(self) -> list[str]:
        """Tell what is due; its kinds."""
        found = await self.due()
        for each in found:
            await self.notifying.shown(each.kind, each.keys)
        return [each.kind for each in found]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(Store.open(tmp_path / "store.sqlite3", FakeClock()))
    yield house
    house.store.close()


async def test_new_skills_are_told_together_and_once_even_over_a_restart(house: House) -> None:
    house.propose("a")
    house.propose("b")
    (told,) = await house.due()
    assert [each.skill for each in told.proposals] == ["a", "b"]
    await house.tell()
    house.again()
    assert await house.due() == []
    house.propose("c")
    (told,) = await house.due()
    assert [each.skill for each in told.proposals] == ["c"]


async def test_nothing_is_told_in_the_quiet_hours_and_it_is_told_after_them(house: House) -> None:
    house.propose("a")
    house.clock.advance(11 * 3600)  # 23:00
    assert await house.due() == []
    house.clock.advance(8 * 3600)  # 7:00
    assert [each.kind for each in await house.due()] == ["proposal"]


@pytest.mark.parametrize(
    ("begin", "end", "now", "quiet"),
    [
        ("22:00", "07:00", "23:30", True),
        ("22:00", "07:00", "06:59", True),
        ("22:00", "07:00", "07:00", False),
        ("12:00", "13:00", "12:30", True),
        ("12:00", "13:00", "13:30", False),
        ("", "07:00", "03:00", False),
    ],
)
def test_the_quiet_hours_may_go_over_midnight(begin: str, end: str, now: str, quiet: bool) -> None:
    wanted = Notifications(quiet_from=begin, quiet_until=end)
    assert is_quiet(datetime.strptime(now, "%H:%M").time(), wanted) is quiet


async def test_after_the_days_measure_the_rest_waits_for_another_day(house: House) -> None:
    house.set(per_day=1)
    house.propose("a")
    assert await house.tell() == ["proposal"]
    house.propose("b")
    assert await house.tell() == []
    house.clock.advance(24 * 3600)
    assert await house.tell() == ["proposal"]


@pytest.mark.parametrize("kind", ["proposals", "training", "trouble", "enabled"])
async def test_each_kind_can_be_switched_off(house: House, kind: str) -> None:
    house.propose("a")
    house.wrong = ["The disk is full."]
    house.store.write(lambda db: announce_training(db, MEETING, house.clock.now()))
    await house.due()
    house.clock.advance(61)
    everything = {"proposal", "training", "trouble"}
    assert {each.kind for each in await house.due()} == everything
    house.set(**{kind: False})
    gone = everything if kind == "enabled" else {kind.removesuffix("s")}
    assert {each.kind for each in await house.due()} == everything - gone


async def test_a_trouble_is_told_when_it_lasts_and_once_a_day(house: House) -> None:
    house.wrong = ["The model is away."]
    assert await house.tell() == []
    house.clock.advance(30)
    house.wrong = []
    assert await house.tell() == []
    house.wrong = ["The model is away."]
    assert await house.tell() == []
    house.clock.advance(61)
    assert await house.tell() == ["trouble"]
    house.clock.advance(3600)
    assert await house.tell() == []
    house.clock.advance(24 * 3600)
    assert await house.tell() == ["trouble"]


async def test_the_title_of_a_meeting_is_told_only_where_that_is_allowed(house: House) -> None:
    house.store.write(lambda db: announce_training(db, MEETING, house.clock.now()))
    (told,) = await house.due()
    assert told.training.title == ""
    assert told.training.score_after == 0.66
    house.set(titles=True)
    (told,) = await house.due()
    assert told.training.title == "Salaries"


async def test_a_training_that_is_over_is_told_once_and_old_news_are_none(house: House) -> None:
    now = house.clock.now()
    begun = TrainingNews(job="j1", ended=False, window="meeting")
    house.store.write(lambda db: announce_training(db, begun, now))
    assert [each.training.ended for each in await house.due()] == [False]
    house.store.write(lambda db: announce_training(db, MEETING, now))
    (told,) = await house.due()
    assert told.training.ended
    assert len(told.keys) == 2
    late = now - timedelta(days=2)
    other = TrainingNews(job="j0", ended=True, window="idle")
    house.store.write(lambda db: announce_training(db, other, late))
    assert await house.tell() == ["training"]
    assert await house.due() == []


async def test_starting_at_log_in_is_suggested_only_after_an_agent_came(house: House) -> None:
    assert await house.due(autostart=True) == []
