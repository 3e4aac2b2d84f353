"""Trials on the hot path: which session has the skill that is tried, and which one has not.

All in memory. A session takes its place when the skill first fits something that is said in it; places go to
the two arms in turn, and are kept. Once a trial has all its sessions, others are served as if there were no
such skill.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from metaclaw_tray.store.records import ArmDecided, OfTrial, SkillWithheld
from metaclaw_tray.store.tables_learning import TrialArm


class RunningTrial(Struct, frozen=True):
    """A trial that goes on."""

    id: str
    skill: str
    version: int
    sessions: int  # both arms together
    arms: dict[str, str] = {}  # TrialArm, by session


class Trials:
    """The trials that go on, and the places in them."""

    def __init__(self) -> None:
        self._trials: dict[str, RunningTrial] = {}  # by skill

    def replace(self, running: Iterable[RunningTrial]) -> None:
        """These go on from now. Places that were given meanwhile are kept."""
        before = {each.id: each.arms for each in self._trials.values()}
        self._trials = {
            each.skill: RunningTrial(
                each.id, each.skill, each.version, each.sessions, {**each.arms, **before.get(each.id, {})}
            )
            for each in running
        }

    def withhold(
        self, skills: Sequence[str], session_id: str, anchor: bytes, at: float, *, remember: bool
    ) -> list[OfTrial]:
        """What trials say to these skills ("name@version") standing at an anchor: places that are given by
        this, and skills that the session does not get. Unless it is to `remember`, no place is given."""
        told: list[OfTrial] = []
        for skill in skills if self._trials else ():
            trial = self._trials.get(skill.partition("@")[0])
            if trial is None:
                continue
            arm = trial.arms.get(session_id)
            if arm is None and len(trial.arms) < trial.sessions:
                arm = TrialArm.WITHOUT if len(trial.arms) % 2 else TrialArm.WITH
                if remember:
                    trial.arms[session_id] = arm
                    told.append(ArmDecided(trial.id, session_id, arm, at))
            if arm != TrialArm.WITH:
                told.append(SkillWithheld(anchor, session_id, trial.skill, trial.version, trial.id, at))
        return told
