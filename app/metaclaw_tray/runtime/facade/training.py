"""Training as a person meets it, while nothing that trains is set up: each verb is answered as it is.

Whoever decides when training may run comes in as `Windows`; jobs and adapters come in at `TrainingDesk`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

from metaclaw_tray.admin import api
from metaclaw_tray.admin.api.training import TrainingState
from metaclaw_tray.admin.api.tray import TrainingBrief
from metaclaw_tray.admin.server import Call, Handler, Handlers
from metaclaw_tray.errors import KnownError, NotFoundError

T = TypeVar("T")

NOT_SET_UP = "No training is set up. Skills are learnt all the same."


class Windows(Protocol):
    """What decides when training may run, as far as it is shown."""

    async def schedule(self) -> api.Schedule:
        """What it decides now, by what, and what it expects."""
        ...

    async def windows(self, limit: int) -> Sequence[api.WindowRow]:
        """The windows there were, the latest first."""
        ...

    async def spans(self, begin: datetime, end: datetime) -> Sequence[api.DaySpan]:
        """Sleep hours, meetings, idle and training between two moments; also what is expected of the rest of
        this day."""
        ...


class NoWindows:
    """Nobody decides, because nothing could train."""

    async def schedule(self) -> api.Schedule:
        return api.Schedule(state="none", why_not=NOT_SET_UP)

    async def windows(self, limit: int) -> Sequence[api.WindowRow]:  # noqa: ARG002
        return []

    async def spans(self, begin: datetime, end: datetime) -> Sequence[api.DaySpan]:  # noqa: ARG002
        return []


class Control(Protocol):
    """What training does at the person's word: `omls.scheduler.Scheduler`."""

    @property
    def trainable(self) -> bool:
        """Whether there is something that trains."""
        ...

    def start_now(self) -> None: ...

    def stop(self, until: datetime | None = None) -> None: ...


class TrainingDesk:
    """One handler for each verb of windows, jobs and adapters."""

    def __init__(self, windows: Windows | None = None, control: Control | None = None) -> None:
        self.windows: Windows = windows or NoWindows()
        self._control = control

    def handlers(self) -> Handlers:
        return {
            api.ShowSchedule: _plain(lambda _: self.windows.schedule()),
            api.ListWindows: _plain(lambda verb: self.windows.windows(verb.limit)),
            api.ShowTraining: _plain(self._show),
            api.ListJobs: _plain(_nothing),
            api.ShowJob: _plain(_no_job),
            api.ListAdapters: _plain(_nothing),
            api.StartTraining: _plain(self._start),
            api.PauseTraining: _plain(self._pause),
            api.StopTraining: _plain(self._stop),
            api.UseAdapter: _plain(_no_adapter),
            api.RollBackAdapter: _plain(_cannot("roll back")),
            api.ExportAdapter: _plain(_no_adapter),
        }

    async def brief(self) -> TrainingBrief:
        """The same for the tray's menu, in a line or two."""
        schedule = await self.windows.schedule()
        if schedule.state == "none":
            return TrainingBrief(state="none", why_not=schedule.why_not)
        return TrainingBrief(
            state="running" if schedule.state == "open" else "waiting",
            why_not=schedule.why_not,
            next_at=schedule.next.at if schedule.next is not None else None,
            next_why=schedule.next.kind if schedule.next is not None else "",
        )

    async def _start(self, verb: api.StartTraining) -> api.Said:
        if (control := self._trains()) is None:
            return await _cannot("start")(verb)
        control.start_now()
        return api.Said("Training starts now, and runs until it is done or you stop it.")

    async def _pause(self, verb: api.PauseTraining) -> api.Said:
        if (control := self._trains()) is None:
            return await _cannot("pause")(verb)
        control.stop(verb.until)
        until = (
            f"until {verb.until.astimezone():%a %H:%M}" if verb.until is not None else "until you start it"
        )
        return api.Said(f"Training pauses {until}.")

    async def _stop(self, verb: api.StopTraining) -> api.Said:
        if (control := self._trains()) is None:
            return await _cannot("stop")(verb)
        control.stop()
        return api.Said("Training stops. What it has learnt up to its last checkpoint is kept.")

    def _trains(self) -> Control | None:
        control = self._control
        return control if control is not None and control.trainable else None

    async def _show(self, _verb: api.ShowTraining) -> api.Training:
        if self._trains() is None:
            return api.Training(state="none", why_not=NOT_SET_UP)
        schedule = await self.windows.schedule()
        return api.Training(state=_state(schedule), why_not=schedule.why_not)


def _state(schedule: api.Schedule) -> TrainingState:
    """How what trains stands, by what is decided of windows."""
    if schedule.state == "open":
        return "running"
    stopped = any(each.name == "manual" and each.stands == "against" for each in schedule.signals)
    return "paused" if stopped else "waiting"


async def _nothing(_verb: object) -> list[Any]:
    return []


async def _no_job(verb: api.ShowJob) -> api.JobDetail:
    raise NotFoundError("No such job", f"There is no training job {verb.id}: none was started yet.")


async def _no_adapter(verb: api.UseAdapter | api.ExportAdapter) -> Any:
    raise NotFoundError("No such adapter", f"There is no adapter {verb.id}: nothing was trained yet.")


def _cannot(what: str) -> Callable[[Any], Awaitable[api.Said]]:
    async def refuse(_verb: Any) -> api.Said:
        raise KnownError(
            "No training is set up",
            f"This installation has nothing that trains a model, so there is nothing to {what}.",
            "Skills are learnt without it: `metaclaw-tray learn status` says how that goes.",
        )

    return refuse


def _plain(work: Callable[[Any], Awaitable[T]]) -> Handler:
    async def handle(verb: Any, _call: Call) -> T:
        return await work(verb)

    return handle
