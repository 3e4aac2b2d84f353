"""One thread for calls that may hang, so that neither the loop nor the end of the program waits for them."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from metaclaw_tray.errors import SecretError

T = TypeVar("T")


class Worker:
    """Runs calls one after the other on a daemon thread.

    A call that outlasts `limit` seconds raises SecretError for whoever waits; it goes on in the thread, since
    no thread can be stopped, and those behind it wait their own limit.
    """

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._calls: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def call(self, function: Callable[[], T]) -> T:
        """Run and wait. Never on the thread of a running loop: that is what `acall` is for."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            pass
        else:
            raise RuntimeError("a blocking call for a secret on the thread of an event loop")
        future = self._submit(function)
        try:
            return future.result(self._limit)
        except TimeoutError as error:
            future.cancel()
            raise self._late() from error

    async def acall(self, function: Callable[[], T]) -> T:
        """Run without holding up the loop."""
        future = asyncio.wrap_future(self._submit(function))
        try:
            return await asyncio.wait_for(future, self._limit)
        except TimeoutError as error:
            raise self._late() from error

    def _submit(self, function: Callable[[], T]) -> Future[T]:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="secrets", daemon=True)
            self._thread.start()
        future: Future[T] = Future()
        self._calls.put((future, function))
        return future

    def _run(self) -> None:
        while True:
            future, function = self._calls.get()
            if not future.set_running_or_notify_cancel():
                continue  # whoever asked has given up meanwhile
            try:
                future.set_result(function())
            except BaseException as error:  # noqa: BLE001 it is raised where the result is awaited
                future.set_exception(error)

    def _late(self) -> SecretError:
        return SecretError(
            "The keyring did not answer",
            f"Nothing came within {self._limit:g} seconds; it may be waiting for its password.",
            "Unlock the keyring, then try again.",
        )
