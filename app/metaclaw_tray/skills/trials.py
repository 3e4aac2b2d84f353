"""Trials on the hot path: which session has the skill that is tried, and which one has not.

All in memory. A session takes its place when the skill first fits something that is said in it; places go to
the two arms in turn, and are kept. Once a trial has all its sessions, others are served as if there were no
trial. Where it is an update that is tried, the version before it stands where the new one is kept back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from msgspec import Struct

from metaclaw_tray.skills.live import LiveSkill, Version, build_snapshot
from metaclaw_tray.skills.markdown import read_skill
from metaclaw_tray.skills.retrieval import Index
from metaclaw_tray.store.records import ArmDecided, OfTrial, SkillWithheld
from metaclaw_tray.store.tables_learning import TrialArm


@dataclass(frozen=True)
class Previous:
    """The version before the one that is tried, ready to stand in its place."""

    skill: LiveSkill
    found_by: Index | None  # None: by the very same words as the new one

    def fits(self, query: str) -> bool:
        """Whether it would have been found for these words."""
        return self.found_by is None or bool(self.found_by.find(query, 1))


def previous(before: Version, tried: Version) -> Previous | None:
    """The version before, or None where it cannot be put in front of a model; blocking."""
    snapshot = build_snapshot(0, [before])
    skill = snapshot.skills.get(before.name)
    if skill is None:
        return None
    old, new = (read_skill(each.text, each.name, each.name) for each in (before, tried))
    same = (old.description, old.triggers) == (new.description, new.triggers)
    return Previous(skill, None if same else snapshot.index)


class RunningTrial(Struct, frozen=True):
    """A trial that goes on."""

    id: str
    skill: str
    version: int
    sessions: int  # both arms together
    arms: dict[str, str] = {}  # TrialArm, by session
    before: Previous | None = None  # None where there was no such skill before


class Trials:
    """The trials that go on, and the places in them."""

    def __init__(self) -> None:
        self._trials: dict[str, RunningTrial] = {}  # by skill

    def replace(self, running: Iterable[RunningTrial]) -> None:
        """These go on from now. Places that were given meanwhile are kept."""
        before = {each.id: each.arms for each in self._trials.values()}
        self._trials = {
            each.skill: RunningTrial(
                each.id,
                each.skill,
                each.version,
                each.sessions,
                {**each.arms, **before.get(each.id, {})},
                each.before,
            )
            for each in running
        }

    def stand_ins(self, names: Collection[str], query: str) -> dict[str, LiveSkill]:
        """Of these skills that a session does not get as they are tried: the versions before, where they fit
        these words."""
        found = {name: trial.before for name in names if (trial := self._trials.get(name)) is not None}
        return {name: each.skill for name, each in found.items() if each is not None and each.fits(query)}

    def withhold(
        self, skills: Sequence[str], session_id: str, anchor: bytes, at: float, *, remember: bool
    ) -> list[OfTrial]:
        """What trials say to these skills ("name@version") standing at an anchor: places that are given by
        this, and skills that the session does not get as they are tried. Unless it is to `remember`, no place
        is given."""
        told: list[OfTrial] = []
        for skill in skills if self._trials else ():
            name, _, version = skill.partition("@")
            trial = self._trials.get(name)
            if trial is None:
                continue
            instead = trial.before.skill.version if trial.before is not None else 0
            if version == str(instead):  # it stands in for the tried one already
                continue
            arm = trial.arms.get(session_id)
            if arm is None and len(trial.arms) < trial.sessions:
                arm = TrialArm.WITHOUT if len(trial.arms) % 2 else TrialArm.WITH
                if remember:
                    trial.arms[session_id] = arm
                    told.append(ArmDecided(trial.id, session_id, arm, at))
            if arm != TrialArm.WITH:
                told.append(
                    SkillWithheld(anchor, session_id, trial.skill, trial.version, trial.id, at, instead)
                )
        return told
