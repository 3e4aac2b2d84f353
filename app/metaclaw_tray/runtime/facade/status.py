"""How the program is, in one row, and what did not happen."""

from __future__ import annotations

import asyncio
import os

from sqlmodel import Session as Db

from metaclaw_tray import __version__
from metaclaw_tray.admin import api
from metaclaw_tray.errors import SettingsError
from metaclaw_tray.omls.words import why_open
from metaclaw_tray.runtime.app import Runtime
from metaclaw_tray.runtime.facade.schedule import sentence
from metaclaw_tray.runtime.facade.training import NOT_SET_UP
from metaclaw_tray.runtime.scheduling import NO_TRAINING
from metaclaw_tray.settings import Retention, changed_keys
from metaclaw_tray.store import figures, retention, spend, trials, turns

_MEGABYTE = 1024 * 1024


async def status(runtime: Runtime) -> api.Status:
    totals = await runtime.store.aread(lambda db: figures.totals(db, runtime.clock.now()))
    spent = await runtime.store.aread(lambda db: spend.spent_today(db, runtime.clock.now()))
    return api.Status(
        version=__version__,
        pid=os.getpid(),
        home=str(runtime.paths.home),
        url=runtime.url,
        uptime_seconds=(runtime.clock.now() - runtime.started_at).total_seconds(),
        allow_scripted=runtime.allow_scripted,
        dropped_records=runtime.proxy.counters.dropped,
        queue=runtime.scribe.queue,
        open_window=_open_window(runtime),
        why_not=_why_not(runtime),
        upstream=runtime.connections.default,
        agents=len(runtime.settings.agents),
        generation=runtime.library.skills.generation,
        active_skills=totals.active_skills,
        pending_proposals=totals.pending_proposals,
        turns=totals.turns,
        learning=_learning(runtime),
        spent_today_usd=spent,
        day_limit_usd=runtime.settings.budget.day_usd,
        secrets=runtime.vault.backend,
        trouble=await trouble(runtime),
        kept=_kept(
            await runtime.store.aread(retention.used_bytes),
            await asyncio.to_thread(runtime.store.bytes_on_disk),
            runtime.settings.retention,
        ),
        trials=await runtime.store.aread(_trials),
        review=runtime.settings.review.policy,
        embedder=runtime.embedder.told(),
    )


async def trouble(runtime: Runtime) -> list[str]:
    """What the person should know or mend, a sentence each."""
    return [*await asyncio.to_thread(edited, runtime), *runtime.trouble()]


def _open_window(runtime: Runtime) -> str | None:
    decision = runtime.scheduler.decision
    return sentence(why_open(decision.kind)) if decision.open and decision.kind is not None else None


def _why_not(runtime: Runtime) -> str:
    said = runtime.scheduler.why_not()
    return NOT_SET_UP if said == NO_TRAINING else sentence(said)


def _trials(db: Db) -> list[str]:
    return [
        f"{trial.skill}@{trial.version}: {len(arms)} of {trial.sessions} sessions"
        for trial, arms in trials.running(db)
    ]


def notices(db: Db, limit: int) -> list[api.NoticeRow]:
    """What did not happen, and why, newest first."""
    return [
        api.NoticeRow(kind=each.kind, subject=each.subject, reason=each.reason, count=each.count, at=each.at)
        for each in turns.notices(db, limit=limit)
    ]


def _learning(runtime: Runtime) -> str:
    why_not = runtime.why_learning_waits()
    if why_not:
        return why_not
    target = runtime.connections.learning()
    return f"ready, with {target.model} on {target.name}"


def wrong(runtime: Runtime) -> list[str]:
    """What is wrong, where a person looks: where keys are kept is not, if they chose that place."""
    chosen = runtime.settings.secrets.backend == runtime.vault.backend
    return [each for each in runtime.trouble() if not chosen or each != runtime.vault.warning]


def edited_keys(runtime: Runtime) -> list[str]:
    """The settings that somebody changed in the file and that are not in force, those that take a yes
    first. Blocking. Raises SettingsError."""
    held = [each.key for each in runtime.settings_file.waiting()]
    return list(dict.fromkeys([*held, *changed_keys(runtime.settings, runtime.settings_file.read())]))


def edited(runtime: Runtime) -> list[str]:
    """What somebody made of the settings file meanwhile, which is not in force. Blocking."""
    try:
        changed = changed_keys(runtime.settings, runtime.settings_file.read())
        held = runtime.settings_file.waiting()
    except SettingsError as error:
        return [f"The settings file cannot be used, so the former settings are in force: {error.detail}"]
    told = [each.sentence for each in held]
    for each in held:
        changed.pop(each.key, None)
    if not changed:
        return told
    return [
        *told,
        f"The settings file was edited by hand: {', '.join(changed)}. That is not in force yet; "
        "`metaclaw-tray config reload` takes it up, as does a restart, or a command that changes a setting.",
    ]


def _kept(used: int, on_disk: int, kept: Retention) -> str:
    days = f"{kept.days} days" if kept.days else "for ever"
    limit = f" of {kept.size_mb}" if kept.size_mb else ""
    return f"{days}; {used / _MEGABYTE:.0f}{limit} MB, in files of {on_disk / _MEGABYTE:.0f} MB"
