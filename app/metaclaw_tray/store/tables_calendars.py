"""The tables of what calendars said when they were last read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field, SQLModel

from metaclaw_tray.store.columns import time_column

CALENDARS = """
CREATE TABLE calendar_reading (
    name VARCHAR NOT NULL,
    read_at BIGINT,
    whole_at BIGINT,
    until BIGINT,
    zone VARCHAR NOT NULL,
    etag VARCHAR NOT NULL,
    modified VARCHAR NOT NULL,
    tokens JSON NOT NULL,
    skipped INTEGER NOT NULL,
    PRIMARY KEY (name)
);
CREATE TABLE calendar_event (
    id INTEGER NOT NULL,
    calendar VARCHAR NOT NULL,
    uid VARCHAR NOT NULL,
    begin_at BIGINT NOT NULL,
    end_at BIGINT NOT NULL,
    all_day BOOLEAN NOT NULL,
    busy BOOLEAN NOT NULL,
    status VARCHAR NOT NULL,
    response VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX ix_calendar_event_calendar ON calendar_event (calendar, uid);
"""


class CalendarReading(SQLModel, table=True):
    """How far a calendar was read, and what the next reading goes on from."""

    __tablename__ = "calendar_reading"

    name: str = Field(primary_key=True)
    read_at: datetime | None = time_column(nullable=True)  # the last time that it answered
    whole_at: datetime | None = time_column(nullable=True)  # and the last time that all of it was read
    until: datetime | None = time_column(nullable=True)  # what is kept ends there
    zone: str = ""  # of the place, when all of it was read
    etag: str = ""
    modified: str = ""
    tokens: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    skipped: int = 0  # events that could not be read


class CalendarEvent(SQLModel, table=True):
    """One occurrence. Those of whole days are kept as midnights in UTC, which stand for dates."""

    __tablename__ = "calendar_event"
    __table_args__ = (Index("ix_calendar_event_calendar", "calendar", "uid"),)

    id: int | None = Field(default=None, primary_key=True)
    calendar: str
    uid: str
    begin_at: datetime = time_column()
    end_at: datetime = time_column()
    all_day: bool
    busy: bool
    status: str
    response: str
    kind: str
    title: str  # it never leaves the machine
