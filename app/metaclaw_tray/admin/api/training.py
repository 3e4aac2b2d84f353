"""Training: how it stands, its jobs, what came of them, and what a person does about it."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Consented, Row, Said, Verb
from metaclaw_tray.admin.api.schedule import WindowRow

TrainingState = Literal["none", "waiting", "running", "paused", "stopping"]
JobState = Literal["planned", "running", "paused", "done", "stopped", "failed"]
AdapterState = Literal["proposed", "in use", "ready", "kept", "refused", "removed"]


class Score(Row, frozen=True):
    """A mean score on the requests held out, 0 to 1, with the interval that holds the true one in 95 % of
    cases."""

    mean: float
    low: float
    high: float
    requests: int


class JobRow(Row, frozen=True):
    id: str
    state: JobState
    why: str  # how it stands or ended, a sentence
    model: str  # the base that is trained
    engine: str  # who trains: a host, or this machine
    started_at: datetime
    step: int  # optimiser steps that are done
    steps: int  # that are planned
    usd: float
    limit_usd: float
    ended_at: datetime | None = None
    before: Score | None = None  # on the requests held out
    after: Score | None = None
    adapter: str = ""  # id of what it made


class JobPoint(Row, frozen=True):
    """One step."""

    step: int
    at: datetime
    reward: float  # mean of its rollouts
    reward_low: float  # the middle four fifths of its rollouts
    reward_high: float
    kl: float  # how far it is from the base, nats a token
    usd: float  # spent up to and with it


class JobDetail(Row, frozen=True):
    job: JobRow
    points: list[JobPoint]
    kl_stop: float  # nats a token, at which it would end by itself
    windows: list[WindowRow]  # it ran in, oldest first
    notes: list[str] = field(default_factory=list)  # what was not done, or done otherwise, and why


class AdapterRow(Row, frozen=True):
    """One trained state of the model."""

    id: str
    name: str
    state: AdapterState
    base: str  # the model it is for
    job: str
    made_at: datetime
    parent: str = ""  # the adapter it went on from; "": the base
    requests: int = 0  # of the person that it was trained on
    steps: int = 0
    before: Score | None = None
    after: Score | None = None
    verdict: str = ""  # why it was proposed, adopted or put aside, a sentence
    bytes: int = 0
    why_not: str = ""  # why it cannot be used, where it cannot


class Training(Row, frozen=True):
    """How training stands."""

    state: TrainingState
    why_not: str = ""  # why it does not run now, in one sentence
    begin: list[str] = field(default_factory=list)  # where it is not set up: what to do, in order
    model: str = ""
    engine: str = ""
    leaves: bool = False  # whether what it trains on leaves this machine
    job: JobRow | None = None  # that runs or is to go on
    prompts: int = 0  # requests there are to train on
    prompts_wanted: int = 0  # that are needed before it begins
    month_usd: float = 0.0
    month_limit_usd: float = 0.0
    in_use: str = ""  # id of the adapter that answers; "": the base, or nothing of ours


class ShowTraining(Verb[Training], frozen=True, tag="training.show"):
    pass


class ListJobs(Verb[list[JobRow]], frozen=True, tag="jobs.list"):
    """The latest first."""

    limit: int = 50


class ShowJob(Verb[JobDetail], frozen=True, tag="jobs.show"):
    """By its id, the beginning of it, or `last`."""

    id: str


class ListAdapters(Verb[list[AdapterRow]], frozen=True, tag="adapters.list"):
    """The latest first."""


class StartTraining(Verb[Said], frozen=True, tag="training.start"):
    """Open a window now, or let a paused job go on. What it may cost was agreed to before."""


class PauseTraining(Verb[Said], frozen=True, tag="training.pause"):
    """Nothing new is begun until a moment, or until somebody starts it again."""

    until: datetime | None = None


class StopTraining(Verb[Said], frozen=True, tag="training.stop"):
    """End the job. What it has learnt up to its last checkpoint is kept."""


class UseAdapter(Consented[Said], frozen=True, kw_only=True, tag="adapters.use"):
    """Let it answer, for sessions that begin from now on."""

    id: str


class RollBackAdapter(Consented[Said], frozen=True, kw_only=True, tag="adapters.rollback"):
    """Let the one before answer again; the base where there was none."""


class Exported(Row, frozen=True):
    folder: str
    files: list[str]


class ExportAdapter(Verb[Exported], frozen=True, kw_only=True, tag="adapters.export"):
    """Write it as a PEFT folder, or as one GGUF file, into a new folder of this folder."""

    id: str
    folder: str
    form: Literal["peft", "gguf"] = "peft"
