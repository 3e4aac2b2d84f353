"""A job in a child of its own: down at a return, on from its step in the next window, whole after a kill."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from metaclaw_tray.clock import SystemClock
from metaclaw_tray.store import schedule as rows
from metaclaw_tray.store.engine import Store
from omls.driven.job import SteppingJob, goes_on_without_a_gap, runs, steps, until
from omls.person import House
from support.processes import Program, environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups of POSIX")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    made = House(tmp_path, work=SteppingJob(tmp_path))
    yield made
    await made.scheduler._driver.close()
    made.store.close()


def job_of(house: House) -> SteppingJob:
    assert isinstance(house.scheduler._job, SteppingJob)
    return house.scheduler._job


async def ran(house: House, more: int) -> None:
    """Wait until so many more steps were taken."""
    before = len(steps(job_of(house).folder))
    await until(lambda: len(steps(job_of(house).folder)) >= before + more, f"{more} more steps")


async def test_a_touch_ends_the_process_and_the_next_window_goes_on_from_its_step(house: House) -> None:
    job = job_of(house)
    await house.after(16 * 60)
    await ran(house, 3)
    first = job.pid
    house.person.touch()
    await house.after(1)
    await until(lambda: not runs(first), "the process's end")
    done = len(steps(job.folder))
    await house.after(60)
    assert len(steps(job.folder)) == done, "nothing runs while the person is there"
    await house.after(16 * 60)
    await ran(house, 3)
    assert job.pid != first
    assert goes_on_without_a_gap(job.folder)


async def test_a_job_whose_process_is_killed_goes_on_from_its_checkpoint_in_the_same_window(
    house: House,
) -> None:
    job = job_of(house)
    await house.after(16 * 60)
    await ran(house, 3)
    first = job.pid
    os.kill(first, signal.SIGKILL)
    await until(lambda: job.pid != first, "another process")
    await ran(house, 3)
    assert goes_on_without_a_gap(job.folder)
    assert len(house.store.read(rows.windows)) == 1


async def test_a_job_that_is_stopped_by_the_system_is_killed_at_a_return(house: House) -> None:
    job = job_of(house)
    await house.after(16 * 60)
    await ran(house, 1)
    os.kill(job.pid, signal.SIGSTOP)  # it hears nothing now
    house.person.touch()
    await house.after(1)
    await until(lambda: not runs(job.pid), "the process's end")


async def test_a_job_that_has_nothing_left_to_do_says_so(tmp_path: Path) -> None:
    house = House(tmp_path, work=SteppingJob(tmp_path, last=5))
    await house.after(16 * 60)
    await until(lambda: job_of(house).unready(), "the end of the job")
    await house.after(2)
    assert house.scheduler.why_not() == "there is nothing new to train on"
    assert [step for step, _, _ in steps(tmp_path)] == [1, 2, 3, 4, 5]
    house.store.close()


@contextmanager
def app(folder: Path) -> Iterator[Program]:
    """A small app in a process, with its child in its group."""
    program = Program(str(Path(__file__).with_name("small_app.py")), str(folder), env=environment())
    try:
        yield program
    finally:
        if program.process.poll() is None:
            os.killpg(program.process.pid, signal.SIGKILL)
        program.process.wait(60)
        for pipe in (program.process.stdin, program.process.stdout):
            if pipe is not None:
                pipe.close()


def child_of(folder: Path) -> int:
    return steps(folder)[-1][1]


async def test_an_app_that_is_killed_takes_the_job_along_and_the_next_run_goes_on_from_its_step(
    tmp_path: Path,
) -> None:
    with app(tmp_path) as first:
        await until(lambda: len(steps(tmp_path)) >= 3, "steps")
        child = child_of(tmp_path)
        os.kill(first.process.pid, signal.SIGKILL)
        await until(lambda: not runs(child), "the child's end")
    done = len(steps(tmp_path))
    with app(tmp_path):
        await until(lambda: len(steps(tmp_path)) >= done + 3, "more steps")
    assert goes_on_without_a_gap(tmp_path)
    store = Store.open(tmp_path / "store.sqlite3", SystemClock())
    latest, left = store.read(rows.windows)
    assert left.why_closed == "the program ended"
    assert latest.closed_at is None
    store.close()


async def test_a_machine_that_sleeps_with_a_window_open_ends_it_at_waking_and_the_job_goes_on_later(
    tmp_path: Path,
) -> None:
    """Stopped processes and a clock that is two hours on: what sleep looks like from inside."""
    with app(tmp_path) as small:
        await until(lambda: len(steps(tmp_path)) >= 3, "steps")
        before = child_of(tmp_path)
        os.killpg(small.process.pid, signal.SIGSTOP)
        done = len(steps(tmp_path))
        (tmp_path / "step").write_text("7200")
        os.killpg(small.process.pid, signal.SIGCONT)
        await until(lambda: child_of(tmp_path) != before, "another process, in another window")
        assert not runs(before)
        assert len(steps(tmp_path)) > done
    assert goes_on_without_a_gap(tmp_path)
    store = Store.open(tmp_path / "store.sqlite3", SystemClock())
    _, first = store.read(rows.windows)
    assert first.why_closed == "the computer has just woken, or its clock was set"
    store.close()
