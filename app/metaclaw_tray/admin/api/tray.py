"""What the tray shows and does, and what it tells outside the window."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Row, Said, Verb


class LatestExchange(Row, frozen=True):
    """The newest exchange: what a thumb is given to."""

    id: str
    agent: str
    at: datetime
    thumb: str = ""  # up or down, where the person gave one


class LatestConversation(Row, frozen=True):
    id: str
    agent: str
    words: str  # how the person began it; "" where that is not kept
    skills: bool  # whether skills may be put into its requests


class OpenProposal(Row, frozen=True):
    id: str
    op: str
    skill: str
    why: str


class Model(Row, frozen=True):
    """An upstream that agents can reach."""

    upstream: str
    model: str  # "" where the agent's own choice is asked for
    chosen: bool


class TrainingBrief(Row, frozen=True):
    state: Literal["none", "waiting", "running", "paused"]  # none: it is not set up
    why_not: str = ""  # why it does not run now
    next_at: datetime | None = None  # when the next window opens
    next_why: str = ""  # and what it is


class Tray(Row, frozen=True):
    """All that the tray's menu is made of."""

    url: str
    exchanges_today: int  # since midnight by the clock on the wall
    latest: LatestExchange | None
    conversation: LatestConversation | None
    proposals: list[OpenProposal]  # that are put before the person
    models: list[Model]
    observe_only: bool  # nothing is put into anybody's requests
    learning: bool  # at work now
    why_not_learning: str  # what keeps it from going on; "" where nothing does
    paused: bool
    paused_until: datetime | None  # None while paused: until the person lets it go on
    training: TrainingBrief
    trouble: list[str]
    talking: list[str]  # agents that asked for something in the last 15 minutes


class ShowTray(Verb[Tray], frozen=True, tag="tray.show"):
    """What the tray's menu shows, in one answer."""


class PauseLearning(Verb[Said], frozen=True, tag="learn.pause"):
    """Let learning rest: until a moment, or until somebody lets it go on."""

    until: datetime | None = None


class ResumeLearning(Verb[Said], frozen=True, tag="learn.resume"):
    """Let learning go on."""


class Autostart(Row, frozen=True):
    """Whether the app starts when the person logs in."""

    on: bool
    place: str  # the file or key that says so
    why_not: str = ""  # why it cannot be set here


class ShowAutostart(Verb[Autostart], frozen=True, tag="autostart.show"):
    pass


class SetAutostart(Verb[Said], frozen=True, tag="autostart.set"):
    on: bool


class TrainingNews(Row, frozen=True):
    """A training run that began or ended, and the window it ran in."""

    job: str
    ended: bool
    window: str  # meeting, idle, sleep, asked
    window_from: datetime | None = None
    window_until: datetime | None = None
    title: str = ""  # of the meeting, where the person allows it
    minutes: float = 0.0
    score_before: float | None = None  # on the requests held out
    score_after: float | None = None
    outcome: str = ""  # used, kept aside, stopped, failed
    more_to_do: bool = False  # it ended with its window, and goes on in the next


class Notification(Row, frozen=True):
    """Something to tell the person outside the window. What belongs together is told together."""

    kind: Literal["proposal", "training", "trouble", "autostart"]
    keys: list[str]  # to say that it was shown
    proposals: list[OpenProposal] = field(default_factory=list)
    training: TrainingNews | None = None
    sentences: list[str] = field(default_factory=list)  # what is wrong
    agent: str = ""  # that connected first


class ListNotifications(Verb[list[Notification]], frozen=True, tag="notifications.list"):
    """What should be told now: not told yet, wanted, within the day's limit, outside the quiet hours."""


class NotificationShown(Verb[Said], frozen=True, tag="notifications.shown"):
    """One was shown, so it is not shown again."""

    kind: str
    keys: list[str]
