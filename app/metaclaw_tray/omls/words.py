"""A decision in one sentence, for the tray, the window, the log and the command line."""

from __future__ import annotations

from metaclaw_tray.omls.decision import Decision
from metaclaw_tray.omls.readings import Readings, known
from metaclaw_tray.omls.rules import Rules
from metaclaw_tray.omls.table import SIGNALS, VETOES, Kind

_SIGNAL_WORDS = {signal.kind: signal.words for signal in SIGNALS}
_VETO_WORDS = {veto.name: veto.words for veto in VETOES}


def why_open(kind: Kind) -> str:
    """Why a window of this kind is open."""
    return _SIGNAL_WORDS[kind]


def what_ended(before: Decision, after: Decision, readings: Readings) -> str:
    """What was over by itself when the window closed between two looks, without a full stop; "" where the
    person or a veto closed it, or none closed."""
    if not before.open or after.open or after.vetoes:
        return ""
    if before.kind is Kind.MEETING and readings.meeting is None:
        return "the meeting ends"
    if before.kind is Kind.SLEEP and readings.sleep is None:
        return "your sleep hours are over"
    return ""


def why_not(decision: Decision, readings: Readings, rules: Rules) -> str:
    """Why no training runs now, without a full stop; "" where it may run.

    What waiting cannot mend comes first: it is of no use to hear of a meeting when no prompt is there.
    """
    if decision.open:
        return ""
    if "unready" in decision.vetoes:
        return readings.unready
    if "stopped" in decision.vetoes:
        return _VETO_WORDS["stopped"]
    if "stepped" in decision.vetoes:
        return _VETO_WORDS["stepped"]
    if not decision.reasons:
        return _present(readings, rules)
    if "settling" in decision.vetoes:
        return "the computer has only just come to rest"
    return _VETO_WORDS[decision.vetoes[0]] if decision.vetoes else _present(readings, rules)


def _present(readings: Readings, rules: Rules) -> str:
    idle = known(readings.idle)
    if idle is None:
        return "it cannot be seen here whether you are at the computer"
    if readings.occupied is None:
        return "it cannot be seen whether you are in a call"
    if readings.occupied and idle >= rules.idle:
        return "you are in a call, or something keeps the screen awake"
    if idle < 60:
        return "you are at the computer"
    minutes = int(idle // 60)
    return f"you were at the computer {minutes} minute{'s' if minutes != 1 else ''} ago"
