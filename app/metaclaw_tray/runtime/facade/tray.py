"""The tray: what its menu shows in one answer, learning at rest, autostart, notifications."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, TypeVar

from sqlmodel import Session as Db

from metaclaw_tray.admin.api import Said
from metaclaw_tray.admin.api import tray as api
from metaclaw_tray.admin.server import Call, Handler, Handlers
from metaclaw_tray.errors import KnownError, UsageError
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.autostart import find_autostart
from metaclaw_tray.runtime.facade import status
from metaclaw_tray.runtime.facade.agreed import asker
from metaclaw_tray.runtime.facade.training import TrainingDesk
from metaclaw_tray.runtime.notifying import Notifying, open_proposals
from metaclaw_tray.settings import EMBEDDED, Settings
from metaclaw_tray.store import tray

T = TypeVar("T")

_TALKING = timedelta(minutes=15)
_WORDS = 80  # letters of a conversation's beginning
_LONGEST_PAUSE = timedelta(days=366)


class TrayDesk:
    """One handler for each verb of the tray."""

    def __init__(self, runtime: Runtime, training: TrainingDesk) -> None:
        self._runtime = runtime
        self._training = training
        self._autostart = find_autostart()
        self._notifying = Notifying(
            runtime.store, lambda: runtime.settings, runtime.troubles.all, runtime.clock
        )

    def handlers(self) -> Handlers:
        return {
            api.ShowTray: _plain(lambda _: self.show()),
            api.PauseLearning: self._pause,
            api.ResumeLearning: self._resume,
            api.ShowAutostart: _plain(lambda _: self._show_autostart()),
            api.SetAutostart: _plain(lambda verb: self._set_autostart(on=verb.on)),
            api.ListNotifications: _plain(lambda _: self._due()),
            api.NotificationShown: _plain(self._shown),
        }

    async def show(self) -> api.Tray:
        """Nothing is waited for that is not in the store yet: news follow when it is."""
        runtime, now = self._runtime, self._runtime.clock.now()
        midnight = self._notifying.here(now).replace(hour=0, minute=0, second=0, microsecond=0)

        def read(db: Db) -> tuple[tray.Latest | None, int, list[api.OpenProposal], list[str]]:
            today = tray.exchanges_since(db, midnight)
            return tray.latest(db), today, open_proposals(db, now), tray.talking_since(db, now - _TALKING)

        latest, today, proposals, talking = await runtime.store.aread(read)
        return api.Tray(
            url=runtime.url,
            exchanges_today=today,
            latest=_exchange(latest) if latest else None,
            conversation=_conversation(latest) if latest else None,
            proposals=proposals,
            models=_models(runtime.settings),
            observe_only=not runtime.settings.injection.enabled,
            learning=runtime.learner.working,
            why_not_learning=runtime.why_learning_waits(),
            paused=runtime.pause.on,
            paused_until=runtime.pause.until,
            training=await self._training.brief(),
            trouble=await self._trouble(),
            talking=talking,
        )

    async def _trouble(self) -> list[str]:
        """What is wrong; where keys are kept is not, if the person chose that place."""
        runtime = self._runtime
        return [*await asyncio.to_thread(status.edited, runtime), *status.wrong(runtime)]

    async def _pause(self, verb: api.PauseLearning, call: Call) -> Said:
        now = self._runtime.clock.now()
        if verb.until is not None and not now < verb.until <= now + _LONGEST_PAUSE:
            raise UsageError("Not until then", "A pause ends within a year from now.", "Say another moment.")
        await self._runtime.pause.pause(verb.until, await asker(call))
        if verb.until is None:
            return Said(text="Learning rests until you let it go on: `metaclaw-tray learn resume`.")
        return Said(text=f"Learning rests until {verb.until:%Y-%m-%d %H:%M} UTC.")

    async def _resume(self, _verb: api.ResumeLearning, call: Call) -> Said:
        if not self._runtime.pause.on:
            return Said(text="Learning was not paused.")
        await self._runtime.pause.resume(await asker(call))
        return Said(text="Learning goes on.")

    async def _show_autostart(self) -> api.Autostart:
        place = self._autostart.place
        try:
            on = await asyncio.to_thread(self._autostart.is_on)
        except KnownError as error:
            return api.Autostart(on=False, place=place, why_not=error.detail)
        return api.Autostart(on=on, place=place)

    async def _set_autostart(self, *, on: bool) -> Said:
        await asyncio.to_thread(self._autostart.set, on)
        word = "starts" if on else "does not start"
        return Said(text=f"MetaClaw Tray {word} when you log in ({self._autostart.place}).")

    async def _due(self) -> list[api.Notification]:
        started = await self._show_autostart()
        return await self._notifying.due(autostart=not started.on and not started.why_not)

    async def _shown(self, verb: api.NotificationShown) -> Said:
        await self._notifying.shown(verb.kind, verb.keys)
        return Said(text="It is not shown again.")


def _exchange(latest: tray.Latest) -> api.LatestExchange:
    thumb = {1: "up", -1: "down"}.get(latest.thumb, "")
    of = latest.exchange
    return api.LatestExchange(id=of.id, agent=of.agent, at=of.started_at, thumb=thumb)


def _conversation(latest: tray.Latest) -> api.LatestConversation:
    of = latest.session
    words = latest.words if len(latest.words) <= _WORDS else latest.words[: _WORDS - 1] + "…"
    return api.LatestConversation(id=of.id, agent=of.agent, words=words, skills=not of.observe_only)


def _models(settings: Settings) -> list[api.Model]:
    return [
        api.Model(
            upstream=name,
            model=settings.embedded.model if name == EMBEDDED else settings.upstreams[name].model,
            chosen=name == settings.chosen_upstream,
        )
        for name in settings.upstream_names
    ]


def _plain(work: Callable[[Any], Awaitable[T]]) -> Handler:
    async def handle(verb: Any, _call: Call) -> T:
        return await work(verb)

    return handle
