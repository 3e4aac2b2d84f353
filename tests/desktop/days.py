"""Days of each sort, as the app tells them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from metaclaw_tray.admin import api
from metaclaw_tray.admin.api.day import SpanKind
from metaclaw_tray.admin.api.tray import Model, TrainingBrief

NOW = datetime.now(UTC)
BEGIN = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)


def at(hours: float) -> datetime:
    """A moment of that day."""
    return BEGIN + timedelta(hours=hours)


def span(kind: SpanKind, begin: float, end: float, words: str = "", count: int = 0) -> api.DaySpan:
    return api.DaySpan(kind=kind, begin=at(begin), end=at(end), words=words, count=count)


EMPTY = api.Day(
    date=BEGIN.astimezone().date().isoformat(),
    begin=BEGIN,
    end=at(24),
    now=at(9),
    earlier=False,
    exchanges=0,
    agents=[],
    carried=0,
    notes=[],
    judged=0,
    good=0,
    bad=0,
    corrected=0,
    praised=0,
    changes=[],
    faults=[],
    learning_usd=0.0,
    costs=[],
    counted_usd=0.0,
    limit_usd=0.5,
    spans=[],
    learning_model="qwen3",
)
FULL = replace(
    EMPTY,
    now=at(13.6),
    earlier=True,
    exchanges=23,
    agents=[
        api.AgentDay(agent="claude-code", exchanges=14),
        api.AgentDay(agent="openclaw", exchanges=7),
        api.AgentDay(agent="hermes", exchanges=2),
    ],
    carried=9,
    notes=[
        api.NoteDay(skill="weekly-report-in-bullets", exchanges=6),
        api.NoteDay(skill="sql-with-named-columns", exchanges=3),
    ],
    judged=17,
    good=13,
    bad=2,
    corrected=2,
    praised=1,
    changes=[
        api.DayChange(
            what="proposed",
            skill="amounts-with-currency-code",
            op="create",
            why="You said: “Always write amounts of money with the currency code.”",
            proposal="p1",
            at=at(9.9),
        ),
        api.DayChange(
            what="approved", skill="sql-with-named-columns", op="create", proposal="p2", at=at(10.2)
        ),
        api.DayChange(
            what="refused",
            skill="send-all-mail-at-once",
            op="create",
            why="nobody but a page that was read stands behind its second sentence",
            proposal="p3",
            at=at(11.4),
        ),
        api.DayChange(what="nothing", skill="dates", why="two answers had nothing in common", at=at(12.1)),
    ],
    faults=[
        api.DayFault(kind="failed", count=2, reason="429: too many requests", subject="openclaw", at=at(11.2))
    ],
    learning_usd=0.18,
    costs=[
        api.LearningCost(purpose="gate", calls=44, usd=0.12),
        api.LearningCost(purpose="judge", calls=51, usd=0.05),
        api.LearningCost(purpose="evolver", calls=3, usd=0.01),
    ],
    counted_usd=0.18,
    spans=[
        span("activity", 8.2, 9.7, "claude-code, openclaw", 13),
        span("learning", 9.75, 9.95, "judge, evolver, gate"),
        span("activity", 10.9, 12.0, "claude-code", 8),
        span("learning", 12.02, 12.15, "judge"),
        span("activity", 13.2, 13.5, "hermes", 2),
    ],
    training="none",
)
WITH_TRAINING = replace(
    FULL,
    training="off",
    why_not_training="you are at work",
    next_window=api.NextWindow(kind="meeting", at=at(15), until=at(16), why="Your calendar has a meeting."),
    spans=[
        span("sleep", 0, 7),
        span("training", 1, 2.4, "31 steps"),
        span("meeting", 10, 10.8, "Stand-up"),
        span("idle", 12.2, 13.1),
        *FULL.spans,
        span("meeting", 15, 16),
    ],
)
TRAY = api.Tray(
    url="http://127.0.0.1:30000",
    exchanges_today=23,
    latest=None,
    conversation=None,
    proposals=[],
    models=[Model(upstream="home", model="qwen3", chosen=True)],
    observe_only=False,
    learning=False,
    why_not_learning="",
    paused=False,
    paused_until=None,
    training=TrainingBrief(state="none"),
    trouble=[],
    talking=[],
)
PROPOSALS = [
    api.OpenProposal(id="p1", op="create", skill="amounts-with-currency-code", why="You said so."),
    api.OpenProposal(id="p5", op="update", skill="weekly-report-in-bullets", why="It failed twice."),
]
WAITING = [
    api.Waiting(
        kind="agreement",
        text="The settings file was edited by hand: budget.day_usd. That is not in force yet; "
        "`metaclaw-tray config reload` takes it up, as does a restart, or a command that changes a setting.",
        keys=["budget.day_usd"],
    ),
    api.Waiting(
        kind="trouble",
        text="The upstream openai has no key. Give it: `metaclaw-tray secret set upstream/openai`.",
    ),
]
DONE = api.FirstRun(state="done", step=0, needed=False, turns=40)
NEW = api.FirstRun(state="new", step=0, needed=True, turns=0)
