"""Which function answers which verb."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.connecting import Connecting
from metaclaw_tray.admin.server import Call, Handler, Handlers
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade import choosing, library, record, status
from metaclaw_tray.runtime.facade.changes import Changes
from metaclaw_tray.runtime.facade.forgetting import ForgettingDesk
from metaclaw_tray.runtime.facade.learning import LearningDesk
from metaclaw_tray.settings import list_settings, needs_consent

T = TypeVar("T")

_FLUSH_SECONDS = 3.0
_AT_THE_NEXT_START = ("server.port", "secrets.backend")


def handlers(runtime: Runtime) -> Handlers:
    """A handler for each verb."""
    changes, learning, forgetting = Changes(runtime), LearningDesk(runtime), ForgettingDesk(runtime)
    return {
        **_reading(runtime),
        **_connecting(runtime),
        api.GetStatus: _plain(lambda _: status.status(runtime)),
        api.Reload: _plain(lambda _: _reload(runtime)),
        api.SetConfig: lambda verb, call: _set_config(runtime, verb, call),
        api.LookAtForgetting: forgetting.look,
        api.ForgetTurns: forgetting.forget,
        api.EndSession: _plain(lambda verb: _end_session(runtime, verb.id)),
        api.SwitchSkills: _plain(lambda verb: _switch_skills(runtime, verb)),
        api.AddSkill: changes.add_skill,
        api.EnableSkill: changes.enable,
        api.DisableSkill: changes.disable,
        api.RetireSkill: changes.retire,
        api.ApproveProposal: changes.approve,
        api.RejectProposal: changes.reject,
        api.Undo: changes.undo,
        api.GiveFeedback: learning.feedback,
        api.LearnNow: learning.now,
        api.ShowLearnStatus: _plain(lambda _: learning.status()),
        api.ShowSpend: _plain(learning.spend),
    }


def _reading(runtime: Runtime) -> Handlers:
    """Verbs that are one query. What was offered to the scribe is waited for, so that a listing shows it."""

    def query(work: Callable[[Db, Any], T]) -> Handler:
        async def handle(verb: Any, _call: Call) -> T:
            await runtime.scribe.flush(_FLUSH_SECONDS)
            return await runtime.store.aread(lambda db: work(db, verb))

        return handle

    return {
        api.ListTurns: query(lambda db, verb: record.list_turns(db, verb, runtime.settings)),
        api.ShowTurn: query(lambda db, verb: record.show_turn(db, verb.id, runtime.settings)),
        api.ListSessions: query(record.list_sessions),
        api.ShowSession: query(lambda db, verb: record.show_session(db, verb.id, runtime.settings)),
        api.ListNotices: query(lambda db, verb: status.notices(db, verb.limit)),
        api.ListLedger: query(lambda db, verb: record.list_ledger(db, verb.limit)),
        api.ListSkills: query(lambda db, _: library.list_skills(db)),
        api.ShowSkill: query(lambda db, verb: library.show_skill(db, verb.name, verb.version)),
        api.ShowSkillHistory: query(lambda db, verb: library.history(db, verb.name)),
        api.ExportSkills: query(lambda db, verb: library.export(db, verb.names)),
        api.SearchSkills: query(
            lambda db, verb: choosing.search(
                db, runtime.library.skills.live.snapshot, verb, runtime.settings.injection
            )
        ),
        api.ListReview: query(lambda db, verb: library.list_review(db, verb.all)),
        api.ShowProposal: query(lambda db, verb: library.show_proposal(db, verb.id)),
        api.ListGenerations: query(lambda db, verb: library.list_generations(db, verb.limit)),
        api.ShowGeneration: query(lambda db, verb: library.show_generation(db, verb.generation)),
    }


def _connecting(runtime: Runtime) -> Handlers:
    """Verbs on upstreams, agents and secrets; after a change the proxy learns of it at once."""

    def with_desk(work: Callable[[Connecting, Any], Awaitable[T]], *, changes: bool = False) -> Handler:
        async def handle(verb: Any, _call: Call) -> T:
            answer = await work(Connecting(runtime.settings_file, runtime.vault, runtime.url), verb)
            if changes:
                await runtime.apply()
            return answer

        return handle

    return {
        api.ListUpstreams: with_desk(lambda desk, _: desk.list_upstreams()),
        api.AddUpstream: with_desk(lambda desk, verb: desk.add_upstream(verb), changes=True),
        api.RemoveUpstream: with_desk(lambda desk, verb: desk.remove_upstream(verb.name), changes=True),
        api.UseUpstream: with_desk(lambda desk, verb: desk.use_upstream(verb.name, verb.agent), changes=True),
        api.TestUpstream: with_desk(lambda desk, verb: desk.test_upstream(verb.name)),
        api.ListAgents: with_desk(lambda desk, _: desk.list_agents()),
        api.AddAgent: with_desk(lambda desk, verb: desk.add_agent(verb), changes=True),
        api.RotateAgent: with_desk(lambda desk, verb: desk.rotate_agent(verb.name), changes=True),
        api.RemoveAgent: with_desk(lambda desk, verb: desk.remove_agent(verb.name), changes=True),
        api.ListSecrets: with_desk(lambda desk, _: desk.list_secrets()),
        api.SetSecret: with_desk(lambda desk, verb: desk.set_secret(verb.name, verb.value), changes=True),
        api.RemoveSecret: with_desk(lambda desk, verb: desk.remove_secret(verb.name), changes=True),
    }


def _plain(work: Callable[[Any], Awaitable[T]]) -> Handler:
    async def handle(verb: Any, _call: Call) -> T:
        return await work(verb)

    return handle


async def _reload(runtime: Runtime) -> api.Reloaded:
    before = {line.key: line.value for line in list_settings(runtime.settings)}
    await runtime.reload()
    after = {line.key: line.value for line in list_settings(runtime.settings)}
    changed = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    return api.Reloaded(changed=changed, restart=[key for key in changed if key in _AT_THE_NEXT_START])


async def _set_config(runtime: Runtime, verb: api.SetConfig, call: Call) -> api.Said:
    old = runtime.settings_file.get(verb.key)
    if needs_consent(verb.key, runtime.settings):
        await call.consent(
            f"change {verb.key}", f"{verb.key}\n  now:  {old}\n  then: {verb.value}", yes=verb.yes
        )
    await asyncio.to_thread(runtime.settings_file.set_text, verb.key, verb.value)
    await runtime.apply()
    later = " It counts from the next start." if verb.key in _AT_THE_NEXT_START else ""
    if verb.key == "secrets.backend":
        later += f" Until then keys stay in the {runtime.vault.backend}: give them after it."
    return api.Said(text=f"{verb.key} is {runtime.settings_file.get(verb.key)!r} now, was {old!r}.{later}")


async def _switch_skills(runtime: Runtime, verb: api.SwitchSkills) -> api.Said:
    await runtime.scribe.flush(_FLUSH_SECONDS)

    def switch(db: Db) -> str:
        found = record.find_session(db, verb.id)
        found.observe_only = not verb.on
        db.add(found)
        return found.id

    session_id = await runtime.store.awrite(switch)
    runtime.proxy.observe_session(session_id, only=not verb.on)
    if verb.on:
        return api.Said(text=f"Skills are put into the requests of {session_id} again.")
    said = f"Nothing is put into the requests of {session_id} any more; it is still learnt from."
    return api.Said(text=said)


async def _end_session(runtime: Runtime, session_id: str) -> api.Said:
    await runtime.scribe.flush(_FLUSH_SECONDS)
    found = await runtime.store.aread(lambda db: record.find_session(db, session_id))
    runtime.proxy.end_session(found.id)
    await runtime.scribe.flush(_FLUSH_SECONDS)
    return api.Said(text=f"The session {found.id} is over.")
