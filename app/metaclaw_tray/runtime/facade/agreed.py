"""What all changes share that a person agreed to: who they are, what they saw, and what they are told."""

from __future__ import annotations

import getpass

from metaclaw_tray.admin import api
from metaclaw_tray.admin.consent import Granted
from metaclaw_tray.admin.server import Call
from metaclaw_tray.errors import KnownError
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.store.decisions import Actor, Changed


def actor(granted: Granted) -> Actor:
    """For the ledger: who said yes, and by which way."""
    return Actor(getpass.getuser(), granted.channel, tuple(granted.ancestry))


async def asker(call: Call) -> Actor:
    """For the ledger: who asked for something that needs no yes."""
    origin = await call.peer.origin()
    channel = call.place or ("terminal" if origin.terminal else "scripted")
    return Actor(getpass.getuser(), channel, tuple(origin.ancestry))


def must_be_as_shown(shown: str, now: str) -> None:
    """Raise KnownError where what a person read is not what stands there now."""
    if shown != now:
        raise KnownError(
            "It changed meanwhile",
            "What you read is not what stands there now: it, or the library around it, was changed.",
            "Read it again.",
        )


async def changed_by(runtime: Runtime, word: str, changed: Changed) -> api.Said:
    """Bring a change to the hot path and say what came of it."""
    await runtime.library.refresh()
    named = f"{changed.skill}@{changed.version}" if changed.version else changed.skill
    return api.Said(
        text=f"{word}: {named}. "
        f"The library is generation {changed.generation}. "
        f"To take it back: `metaclaw-tray undo {changed.ledger_id}`.",
        undo=changed.ledger_id,
    )
