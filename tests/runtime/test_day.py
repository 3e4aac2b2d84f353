"""A day as the window shows it, and training while none is set up, on the real runtime."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.errors import KnownError, UsageError
from metaclaw_tray.runtime.facade.day import DayDesk, _date, _spans
from metaclaw_tray.runtime.facade.training import NOT_SET_UP, NoWindows, TrainingDesk
from metaclaw_tray.store.day import Span, Stretch
from runtime.test_loop import ASKED, RULE, House, house, teach

pytestmark = pytest.mark.timeout(120)

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _about_noon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Wherever and whenever the tests run, midnight by the clock on the wall is hours away."""
    monkeypatch.setenv("TZ", f"NOON{datetime.now(UTC).hour - 12:+d}")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


async def day(made: House, of: str = "") -> api.Day:
    found: api.Day = await made.call(api.ShowDay(of))
    return found


async def test_a_new_home_has_had_an_empty_day_and_says_what_training_is(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        found = await day(made)
        assert (found.exchanges, found.agents, found.changes, found.faults) == (0, [], [], [])
        assert not {"activity", "learning", "training"} & {each.kind for each in found.spans}
        assert not found.earlier
        assert found.now is not None
        assert found.begin <= found.now < found.end
        assert found.training == "none"
        assert found.why_not_training.startswith("No training is set up.")
        assert found.waiting == []


async def test_a_day_tells_what_was_asked_learnt_and_spent(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        await teach(made)
        await made.call(api.LearnNow())
        (proposal,) = await made.call(api.ListReview())
        await made.call(api.ApproveProposal(id=proposal.id, yes=True))
        await made.ask(ASKED, session="after")  # the words of before, which no note stood in front of then
        found = await day(made)
        assert (found.exchanges, found.agents) == (4, [api.AgentDay(agent="agent", exchanges=4)])
        assert (found.carried, [each.skill for each in found.notes]) == (1, [proposal.skill])
        assert found.bad >= 1
        assert found.corrected >= 1
        assert [each.what for each in found.changes] == ["proposed", "approved"]
        assert found.changes[0].proposal == proposal.id
        assert RULE in found.changes[0].why
        assert {each.purpose for each in found.costs} >= {"judge", "evolver", "gate"}
        assert {each.kind for each in found.spans} >= {"activity", "learning"}
        assert sum(each.count for each in found.spans if each.kind == "activity") == 4
        assert found.limit_usd == 0.5
        again = await day(made, found.date)
        assert (again.exchanges, again.changes) == (found.exchanges, found.changes)


async def test_an_earlier_day_has_no_now_and_nothing_waits_there(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        await made.ask("Hello.")
        today = await day(made)
        yesterday = await day(made, (date.fromisoformat(today.date) - timedelta(days=1)).isoformat())
        assert yesterday.end == today.begin
        assert (yesterday.exchanges, yesterday.now, yesterday.counted_usd) == (0, None, None)
        assert (await day(made)).exchanges == 1


async def test_what_was_edited_by_hand_is_an_agreement_that_waits(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        file = made.runtime.paths.config_file
        file.write_text(file.read_text() + "\n[review]\nper_day = 9\n")
        (waits,) = (await day(made)).waiting
        assert waits.kind == "agreement"
        assert waits.keys == ["review.per_day"]
        assert "review.per_day" in waits.text
        made.runtime.troubles.set("something", "It went wrong. Mend it.")
        assert [each.kind for each in (await day(made)).waiting] == ["agreement", "trouble"]
        file.write_text("[review]\nper_day = 'many'\n")
        first, _ = (await day(made)).waiting
        assert (first.kind, first.keys) == ("trouble", [])
        assert "cannot be used" in first.text


@pytest.mark.parametrize(
    "said", ["tomorrow", "2026-3-3", "2026-13-01", "9999-01-01", "0001-01-01", "1969-12-31"]
)
def test_what_is_no_day_or_lies_ahead_is_refused_in_words(said: str) -> None:
    with pytest.raises(UsageError, match="No such day"):
        _date(said, NOON.date())


@pytest.mark.parametrize(("of", "hours"), [("2026-03-29", 23), ("2026-10-25", 25), ("2026-03-03", 24)])
def test_a_day_begins_and_ends_at_midnight_by_the_clock_on_the_wall(of: str, hours: int) -> None:
    desk = DayDesk(None, NoWindows(), ZoneInfo("Europe/Amsterdam"))  # type: ignore[arg-type]
    begin = desk._midnight(date.fromisoformat(of))
    end = desk._midnight(date.fromisoformat(of) + timedelta(days=1))
    assert end.astimezone(UTC) - begin.astimezone(UTC) == timedelta(hours=hours)


def test_stretches_that_nearly_touch_are_told_as_one_that_ends_with_its_day() -> None:
    def at(minutes: float) -> datetime:
        return NOON + timedelta(minutes=minutes)

    stretches = [
        Stretch(at(0), at(5), "a"),
        Stretch(at(1), at(3), "b"),
        Stretch(at(14), at(15), "a"),
        Stretch(at(40), at(90), "a"),
    ]
    began = [round(at(each).timestamp() * 1e6) for each in (0, 1, 14, 40)]
    found = _spans("activity", stretches, Span(NOON, at(60)), began)
    assert [(each.begin, each.end, each.words, each.count) for each in found] == [
        (at(0), at(15), "a, b", 3),
        (at(40), at(60), "a", 1),
    ]


class Meetings(NoWindows):
    """Somebody who decides, and expects a meeting."""

    def __init__(self, *, opened: bool) -> None:
        self._opened = opened

    async def schedule(self) -> api.Schedule:
        coming = api.NextWindow(kind="meeting", at=NOON)
        if self._opened:
            return api.Schedule(state="open", next=coming)
        return api.Schedule(state="closed", why_not="You are at work.", next=coming)


async def test_the_tray_knows_what_decides_when_training_may_run() -> None:
    waits = await TrainingDesk(Meetings(opened=False)).brief()
    assert (waits.state, waits.why_not, waits.next_at, waits.next_why) == (
        "waiting",
        "You are at work.",
        NOON,
        "meeting",
    )
    assert (await TrainingDesk(Meetings(opened=True)).brief()).state == "running"


class Control:
    """Something that trains."""

    trainable = True

    def start_now(self) -> None: ...
    def stop(self, until: datetime | None = None) -> None: ...


@pytest.mark.parametrize("opened", [True, False])
async def test_training_that_is_set_up_is_shown_by_what_is_decided(opened: bool) -> None:
    verbs = TrainingDesk(Meetings(opened=opened), Control()).handlers()
    shown = await verbs[api.ShowTraining](api.ShowTraining(), None)  # type: ignore[arg-type]
    assert (shown.state, shown.why_not) == (("running", "") if opened else ("waiting", "You are at work."))


async def test_training_that_is_not_set_up_says_so_and_nothing_can_be_pressed(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        assert await made.call(api.ShowTraining()) == api.Training(state="none", why_not=NOT_SET_UP)
        schedule = await made.call(api.ShowSchedule())
        assert (schedule.state, schedule.window) == ("none", None)
        assert schedule.why_not.startswith("No training is set up.")
        for verb in (api.ListWindows(), api.ListJobs(), api.ListAdapters()):
            assert await made.call(verb) == []
        for verb in (
            api.StartTraining(),
            api.PauseTraining(),
            api.StopTraining(),
            api.RollBackAdapter(yes=True),
        ):
            with pytest.raises(KnownError, match="No training is set up"):
                await made.call(verb)
        for verb in (
            api.ShowJob("last"),
            api.UseAdapter(id="a1", yes=True),
            api.ExportAdapter(id="a1", folder="/x"),
        ):
            with pytest.raises(KnownError, match="No such"):
                await made.call(verb)
        assert (await made.call(api.ShowTray())).training.state == "none"
        assert (await made.call(api.GetStatus())).why_not.lower().startswith("no training is set up")
