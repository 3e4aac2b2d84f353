"""The embedded model as the rest of the program sees it: an address and a key."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import httpx

from metaclaw_tray.child import Child, ChildEndedError, start_child
from metaclaw_tray.embedded.serving import Failed, Load, Serving, sensible_threads
from metaclaw_tray.errors import ModelError

CONTEXT = 8192  # tokens; about 230 MB of memory for a model of 1.5 billion parameters
SLOTS = 2  # so that the agent is answered while learning asks too
START_SECONDS = 180.0  # a cold disk reads a gigabyte slowly
_HEALTH_POLL_SECONDS = 0.1

_ModelChild: TypeAlias = Child[Load, Serving | Failed]


class EmbeddedModel:
    """A model being served by a child process. Made by `start`; it lives as long as that block."""

    def __init__(self, child: _ModelChild, url: str, key: str, name: str) -> None:
        self.base_url = f"{url}/v1"
        self.key = key  # a bearer token, made for this run; nothing but /health answers without it
        self.name = name  # the model name that requests carry
        self._child = child

    @property
    def pid(self) -> int:
        return self._child.pid

    async def ended(self) -> str:
        """Wait until the child is gone, and say how it ended. Whether to start it again is for the caller."""
        async for _ in self._child.messages():
            pass
        return _how_it_ended(self._child.returncode)

    @classmethod
    @asynccontextmanager
    async def start(
        cls,
        path: Path,
        name: str,
        *,
        context: int = CONTEXT,
        slots: int = SLOTS,
        threads: int | None = None,
        seconds: float = START_SECONDS,
    ) -> AsyncIterator[EmbeddedModel]:
        """Serve the GGUF file at `path` under `name`, and stop at the end of the block.

        `context` is counted in tokens and shared by the `slots`. Raises ModelError when the file cannot be
        served, or does not answer within `seconds`.
        """
        key = secrets.token_urlsafe(24)
        load = Load(str(path), name, key, context, slots, threads or sensible_threads())
        starting: AbstractAsyncContextManager[_ModelChild]
        starting = start_child("llm", to_child=Load, from_child=Serving | Failed)
        async with starting as child:
            try:
                async with asyncio.timeout(seconds):
                    url = await _loaded(child, load)
                    await _healthy(url)
            except TimeoutError as error:
                raise ModelError(
                    "The model did not start",
                    f"{path.name} was not ready after {seconds:.0f} seconds",
                    "Close what keeps the machine busy and try again.",
                ) from error
            yield cls(child, url, key, name)


async def _loaded(child: _ModelChild, load: Load) -> str:
    """The server's address. Raises ModelError when there will be none."""
    with contextlib.suppress(ChildEndedError):  # its last words, if any, are read below
        await child.send(load)
    said = await anext(child.messages(), None)
    if isinstance(said, Serving):
        return said.url
    detail = said.detail if said else _how_it_ended(child.returncode)
    raise ModelError(
        "The model could not be started",
        f"{load.path}: {detail}",
        "The log has what llama.cpp said. If the file is damaged, remove it and fetch it again.",
    )


async def _healthy(url: str) -> None:
    # No proxy from the environment: this is our own loopback.
    async with httpx.AsyncClient(trust_env=False, timeout=5.0) as client:
        while True:
            try:
                if (await client.get(f"{url}/health")).status_code == httpx.codes.OK:
                    return
            except httpx.TransportError:
                pass  # not listening yet; the caller holds the time limit
            await asyncio.sleep(_HEALTH_POLL_SECONDS)


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        hint = ", perhaps for want of memory" if -code == getattr(signal, "SIGKILL", 9) else ""
        return f"the process was ended by {name}{hint}"
    return f"the process ended with code {code}"
