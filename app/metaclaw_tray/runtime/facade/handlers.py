"""Which function answers which verb."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from sqlmodel import Session as Db

from metaclaw_tray.admin import api
from metaclaw_tray.admin.server import Call, Handler, Handlers
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade import choosing, effects, library, record, reviewing, status
from metaclaw_tray.runtime.facade.beginning import BeginningDesk
from metaclaw_tray.runtime.facade.calendars import CalendarsDesk
from metaclaw_tray.runtime.facade.changes import Changes
from metaclaw_tray.runtime.facade.conversations import ConversationsDesk
from metaclaw_tray.runtime.facade.day import DayDesk
from metaclaw_tray.runtime.facade.deciding import Deciding
from metaclaw_tray.runtime.facade.extras import ExtrasDesk
from metaclaw_tray.runtime.facade.forgetting import ForgettingDesk
from metaclaw_tray.runtime.facade.learning import LearningDesk
from metaclaw_tray.runtime.facade.reading import Reading
from metaclaw_tray.runtime.facade.schedule import ScheduleDesk
from metaclaw_tray.runtime.facade.settings import SettingsDesk
from metaclaw_tray.runtime.facade.tending import Tending, diff_skill
from metaclaw_tray.runtime.facade.training import TrainingDesk
from metaclaw_tray.runtime.facade.tray import TrayDesk

T = TypeVar("T")

_FLUSH_SECONDS = 3.0


def handlers(runtime: Runtime) -> Handlers:
    """A handler for each verb."""
    changes, deciding = Changes(runtime), Deciding(runtime)
    learning, forgetting = LearningDesk(runtime), ForgettingDesk(runtime)
    schedule = ScheduleDesk(runtime.scheduler, runtime.store, runtime.clock)
    training = TrainingDesk(schedule, runtime.scheduler)
    settings = SettingsDesk(runtime)
    return {
        **_reading(runtime),
        **settings.handlers(),
        **CalendarsDesk(runtime, settings).handlers(),
        **TrayDesk(runtime, training).handlers(),
        **training.handlers(),
        **schedule.handlers(),
        **DayDesk(runtime, training.windows).handlers(),
        **BeginningDesk(runtime).handlers(),
        **ExtrasDesk(runtime).handlers(),
        **Reading(runtime).handlers(),
        **ConversationsDesk(runtime).handlers(),
        **Tending(runtime).handlers(),
        api.GetStatus: _plain(lambda _: status.status(runtime)),
        api.LookAtForgetting: forgetting.look,
        api.ForgetTurns: forgetting.forget,
        api.EndSession: _plain(lambda verb: _end_session(runtime, verb.id)),
        api.SwitchSkills: _plain(lambda verb: _switch_skills(runtime, verb)),
        api.AddSkill: changes.add_skill,
        api.EnableSkill: changes.enable,
        api.DisableSkill: changes.disable,
        api.RetireSkill: changes.retire,
        api.TrustSkill: changes.trust,
        api.ApproveProposal: deciding.approve,
        api.EditProposal: deciding.edit,
        api.RejectProposal: deciding.reject,
        api.SnoozeProposal: deciding.snooze,
        api.TryProposal: deciding.trial,
        api.Undo: changes.undo,
        api.GiveFeedback: learning.feedback,
        api.LearnNow: learning.now,
        api.MeasureJudge: learning.measure_judge,
        api.MeasureSkill: learning.measure_skill,
        api.ShowLearnStatus: _plain(lambda _: learning.status()),
        api.ShowSpend: _plain(learning.spend),
    }


def _reading(runtime: Runtime) -> Handlers:
    """Verbs that are one query. What was offered to the scribe is waited for, so that a listing shows it, and
    what happens to proposals by itself is done before they are shown."""

    def query(work: Callable[[Db, Any], T], *, settled: bool = False) -> Handler:
        async def handle(verb: Any, _call: Call) -> T:
            await runtime.scribe.flush(_FLUSH_SECONDS)
            if settled:
                await runtime.reviewing.settle()
            return await runtime.store.aread(lambda db: work(db, verb))

        return handle

    return {
        api.ListTurns: query(lambda db, verb: record.list_turns(db, verb, runtime.settings)),
        api.ShowTurn: query(
            lambda db, verb: record.show_turn(db, verb.id, runtime.settings, runtime.clock.now())
        ),
        api.ListSessions: query(record.list_sessions),
        api.ShowSession: query(lambda db, verb: record.show_session(db, verb.id, runtime.settings)),
        api.ListNotices: query(lambda db, verb: status.notices(db, verb.limit)),
        api.ListLedger: query(lambda db, verb: record.list_ledger(db, verb.limit)),
        api.ListSkills: query(library.list_skills, settled=True),
        api.ShowSkill: query(lambda db, verb: library.show_skill(db, verb.name, verb.version)),
        api.ShowSkillHistory: query(lambda db, verb: library.history(db, verb.name)),
        api.DiffSkill: query(diff_skill),
        api.ExportSkills: query(library.export),
        api.SearchSkills: query(
            lambda db, verb: choosing.search(
                db, runtime.library.skills.live.snapshot, verb, runtime.settings.injection
            )
        ),
        api.ListReview: query(
            lambda db, verb: reviewing.list_review(db, verb, runtime.settings.review, runtime.clock.now()),
            settled=True,
        ),
        api.ShowProposal: query(
            lambda db, verb: reviewing.show_proposal(
                db, verb.id, runtime.settings.review, runtime.clock.now()
            ),
            settled=True,
        ),
        api.ShowEffect: query(lambda db, verb: effects.show_effect(db, verb.name, verb.version)),
        api.TraceSkill: query(lambda db, verb: effects.trace(db, verb.name)),
        api.ShowLedger: query(lambda db, verb: effects.show_ledger(db, verb.id)),
        api.ListGenerations: query(
            lambda db, verb: library.list_generations(db, verb.limit, runtime.clock.now())
        ),
        api.ShowGeneration: query(
            lambda db, verb: library.show_generation(db, verb.generation, runtime.clock.now())
        ),
    }


def _plain(work: Callable[[Any], Awaitable[T]]) -> Handler:
    async def handle(verb: Any, _call: Call) -> T:
        return await work(verb)

    return handle


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
        said = f"Skills are put into the requests of {session_id} again; those that stood there stand again."
    else:
        said = (
            f"Nothing is put into the requests of {session_id} any more, also not again what stands there "
            "already, so the provider's prompt cache begins anew once; it is still learnt from."
        )
    return api.Said(text=said)


async def _end_session(runtime: Runtime, session_id: str) -> api.Said:
    await runtime.scribe.flush(_FLUSH_SECONDS)
    found = await runtime.store.aread(lambda db: record.find_session(db, session_id))
    runtime.proxy.end_session(found.id)
    await runtime.scribe.flush(_FLUSH_SECONDS)
    return api.Said(text=f"The session {found.id} is over.")
