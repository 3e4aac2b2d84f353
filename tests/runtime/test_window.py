"""The window is kept beside the app, asks on a pipe of its own, and takes nobody down with it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from metaclaw_tray.admin.api import GetStatus, RetireSkill, Said
from metaclaw_tray.admin.consent import ConsentError
from metaclaw_tray.runtime.changed import Changes, telling
from metaclaw_tray.runtime.trouble import Troubles
from metaclaw_tray.runtime.window import WindowKeeper
from support.clock import FakeClock

COMMAND = [sys.executable, str(Path(__file__).with_name("window_child.py"))]


class Desk:
    """A keeper with handlers that note what they were asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.agreed: list[str] = []
        self.refused: list[str] = []
        self.quits = 0
        self.changes = Changes()
        self.troubles = Troubles()
        self.clock = FakeClock()
        handlers = telling({GetStatus: self._status, RetireSkill: self._retire}, self.changes)
        self.keeper = WindowKeeper(handlers, self.clock, self.troubles, self._quit, COMMAND)

    def _quit(self) -> None:
        self.quits += 1

    async def _status(self, verb: Any, call: Any) -> Said:
        self.asked.append(verb)
        return Said(text="all is well")

    async def _retire(self, verb: Any, call: Any) -> Said:
        self.asked.append(verb)
        try:
            granted = await call.consent("retire the skill x", "the text", yes=False)
        except ConsentError as error:
            self.refused.append(error.detail)
            raise
        self.agreed.append(granted.channel)
        return Said(text="retired")


@asynccontextmanager
async def running() -> AsyncIterator[Desk]:
    desk = Desk()
    async with desk.keeper.running(desk.changes):
        desk.keeper.begin()
        yield desk


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not true():
            await asyncio.sleep(0.01)


async def test_a_verb_of_the_window_is_answered() -> None:
    async with running() as desk:
        desk.keeper.show("status")
        await until(lambda: desk.asked)
        assert isinstance(desk.asked[0], GetStatus)


async def test_before_agents_are_served_the_window_waits() -> None:
    desk = Desk()
    async with desk.keeper.running(desk.changes):
        desk.keeper.show("status")
        await until(lambda: desk.keeper.pid)
        desk.changes.tell("turns")
        await asyncio.sleep(0.2)
        assert desk.asked == []
        desk.keeper.begin()
        await until(lambda: desk.asked)
        await desk.keeper.stop()
        assert desk.keeper.pid is None


async def test_a_window_that_crashes_comes_back_as_it_was() -> None:
    async with running() as desk:
        desk.keeper.show("hides")
        await until(lambda: desk.keeper._first.hidden)
        first = desk.keeper.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await until(lambda: desk.keeper.pid not in (None, first))
        assert desk.keeper._first.hidden


async def test_a_yes_on_a_sheet_is_a_consent_of_the_window() -> None:
    async with running() as desk:
        desk.keeper.show("retire")
        await until(lambda: desk.agreed)
        assert desk.agreed == ["window"]


async def test_what_the_person_has_read_already_is_not_shown_again() -> None:
    async with running() as desk:
        desk.keeper.show("seen")
        await until(lambda: desk.agreed)
        assert desk.agreed == ["tray"]


async def test_what_is_no_verb_is_refused_and_the_window_goes_on() -> None:
    async with running() as desk:
        desk.keeper.show("nonsense")
        await until(lambda: desk.keeper.pid)
        desk.keeper.show("status")
        await until(lambda: desk.asked)


async def test_a_window_that_crashes_is_started_again_three_times_and_then_said() -> None:
    async with running() as desk:
        desk.keeper.show("crash")
        await until(lambda: desk.troubles.all())
        (said,) = desk.troubles.all()
        assert "4 times" in said
        assert "code 7" in said
        desk.keeper.show("status")
        await until(lambda: desk.asked)
        assert desk.troubles.all() == []


async def test_a_window_that_wants_to_begin_anew_comes_back_at_its_page_as_often_as_it_likes() -> None:
    async with running() as desk:
        for times in range(1, 6):
            desk.keeper.show("renews")
            await until(lambda: len(desk.asked) == times)  # noqa: B023 awaited here
            assert desk.troubles.all() == []


async def test_without_a_screen_agents_are_served_and_it_is_said_once() -> None:
    async with running() as desk:
        desk.keeper.show("no-screen")
        await until(lambda: desk.troubles.all())
        assert "no screen" in desk.troubles.all()[0]
        await asyncio.sleep(0.1)
        assert desk.keeper.pid is None


async def test_quitting_ends_the_app_and_leaving_does_not() -> None:
    async with running() as desk:
        desk.keeper.show("leave")
        await until(lambda: desk.keeper.pid)
        await until(lambda: desk.keeper.pid is None)
        assert desk.quits == 0
        desk.keeper.show("quit")
        await until(lambda: desk.quits)


async def test_the_window_ends_with_the_app() -> None:
    async with running() as desk:
        desk.keeper.show("status")
        await until(lambda: desk.asked)
        pid = desk.keeper.pid
        assert pid is not None
    import psutil

    assert not psutil.pid_exists(pid)


@pytest.mark.parametrize("verb", [GetStatus(), RetireSkill(name="x")])
async def test_only_what_may_change_something_is_told(verb: Any) -> None:
    told: list[str] = []
    changes = Changes()
    changes.listen(lambda *topics: told.extend(topics))

    async def handle(_verb: Any, _call: Any) -> None:
        return None

    handlers = telling({type(verb): handle}, changes)
    await handlers[type(verb)](verb, None)  # type: ignore[arg-type]
    assert bool(told) == isinstance(verb, RetireSkill)
