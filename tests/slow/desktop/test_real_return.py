"""On a real X display: a mouse move ends the job, which goes on from its step when nobody is there again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from metaclaw_tray.omls.readings import Span
from metaclaw_tray.omls.scheduler import Meeting
from metaclaw_tray.omls.sensing.x11 import X11Idle
from omls.driven.job import steps, until
from slow.desktop.returning import a_return_stops_it_and_it_goes_on_later, driven
from support.xvfb import display, move_mouse, needs_x

pytestmark = [pytest.mark.slow, needs_x]


async def test_a_mouse_move_ends_the_job_and_it_goes_on_from_its_step(tmp_path: Path) -> None:
    with display() as name:
        async with driven(tmp_path, "X11", lambda: X11Idle({"DISPLAY": name})) as found:
            seconds = await a_return_stops_it_and_it_goes_on_later(found, lambda: move_mouse(name))
            assert found.scheduler.sensed.way == "X11"
    print(f"from the mouse move until the process was gone: {seconds:.2f} s")  # noqa: T201


async def test_in_a_meeting_a_mouse_move_ends_nothing(tmp_path: Path) -> None:
    with display() as name:
        async with driven(tmp_path, "X11", lambda: X11Idle({"DISPLAY": name})) as found:
            now = datetime.now(UTC)
            found.diary.kept.append(Meeting(Span(now, now + timedelta(hours=1)), "Review"))
            await until(lambda: len(steps(tmp_path)) >= 3, "steps")
            pid, looked = found.job.pid, found.scheduler.readings.at
            move_mouse(name)
            await until(
                lambda: found.scheduler.readings.at > looked and (found.scheduler.readings.idle or 9) < 2,
                "a look that saw it",
            )
            done = len(steps(tmp_path))
            await until(lambda: len(steps(tmp_path)) >= done + 3, "more steps")
            assert found.job.pid == pid
