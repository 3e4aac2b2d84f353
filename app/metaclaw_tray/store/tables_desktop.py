"""The tables of what is told outside the window."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel

from metaclaw_tray.store.columns import UtcTime


class Notification(SQLModel, table=True):
    """A thing that the person was told by a notification, or that waits to be told so."""

    key: str = Field(primary_key=True)  # what it is about, as in `proposal:ID`
    kind: str  # proposal, training, trouble, autostart
    facts: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    at: datetime = Field(sa_column=Column(UtcTime, nullable=False))  # when it happened
    shown_at: datetime | None = Field(default=None, sa_column=Column(UtcTime, nullable=True, index=True))
    batch: str = ""  # those that were told together have one
