"""The tables of when the policy may be trained: windows, what was decided, and when the person was away."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Field, SQLModel

from metaclaw_tray.store.columns import json_column, time_column

WINDOWS = """
CREATE TABLE training_window (
    id VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    opened_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    closed_at BIGINT,
    away_since BIGINT,
    expected_end BIGINT,
    why_opened VARCHAR NOT NULL,
    why_closed VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    trained_seconds FLOAT NOT NULL,
    job VARCHAR NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_training_window_opened_at ON training_window (opened_at);
CREATE TABLE schedule_entry (
    id INTEGER NOT NULL,
    at BIGINT NOT NULL,
    open BOOLEAN NOT NULL,
    kind VARCHAR NOT NULL,
    vetoes JSON NOT NULL,
    words VARCHAR NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_schedule_entry_at ON schedule_entry (at);
CREATE TABLE absence (
    id INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    begin_at BIGINT NOT NULL,
    end_at BIGINT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_absence_end_at ON absence (end_at);
"""


class TrainingWindow(SQLModel, table=True):
    """A span in which training was allowed, or is."""

    __tablename__ = "training_window"

    id: str = Field(primary_key=True)
    kind: str  # of omls.table: manual, meeting, sleep, locked, idle
    opened_at: datetime = time_column(index=True)
    seen_at: datetime = time_column()  # the last look that found it open, to the minute
    closed_at: datetime | None = time_column(nullable=True)  # None: it is open
    away_since: datetime | None = time_column(nullable=True)
    expected_end: datetime | None = time_column(nullable=True)  # when it opened
    why_opened: str
    why_closed: str = ""
    title: str = ""  # of the meeting; it never leaves the machine
    trained_seconds: float = 0.0
    job: str = ""


class ScheduleEntry(SQLModel, table=True):
    """A change of what is decided: a window opened, closed, or did not open though the person is away."""

    __tablename__ = "schedule_entry"

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = time_column(index=True)
    open: bool
    kind: str  # "" where nothing says that the person is away
    vetoes: list[str] = json_column()
    words: str  # a sentence without its full stop


class Absence(SQLModel, table=True):
    """A span without the person at the machine, longer than what counts as away."""

    id: int | None = Field(default=None, primary_key=True)
    kind: str  # idle, locked, asleep (the machine was)
    begin_at: datetime = time_column()
    end_at: datetime = time_column(index=True)  # as far as it was seen; it may go on
