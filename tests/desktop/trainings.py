"""Training of each sort, as the app tells it once there is any."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from metaclaw_tray.admin import api

NIGHT = datetime(2026, 3, 3, 1, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)

NONE = api.Training(state="none", why_not="No training is set up. Skills are learnt all the same.")
NO_SCHEDULE = api.Schedule(state="none", why_not=NONE.why_not)

BEFORE = api.Score(mean=0.61, low=0.54, high=0.68, requests=42)
AFTER = api.Score(mean=0.66, low=0.59, high=0.73, requests=42)
RUNNING = api.JobRow(
    id="job-3",
    state="running",
    why="Step 12 is being practised.",
    model="Qwen3-8B",
    engine="tinker.example",
    started_at=NIGHT + 24 * HOUR,
    step=12,
    steps=40,
    usd=0.84,
    limit_usd=3.0,
    before=BEFORE,
)
DONE = api.JobRow(
    id="job-2",
    state="done",
    why="All steps are done; what came of it was better and is in use.",
    model="Qwen3-8B",
    engine="tinker.example",
    started_at=NIGHT,
    ended_at=NIGHT + 2 * HOUR,
    step=30,
    steps=30,
    usd=2.11,
    limit_usd=3.0,
    before=BEFORE,
    after=AFTER,
    adapter="a2",
)
STOPPED = replace(
    DONE,
    id="job-1",
    state="stopped",
    why="It drifted too far from the base model and stopped by itself; nothing of it is in use.",
    started_at=NIGHT - 24 * HOUR,
    ended_at=NIGHT - 23 * HOUR,
    step=9,
    usd=0.62,
    before=BEFORE,
    after=None,
    adapter="",
)
IN_USE = api.AdapterRow(
    id="a2",
    name="night-2",
    state="in use",
    base="Qwen3-8B",
    job="job-2",
    made_at=NIGHT + 2 * HOUR,
    parent="a1",
    requests=118,
    steps=30,
    before=BEFORE,
    after=AFTER,
    verdict="Better on 17 of 42 requests kept aside, worse on 6: you took it into use on 3 March.",
    bytes=84 * 1024 * 1024,
)
FIRST = replace(
    IN_USE,
    id="a1",
    name="night-1",
    state="ready",
    parent="",
    before=api.Score(mean=0.58, low=0.50, high=0.66, requests=38),
    after=BEFORE,
    verdict="Better on 12 of 38, worse on 7.",
    made_at=NIGHT - 70 * HOUR,
)
PROPOSED = replace(
    IN_USE, id="a3", name="night-3", state="proposed", parent="a2", verdict="Better on 15 of 42, worse on 5."
)
REFUSED = replace(
    FIRST,
    id="a0",
    name="night-0",
    state="refused",
    verdict="Not enough to tell: better on 4 of 31 requests, worse on 3.",
    why_not="It was not measurably better.",
)
OPEN = api.WindowRow(
    id="w3",
    kind="sleep",
    opened_at=NIGHT + 24 * HOUR,
    closed_at=None,
    why_opened="Your sleep hours began at 00:30 and nothing was touched for 40 minutes.",
    trained_minutes=22,
    job="job-3",
)
MEETING = api.WindowRow(
    id="w2",
    kind="meeting",
    opened_at=NIGHT + 13 * HOUR,
    closed_at=NIGHT + 13.7 * HOUR,
    why_opened="Your calendar says that you are in a meeting until 15:00.",
    why_closed="An agent was asked for something.",
    title="Planning",
    trained_minutes=41,
    job="job-2",
)
NOTHING_RAN = api.WindowRow(
    id="w1",
    kind="idle",
    opened_at=NIGHT - 5 * HOUR,
    closed_at=NIGHT - 4.8 * HOUR,
    why_opened="Nothing was touched for 15 minutes.",
    why_closed="You came back.",
)
SIGNALS = [
    api.Signal(name="input", says="Nothing was touched for 41 minutes.", stands="for"),
    api.Signal(name="sleep", says="It is 01:32; your sleep hours are 00:30 to 07:00.", stands="for"),
    api.Signal(name="power", says="The machine runs on mains.", stands="neutral"),
    api.Signal(name="calendar", says="No calendar is connected.", stands="unknown"),
    api.Signal(name="caps", says="0.84 of 3.00 USD are spent in this job.", stands="neutral"),
]
RUNS = api.Training(
    state="running",
    model="Qwen3-8B",
    engine="tinker.example",
    leaves=True,
    job=RUNNING,
    prompts=164,
    prompts_wanted=32,
    month_usd=3.57,
    month_limit_usd=10.0,
    in_use="a2",
)
RUNS_IN = api.Schedule(state="open", window=OPEN, signals=SIGNALS)
WAITS = replace(RUNS, state="waiting", why_not="you are at the keyboard.", job=None, prompts=11)
NEXT = api.NextWindow(
    kind="meeting",
    at=NIGHT + 13 * HOUR,
    until=NIGHT + 14 * HOUR,
    why="Your calendar has a meeting then.",
    confidence=0.8,
)
WAITS_IN = api.Schedule(
    state="closed",
    why_not="you are at the keyboard.",
    next=NEXT,
    signals=[api.Signal(name="input", says="Touched 3 seconds ago.", stands="against"), *SIGNALS[1:]],
)


def points(count: int) -> list[api.JobPoint]:
    """Steps of a job that goes well."""
    made = []
    for step in range(1, count + 1):
        reward = 0.62 - 0.3 * math.exp(-step / 9) + 0.02 * math.sin(2.3 * step)
        made.append(
            api.JobPoint(
                step=step,
                at=NIGHT + step * timedelta(minutes=3),
                reward=reward,
                reward_low=reward - 0.18,
                reward_high=min(1.0, reward + 0.16),
                kl=0.004 * step**0.9,
                usd=0.07 * step,
            )
        )
    return made


def detail(job: api.JobRow) -> api.JobDetail:
    """A job with its curves."""
    notes = ["Step 7 was practised twice: the machine slept in the middle of it."] if job.step > 10 else []
    return api.JobDetail(job=job, points=points(job.step), kl_stop=0.15, windows=[OPEN], notes=notes)
