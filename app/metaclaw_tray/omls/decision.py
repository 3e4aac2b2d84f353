"""Whether training may run now, and why: one pure function from readings to a decision.

    before = Decision.first(at)
    before = decide(readings, rules, before)     # at each look

A window opens when a signal of the table holds and no veto does; it closes as soon as that is no longer so.
What the function remembers from look to look stands in the decision itself, so that a decision and the next
readings are all that is needed to go on, also after a restart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from metaclaw_tray.omls.readings import Readings, known
from metaclaw_tray.omls.rules import SETTLE, Rules
from metaclaw_tray.omls.table import SIGNALS, VETOES, Kind, Look

_NEAR = 30.0
_SOON, _LATER = 1.0, 30.0


@dataclass(frozen=True)
class Decision:
    """What was decided at one look.

    Attributes:
        at: When.
        open: Whether training may run.
        since: Since when it has been open, or closed.
        reasons: The signals that hold, the first of them the window's kind.
        vetoes: Names of the vetoes that hold; empty while open.
        away_since: When the person left, as far as is known: the last input, or the meeting's begin.
        expected_end: Until when the window will likely last; None where nothing says so.
        returned_at: The last waking of the machine or step of its clock; idleness counts from there.
        unsettled_at: When a veto that may come and go was last seen to hold.
    """

    at: datetime
    open: bool
    since: datetime
    reasons: tuple[Kind, ...] = ()
    vetoes: tuple[str, ...] = ()
    away_since: datetime | None = None
    expected_end: datetime | None = None
    returned_at: datetime | None = None
    unsettled_at: datetime | None = None

    @classmethod
    def first(cls, at: datetime) -> Decision:
        """Before anything was read: closed."""
        return cls(at=at, open=False, since=at)

    @property
    def kind(self) -> Kind | None:
        """What the window is, or would be if no veto held; None where nobody is known to be away."""
        return self.reasons[0] if self.reasons else None


def decide(readings: Readings, rules: Rules, before: Decision) -> Decision:
    """Decide by these readings, after `before`.

    A step of the clock backwards is taken for one that `readings.stepped` tells of: nothing opens on it.
    """
    stepped = readings.stepped or readings.at < before.at
    returned_at = readings.at if stepped else before.returned_at
    seen = _since_return(readings, returned_at, stepped)
    look = Look(seen, rules, before.open)
    reasons = tuple(signal.kind for signal in SIGNALS if signal.holds(look))
    until = _until(seen, reasons)
    manual = Kind.MANUAL in reasons
    look = replace(look, until=until)
    holding = [veto for veto in VETOES if veto.holds(look)]
    vetoes = tuple(veto.name for veto in holding if not (manual and veto.overruled))
    unsettled = any(veto.settles for veto in holding)
    unsettled_at = readings.at if unsettled else before.unsettled_at
    may = bool(reasons) and not vetoes
    if may and not before.open and not manual and _unsettled(readings.at, unsettled_at):
        may, vetoes = False, ("settling",)
    return Decision(
        at=readings.at,
        open=may,
        since=before.since if may == before.open and not stepped else readings.at,
        reasons=reasons,
        vetoes=vetoes,
        away_since=_away_since(seen, reasons),
        expected_end=until,
        returned_at=returned_at,
        unsettled_at=unsettled_at,
    )


def next_look(readings: Readings, rules: Rules, decision: Decision) -> float:
    """Seconds until the next look: 1 in a window, near a threshold or while something settles; 30 at most."""
    if decision.open or "settling" in decision.vetoes:
        return _SOON
    if decision.reasons:
        return _SOON if set(decision.vetoes) <= {"exchange", "stepped"} else _LATER / 3
    idle = known(readings.idle)
    wait = _LATER
    if idle is not None:
        thresholds = [rules.sleep_idle, rules.idle] if readings.sleep else [rules.idle]
        left = [threshold - idle for threshold in thresholds if threshold > idle]
        if left:
            wait = min(wait, max(_SOON, min(left) - _NEAR)) if min(left) > _NEAR else _SOON
    return wait


def _since_return(readings: Readings, returned_at: datetime | None, stepped: bool) -> Readings:
    """The readings with idleness counted from the last waking at most: who wakes the machine is there."""
    idle = known(readings.idle)
    if idle is not None and returned_at is not None:
        idle = min(idle, (readings.at - returned_at).total_seconds())
    if idle == readings.idle and stepped == readings.stepped:
        return readings
    return replace(readings, idle=idle, stepped=stepped)


def _until(readings: Readings, reasons: tuple[Kind, ...]) -> datetime | None:
    ends = [signal.until(readings) for signal in SIGNALS if signal.kind in reasons]
    return max((end for end in ends if end is not None), default=None)


def _unsettled(at: datetime, unsettled_at: datetime | None) -> bool:
    return unsettled_at is not None and timedelta() <= at - unsettled_at < SETTLE


def _away_since(readings: Readings, reasons: tuple[Kind, ...]) -> datetime | None:
    kind = reasons[0] if reasons else None
    if kind is Kind.MEETING and readings.meeting is not None:
        return readings.meeting.begin
    idle = known(readings.idle)
    if kind in (Kind.IDLE, Kind.SLEEP, Kind.LOCKED) and idle is not None:
        return readings.at - timedelta(seconds=min(idle, 7 * 86_400.0))
    return readings.at if kind is not None else None
