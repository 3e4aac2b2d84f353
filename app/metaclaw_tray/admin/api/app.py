"""The app itself: how it is, and its settings."""

from __future__ import annotations

from datetime import datetime

from msgspec import field

from metaclaw_tray.admin.api.base import Consented, Row, Said, Verb


class Status(Row, frozen=True):
    version: str
    pid: int
    home: str
    url: str
    uptime_seconds: float
    allow_scripted: bool
    dropped_records: int  # lost because the pipe to the scribe was full, in this run
    queue: int  # records that are not committed yet
    open_window: str | None  # the training window that is open
    why_not: str  # why none is
    upstream: str  # the default one; "" where there is none
    agents: int
    generation: int
    active_skills: int
    pending_proposals: int
    turns: int
    learning: str  # ready, or why learning waits
    spent_today_usd: float
    day_limit_usd: float
    secrets: str  # keyring, memory, file
    trouble: list[str]  # what the person should know or mend, a sentence each
    kept: str = ""  # how long turns are kept and what room they take
    trials: list[str] = field(default_factory=list)  # skills that are tried now, with how far they are
    review: str = ""  # the policy by which proposals are decided
    embedder: str = ""  # whether skills are found by meaning too, in what memory, or why not


class GetStatus(Verb[Status], frozen=True, tag="status"):
    pass


class NoticeRow(Row, frozen=True):
    """A thing that did not happen, or went wrong."""

    kind: str  # dropped, unscored, refused, waiting, outside_change, fault
    subject: str  # what it befell: a turn, a run, a proposal …
    reason: str
    count: int  # how often in a row
    at: datetime  # the last time


class ListNotices(Verb[list[NoticeRow]], frozen=True, tag="notices.list"):
    """The latest first."""

    limit: int = 50


class Reloaded(Row, frozen=True):
    changed: list[str]  # keys of the settings whose value is another now
    restart: list[str]  # those of them that count from the next start only


class Reload(Consented[Reloaded], frozen=True, tag="reload"):
    """Read settings and secrets again. A change of the budget that was made by hand needs consent."""


class SetConfig(Consented[Said], frozen=True, kw_only=True, tag="config.set"):
    """Change one setting, as a person typed it.

    What may be spent and where a key goes needs consent; what deletes turns needs a plain yes.
    """

    key: str
    value: str
