"""`metaclaw-tray serve`: the runtime without a screen, until it is asked to end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal
from urllib.parse import urlsplit

from metaclaw_tray import logs
from metaclaw_tray.admin.api import ShowWindow
from metaclaw_tray.admin.instance import Instance
from metaclaw_tray.admin.server import AdminServer
from metaclaw_tray.errors import KnownError
from metaclaw_tray.files import in_words
from metaclaw_tray.omls.job import Job
from metaclaw_tray.paths import Paths
from metaclaw_tray.runtime.app import open_runtime
from metaclaw_tray.runtime.changed import Changes, telling
from metaclaw_tray.runtime.facade import handlers
from metaclaw_tray.runtime.refused import RefusedBook
from metaclaw_tray.runtime.window import WindowKeeper

log = logging.getLogger(__name__)


WindowAtStart = Literal["none", "hidden", "open"]


def serve(
    paths: Paths,
    port: int | None,
    as_json: bool,
    *,
    window: WindowAtStart = "none",
    job: Job | None = None,
) -> int:
    """Serve until SIGTERM or SIGINT; the exit code. `port` overrides the settings, 0 takes a free one;
    `window` says whether the tray comes up too, and its window with it; `job` is the training that runs while
    the person is away, None where none is set up.

    Raises KnownError where it cannot start: another one runs, the port is taken, settings or store broken.
    """
    try:
        paths.prepare()
    except OSError as error:
        raise KnownError(
            "The app has no place for its files",
            f"{error.filename}: {in_words(error)}.",
            "Free some space or give permission, or name another folder in METACLAW_TRAY_HOME.",
        ) from error
    logs.configure(paths.logs_dir)
    with Instance.hold(paths) as instance:
        return _run(_serve(paths, port, as_json, instance, window, job))


async def _serve(
    paths: Paths,
    port: int | None,
    as_json: bool,
    instance: Instance,
    window: WindowAtStart,
    job: Job | None,
) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers on a loop
            loop.add_signal_handler(name, stop.set)
    async with open_runtime(paths, os.environ, job=job) as runtime:
        answers = telling(handlers(runtime), runtime.changes)
        keeper = WindowKeeper(answers, runtime.clock, runtime.troubles, stop.set)
        answers[ShowWindow] = keeper.show_window
        admin = AdminServer(
            instance,
            answers,
            allow_scripted=runtime.allow_scripted,
            ports=lambda: (urlsplit(runtime.url).port or 0,),
            refused=RefusedBook(runtime),
        )
        if window != "none":
            keeper.show(hidden=window == "hidden")
        async with (
            keeper.running(runtime.changes),
            runtime.serving(port),
            admin,
            runtime.learner.heard_by(_learning(runtime.changes)),
        ):
            keeper.begin()
            settle_memory()
            _announce(runtime.url, paths, as_json)
            for sentence in runtime.trouble():
                log.warning("%s", sentence)
            await stop.wait()
            log.info("ending")
            await keeper.stop()
    return 0


def _learning(changes: Changes) -> Callable[[str], Awaitable[None]]:
    async def heard(_step: str) -> None:
        changes.tell("learning", "library")

    return heard


def _announce(url: str, paths: Paths, as_json: bool) -> None:
    if as_json:
        line = json.dumps({"url": url, "pid": os.getpid(), "home": str(paths.home)})
    else:
        line = f"MetaClaw Tray serves at {url} (home {paths.home}). Press Ctrl-C to end."
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def settle_memory() -> None:
    """What start-up made stays for good, so the collector need not look at it with every turn."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _run(main: Coroutine[Any, Any, int]) -> int:
    if sys.platform == "win32":
        return asyncio.run(main)
    import uvloop

    return uvloop.run(main)
