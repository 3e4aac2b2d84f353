"""The whole library brought back to what it was in a generation, as one decision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session as Db
from sqlmodel import select

from metaclaw_tray.store import library, membership
from metaclaw_tray.store.settling import Actor, Cause, Change, Changed, DecisionError, settle_all, standing_of
from metaclaw_tray.store.tables_library import Skill, SkillState


@dataclass(frozen=True)
class Returned:
    """What a return to a generation would do to one skill that is, or was, active."""

    name: str
    now: int  # the version that is active now; 0 where none is
    then: int  # and in that generation
    agents_now: tuple[str, ...] = ()
    agents_then: tuple[str, ...] = ()


def difference(db: Db, number: int) -> list[Returned]:
    """What comes and goes by a return to a generation, by name. Raises NotFoundError."""
    library.generation(db, number)
    then = {each.name: each for each in membership.members(db, number)}
    now = {each.name: each for each in db.exec(select(Skill).where(Skill.state == SkillState.ACTIVE))}
    found = []
    for name in sorted(then.keys() | now.keys()):
        was, is_now = then.get(name), now.get(name)
        each = Returned(
            name,
            is_now.version if is_now else 0,
            was.version if was else 0,
            tuple(is_now.agents) if is_now else (),
            tuple(was.agents) if was else (),
        )
        if (each.now, each.agents_now) != (each.then, each.agents_then):
            found.append(each)
    return found


def return_to(db: Db, number: int, who: Actor, now: datetime) -> Changed:
    """Make the members of a generation the active library again: one entry, one generation. What is active
    and was not then is disabled; nothing is lost.

    Raises NotFoundError, or DecisionError where the library is so already.
    """
    changes = []
    known = {each.name: each for each in db.exec(select(Skill))}  # at once: there may be ten thousand
    for each in difference(db, number):
        standing = standing_of(known[each.name])
        if each.then:
            after = replace(standing, state=SkillState.ACTIVE, version=each.then, agents=each.agents_then)
        else:
            after = replace(standing, state=SkillState.DISABLED)
        changes.append(Change(each.name, after))
    if not changes:
        raise DecisionError("Nothing changes", f"The library is as it was in generation {number}.")
    return settle_all(db, f"generation {number}", changes, Cause("return", who, now, {}))
