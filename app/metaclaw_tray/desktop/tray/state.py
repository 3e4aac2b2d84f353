"""What the icon says: one state, the one that matters most to the person."""

from __future__ import annotations

from enum import StrEnum

from metaclaw_tray.admin.api import Tray


class State(StrEnum):
    """Each has a shape of its own."""

    SERVING = "serving"
    LEARNING = "learning"
    TRAINING = "training"
    ATTENTION = "attention"  # something waits for the person
    PAUSED = "paused"  # by the person: learning rests, or nothing is injected
    TROUBLE = "trouble"


def state_of(tray: Tray) -> State:
    """What needs a hand comes first, then what goes on, then what the person chose."""
    if tray.trouble:
        return State.TROUBLE
    if tray.proposals or not any(each.chosen for each in tray.models):
        return State.ATTENTION
    if tray.training.state == "running":
        return State.TRAINING
    if tray.learning:
        return State.LEARNING
    if tray.paused or tray.observe_only:
        return State.PAUSED
    return State.SERVING
