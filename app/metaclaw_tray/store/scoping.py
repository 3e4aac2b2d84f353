"""For which agents a skill is: all of them, or those that are named."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session as Db

from metaclaw_tray.store.library import skill_named
from metaclaw_tray.store.settling import Actor, Cause, Changed, settle, standing_of


def set_agents(db: Db, name: str, agents: Collection[str], who: Actor, now: datetime) -> Changed:
    """Let a skill take effect for these agents only, or for all where none is named.

    Its version stays. For the other agents the active library is another one, so a generation begins where
    the skill is active. Raises NotFoundError, or DecisionError where it is so already.
    """
    named = tuple(sorted(set(agents)))
    after = replace(standing_of(skill_named(db, name)), agents=named)
    return settle(db, name, after, Cause("scope", who, now, {}, f"{in_words(named)}, its text stays"))


def in_words(agents: Collection[str]) -> str:
    """For whom a skill is."""
    return f"for {', '.join(agents)} only" if agents else "for all agents"
