"""Proposals: what would change the library, what is known for and against it, and what a person decides."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from msgspec import field

from metaclaw_tray.admin.api.base import Consented, Row, Said, Verb


class GateFigures(Row, frozen=True):
    passed: bool
    requests: int
    with_skill: float  # mean score, -1 to 1
    without_skill: float
    unscored: int
    reason: str
    outcome: str = ""  # better, promising, same, worse
    model: str = ""  # that answered
    judge: str = ""  # that graded
    figures: dict[str, Any] = field(default_factory=dict)  # pairs, wins, losses, ties …


class ProposalRow(Row, frozen=True):
    id: str
    op: str
    skill: str
    why: str
    evidence: list[str]  # ids of exchanges
    gate: GateFigures | None
    state: str = "pending"
    at: datetime | None = None
    taint: str = ""  # tool or web, where a part of it came from there
    outcome: str = ""  # of the gate, in words
    offered_at: datetime | None = None
    snoozed_until: datetime | None = None
    waits: str = ""  # why it is not put before the person now
    trial: str = ""  # running, where the skill is on trial


class ListReview(Verb[list[ProposalRow]], frozen=True, tag="review.list"):
    """What is put before the person."""

    all: bool = False  # decided ones, and those that wait, too
    waiting: bool = False  # those that wait too


class TrialRow(Row, frozen=True):
    id: str
    skill: str
    version: int
    state: str  # running, ended, stopped, kept
    reason: str
    sessions: int  # that are wanted
    placed: int  # that have their place
    words: str  # what it has shown
    started_at: datetime
    ended_at: datetime | None


class ProposalDetail(Row, frozen=True):
    proposal: ProposalRow
    text: str
    diff: str
    exchanges: list[Any]  # what taught it: request, answer, what the person said
    gate_details: list[Any]  # per replayed request: answers and scores
    source: str = ""  # where the rule came from, in a sentence
    trials: list[TrialRow] = field(default_factory=list)
    merges: list[str] = field(default_factory=list)  # skills that are retired with it
    digest: str = ""  # of what is shown here: a decision can be bound to it


class ShowProposal(Verb[ProposalDetail], frozen=True, tag="review.show"):
    id: str


class ApproveProposal(Consented[Said], frozen=True, kw_only=True, tag="review.approve"):
    id: str
    seen: str = ""  # digest of the view it was read in; a view that is stale approves nothing


class EditProposal(Consented[Said], frozen=True, kw_only=True, tag="review.edit"):
    """Approve with another text."""

    id: str
    text: str
    seen: str = ""


class RejectProposal(Consented[Said], frozen=True, kw_only=True, tag="review.reject"):
    id: str
    reason: str = ""


class SnoozeProposal(Verb[Said], frozen=True, kw_only=True, tag="review.snooze"):
    id: str
    seconds: float


def trial_terms(sessions: int) -> str:
    """What a person agrees to with a trial, before all that is known of the proposal."""
    return (
        f"For {sessions} sessions that it fits, every other one has it; the others have the version in force "
        "now, or no such skill where there is none. Then it is taken back, and the proposal waits for you."
    )


class TryProposal(Consented[Said], frozen=True, kw_only=True, tag="review.trial"):
    """Let it take effect in every other session that it fits, for so many sessions."""

    id: str
    sessions: int
    seen: str = ""


class Undo(Consented[Said], frozen=True, kw_only=True, tag="undo"):
    """Take back what an entry of the ledger did."""

    entry: str
