"""What the tray shows and does, on the real runtime."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.errors import KnownError
from runtime.test_loop import ASKED, House, house, teach

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(autouse=True)
def _own_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting at log-in is a file of whoever runs the tests."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))


async def shown(made: House) -> api.Tray:
    found: api.Tray = await made.call(api.ShowTray())
    return found


async def test_a_new_home_has_nothing_to_show_and_says_so(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        tray = await shown(made)
        assert (tray.latest, tray.conversation, tray.proposals, tray.talking) == (None, None, [], [])
        assert (tray.exchanges_today, tray.trouble, tray.paused) == (0, [], False)
        assert [(each.upstream, each.chosen) for each in tray.models] == [("model", True)]
        assert tray.training.state == "none"


async def test_the_latest_exchange_is_named_by_agent_and_conversation(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        await teach(made)
        await made.call(api.ListTurns())  # waits for the record
        tray = await shown(made)
        assert tray.latest is not None
        assert tray.conversation is not None
        assert (tray.latest.agent, tray.latest.thumb, tray.exchanges_today) == ("agent", "", 3)
        assert (tray.conversation.words, tray.conversation.skills) == (ASKED, True)
        assert tray.talking == ["agent"]

        await made.call(api.GiveFeedback(tray.latest.id, "down"))
        await made.call(api.SwitchSkills(tray.conversation.id, False))
        await made.call(api.SetConfig(key="injection.enabled", value="false"))
        tray = await shown(made)
        assert tray.latest is not None
        assert tray.conversation is not None
        assert (tray.latest.thumb, tray.conversation.skills, tray.observe_only) == ("down", False, True)


async def test_a_proposal_waits_in_the_tray_and_is_told_once(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        await made.call(api.SetConfig(key="notifications.quiet_from", value=""))
        await made.call(api.SetAutostart(True))
        await teach(made)
        await made.call(api.LearnNow())
        (waiting,) = (await shown(made)).proposals
        (told,) = await made.call(api.ListNotifications())
        assert (told.kind, told.proposals) == ("proposal", [waiting])
        await made.call(api.NotificationShown(told.kind, told.keys))
        assert await made.call(api.ListNotifications()) == []
    async with house(tmp_path / "home") as made:
        assert await made.call(api.ListNotifications()) == []
        assert (await shown(made)).proposals == [waiting]


async def test_learning_rests_until_it_may_go_on(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        until = datetime.now(UTC) + timedelta(hours=1)
        await made.call(api.PauseLearning(until))
        await teach(made)
        with pytest.raises(KnownError, match="paused by you until"):
            await made.call(api.LearnNow())
        status = await made.call(api.GetStatus())
        assert status.learning.startswith("paused by you until")
        assert await made.call(api.ListReview()) == []
        tray = await shown(made)
        assert (tray.paused, tray.paused_until) == (True, until)
    async with house(tmp_path / "home") as made:
        with pytest.raises(KnownError, match="paused by you until"):
            await made.call(api.LearnNow())
        await made.call(api.ResumeLearning())
        await made.call(api.LearnNow())
        assert len(await made.call(api.ListReview())) == 1


@pytest.mark.parametrize("seconds", [-1, 400 * 86_400])
async def test_a_pause_ends_within_a_year_from_now(tmp_path: Path, seconds: float) -> None:
    async with house(tmp_path / "home") as made:
        with pytest.raises(KnownError, match="within a year"):
            await made.call(api.PauseLearning(datetime.now(UTC) + timedelta(seconds=seconds)))
        assert not (await shown(made)).paused


async def test_starting_at_log_in_is_suggested_when_the_first_agent_came(tmp_path: Path) -> None:
    async with house(tmp_path / "home") as made:
        await made.call(api.SetConfig(key="notifications.quiet_from", value=""))
        assert await made.call(api.ListNotifications()) == []
        await made.ask("Hello.")
        await made.call(api.ListTurns())
        (told,) = await made.call(api.ListNotifications())
        assert (told.kind, told.agent) == ("autostart", "agent")
        assert not (await made.call(api.ShowAutostart())).on
        await made.call(api.SetAutostart(True))
        found = await made.call(api.ShowAutostart())
        assert found.on
        assert Path(found.place) == tmp_path / "xdg" / "autostart" / "metaclaw-tray.desktop"
        assert await made.call(api.ListNotifications()) == []
        await made.call(api.SetAutostart(False))
        assert not (await made.call(api.ShowAutostart())).on
