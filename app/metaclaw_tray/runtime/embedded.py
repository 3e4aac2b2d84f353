"""Keeping the embedded model served, where the settings ask for it."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import KnownError
from metaclaw_tray.paths import Paths
from metaclaw_tray.settings import Upstream

if TYPE_CHECKING:
    from metaclaw_tray.embedded.model import EmbeddedModel

log = logging.getLogger(__name__)

_RESTARTS, _WITHIN_SECONDS = 3, 600.0
_LOOK_SECONDS = 30.0


@dataclass(frozen=True)
class Served:
    """The embedded model as an upstream like any other."""

    upstream: Upstream
    key: str
    model: str
    pid: int


class EmbeddedKeeper:
    """Runs the model that the settings name, restarts it when it dies, and says when it is away."""

    def __init__(self, paths: Paths, clock: Clock, on_change: Callable[[], None]) -> None:
        self._paths = paths
        self._clock = clock
        self._on_change = on_change
        self._wanted = ""
        self._news = asyncio.Event()
        self._deaths: deque[float] = deque()
        self._loading = False
        self.served: Served | None = None
        self.trouble = ""  # why no model is served though one is wanted

    def want(self, model_id: str) -> None:
        """Serve this model from now on; "" serves none. Asking again tries again where it is not served."""
        if model_id != self._wanted or (model_id and self.served is None and not self._loading):
            self._wanted = model_id
            self._deaths.clear()
            self._news.set()

    async def run(self) -> None:
        """Serve what is wanted until cancelled."""
        while True:
            self._news.clear()
            if not self._wanted or len(self._deaths) > _RESTARTS:
                await self._news.wait()
                continue
            try:
                await self._serve(self._wanted)
            except KnownError as error:
                self._away(" ".join(error.lines()))
                await self._wait_for_news()
            finally:
                self._loading = False

    async def _wait_for_news(self) -> None:
        """Until something else is wanted, or it is time to look again: a file may have been fetched."""
        try:
            async with asyncio.timeout(_LOOK_SECONDS):
                await self._news.wait()
        except TimeoutError:
            return

    async def _serve(self, model_id: str) -> None:
        # Here and not above: most people bring a model of their own, and need none of this in memory.
        from metaclaw_tray.embedded.manifest import load_manifest
        from metaclaw_tray.embedded.model import EmbeddedModel
        from metaclaw_tray.errors import ModelError

        model = await asyncio.to_thread(lambda: load_manifest(self._paths).find(model_id))
        if not model.is_present(self._paths):
            raise ModelError(
                "The embedded model is not here",
                f"{model.path(self._paths)} is missing.",
                f"Fetch it: `metaclaw-tray model fetch {model_id}`.",
            )
        self._loading = True
        self._away("the embedded model is loading")
        async with EmbeddedModel.start(model.path(self._paths), model_id) as running:
            upstream = Upstream(
                base_url=running.base_url, dialects=["chat", "messages", "responses"], credential="key"
            )
            self.served, self.trouble = Served(upstream, running.key, running.name, running.pid), ""
            self._loading = False
            self._on_change()
            log.info("the embedded model is served model=%s pid=%d", model_id, running.pid)
            how = await self._until_it_ends(running)
        if how:
            log.warning("the embedded model ended model=%s how=%s", model_id, how)
            self._count_death()
            self._away(f"the embedded model ended: {how}")
        else:
            self._away("")

    async def _until_it_ends(self, running: EmbeddedModel) -> str:
        """How the model ended; "" where another one is wanted now."""
        ended = asyncio.create_task(running.ended(), name="embedded-end")
        changed = asyncio.create_task(self._news.wait(), name="embedded-change")
        try:
            await asyncio.wait({ended, changed}, return_when=asyncio.FIRST_COMPLETED)
            return ended.result() if ended.done() else ""
        finally:
            ended.cancel()
            changed.cancel()
            await asyncio.gather(ended, changed, return_exceptions=True)

    def _away(self, trouble: str) -> None:
        self.served, self.trouble = None, trouble
        self._on_change()

    def _count_death(self) -> None:
        now = self._clock.monotonic()
        while self._deaths and now - self._deaths[0] > _WITHIN_SECONDS:
            self._deaths.popleft()
        self._deaths.append(now)
