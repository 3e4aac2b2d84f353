"""What became of a skill: whether it helps, where it came from, and what an entry of the ledger did."""

from __future__ import annotations

from datetime import datetime

from msgspec import field

from metaclaw_tray.admin.api.base import Row, Verb
from metaclaw_tray.admin.api.record import LedgerRow
from metaclaw_tray.admin.api.review import GateFigures, TrialRow


class Mean(Row, frozen=True):
    mean: float
    low: float  # ends of the interval of 95 %
    high: float


class Rate(Row, frozen=True):
    count: int
    of: int
    low: float
    high: float


class ArmRow(Row, frozen=True):
    """Exchanges that have in common whether the skill stood in front of them."""

    sessions: int
    exchanges: int
    good: Rate  # judged exchanges with verdict +1
    bad: Rate  # with verdict -1
    tokens: Mean | None  # of an exchange, in and out; None for fewer than two
    seconds: Mean | None  # that an exchange's answers took


class TrialEffect(Row, frozen=True):
    trial: TrialRow
    with_skill: ArmRow
    without_skill: ArmRow
    helps: int = 0  # 1: better with it, -1: worse, 0: too few to tell
    against: int = 0  # the version that stood where the tried one was withheld; 0: no such skill


class Effect(Row, frozen=True):
    skill: str
    version: int | None  # None: all of them
    eligible: int  # sessions in which it was chosen
    injected: ArmRow
    withheld: ArmRow  # in trials only
    trials: list[TrialEffect]
    words: list[str]


class ShowEffect(Verb[Effect], frozen=True, tag="skills.effect"):
    name: str
    version: int | None = None


class TraceStep(Row, frozen=True):
    kind: str  # turn, verdict, claim, run, proposal, gate, decision, generation, exchange
    id: str
    at: datetime | None
    text: str


class TraceSkill(Verb[list[TraceStep]], frozen=True, tag="skills.trace"):
    """A skill from the first turn that went wrong to what became of the exchanges it was chosen for."""

    name: str


class LedgerDetail(Row, frozen=True):
    entry: LedgerRow
    undone_by: str = ""
    diff: str = ""  # what it changed in the text that is live
    proposal: str = ""
    why: str = ""  # the proposal's
    evidence: list[str] = field(default_factory=list)  # ids of exchanges
    gate: GateFigures | None = None
    outcome: str = ""  # of the gate, in words


class ShowLedger(Verb[LedgerDetail], frozen=True, tag="ledger.show"):
    id: str
