"""Forgetting turns: what would go and what would stay, and the deed."""

from __future__ import annotations

import getpass
from collections.abc import Iterable
from datetime import datetime

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.server import Call
from metaclaw_tray.errors import NotFoundError, UsageError
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.store import forgetting, migrations, turns
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.forgetting import Learnt
from metaclaw_tray.store.leaving import Which

_FLUSH_SECONDS = 3.0


class ForgettingDesk:
    """Answers the verbs of forgetting."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def look(self, verb: api.LookAtForgetting, _call: Call) -> api.ForgetOutlook:
        await self._runtime.scribe.flush(_FLUSH_SECONDS)
        now = self._runtime.clock.now()
        found = await self._runtime.store.aread(
            lambda db: forgetting.outlook(db, _which(db, verb, until=now))
        )
        copies = migrations.copies_since(self._runtime.store.path, found.first_at) if found.first_at else []
        return api.ForgetOutlook(
            turns=found.turns,
            exchanges=found.exchanges,
            sessions=found.sessions,
            messages=found.messages,
            bytes=found.bytes,
            first_at=found.first_at,
            last_at=found.last_at,
            shared=found.shared,
            under_way=found.under_way,
            claims=found.claims,
            proposals=list(found.withdrawn),
            skills=_rows(found.skills),
            copies=[str(copy) for copy in copies],
            until=now,
        )

    async def forget(self, verb: api.ForgetTurns, call: Call) -> api.Forgotten:
        runtime = self._runtime
        await runtime.scribe.flush(_FLUSH_SECONDS)
        which = await runtime.store.aread(lambda db: _which(db, verb, until=verb.until))
        origin = await call.peer.origin()
        channel = "terminal" if origin.terminal else "scripted"
        who = Actor(getpass.getuser(), channel, tuple(origin.ancestry))
        gone, promised = await runtime.retention.forget(which, who, call.progress)
        if not promised.turns:
            raise NotFoundError("Nothing to forget", "No turn that has ended is meant by this.", "")
        return api.Forgotten(
            turns=gone.turns,
            exchanges=gone.exchanges,
            sessions=gone.sessions,
            messages=gone.messages,
            withdrawn=gone.withdrawn,
            skills=_rows(promised.skills),
        )


def _which(db: Db, verb: api.LookAtForgetting | api.ForgetTurns, *, until: datetime) -> Which:
    """The turns that are meant. Raises NotFoundError, and UsageError where nothing is named."""
    if not (verb.turns or verb.session or verb.exchange or verb.agent or verb.before):
        raise UsageError(
            "Nothing to forget is named",
            "Ids of turns, a session, an exchange, an agent or a date say what is meant.",
            "`metaclaw-tray turns list` shows them.",
        )
    return Which(
        turns=tuple(turns.turn(db, each).turn.id for each in verb.turns),
        session=turns.session(db, verb.session).id if verb.session else "",
        exchange=turns.exchange(db, verb.exchange).id if verb.exchange else "",
        agent=verb.agent,
        before=verb.before,
        until=until,
    )


def _rows(skills: Iterable[Learnt]) -> list[api.LearntSkill]:
    return [api.LearntSkill(name=each.name, version=each.version, state=each.state) for each in skills]
