"""What changed, by topic: for whoever shows it and asks again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metaclaw_tray.admin.api import Verb, verb_name
from metaclaw_tray.admin.server import Call, Handler, Handlers
from metaclaw_tray.admin.window import Topic

Listener = Callable[..., None]  # takes topics


class Changes:
    """Hands topics on to the one who listens, if somebody does. Told often, it costs a call."""

    def __init__(self) -> None:
        self._listener: Listener | None = None

    def listen(self, listener: Listener | None) -> None:
        """Tell this one from now on; None tells nobody."""
        self._listener = listener

    def tell(self, *topics: Topic) -> None:
        """Something of these kinds is not what it was."""
        if self._listener is not None:
            self._listener(*topics)


def telling(handlers: Handlers, changes: Changes) -> dict[type[Verb[Any]], Handler]:
    """The same handlers; after a verb that is no mere question, all that it may have changed is told."""
    return {
        kind: handler if _only_asks(kind) else _told(handler, changes) for kind, handler in handlers.items()
    }


def _only_asks(kind: type[Verb[Any]]) -> bool:
    return verb_name(kind).rpartition(".")[2] in (
        "list",
        "show",
        "status",
        "search",
        "export",
        "history",
        "shown",
        "diff",
        "effect",
        "trace",
        "read",
        "check",
        "ledger",
        "look",
        "write",
        "test",
    )


def _told(handler: Handler, changes: Changes) -> Handler:
    async def handle(verb: Verb[Any], call: Call) -> Any:
        try:
            return await handler(verb, call)
        finally:
            changes.tell("library", "status", "turns")

    return handle
