"""What happened: turns, sessions, thumbs, money, and who changed what."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Row, Said, Verb


class TurnRow(Row, frozen=True):
    id: str
    exchange: str | None
    session: str
    agent: str
    kind: str
    outcome: str
    generation: int
    skills: list[str]  # "name@version" that stood in the request
    claim: str | None  # what its exchange is used for
    verdict: int | None  # -1, 0, 1; None where it is unscored
    cost: float | None  # USD; None where a price is not known
    model: str = ""
    at: datetime | None = None
    dialect: str = ""
    upstream: str = ""  # who answered
    input_tokens: int = 0
    cached_tokens: int = 0  # a part of the input, as is the next
    cache_write_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0  # a part of the output
    usage_estimated: bool = False  # the upstream did not count


class ListTurns(Verb[list[TurnRow]], frozen=True, tag="turns.list"):
    """The latest first."""

    limit: int = 50
    session: str | None = None
    agent: str | None = None
    exchange: str | None = None
    kind: Literal["", "main", "side"] = ""
    model: str = ""
    outcome: Literal["", "good", "bad", "unscored", "failed"] = ""  # of its exchange; failed is of the turn
    skill: str = ""  # any, none, or the name of one that stood in front of its exchange
    thumb: Literal["", "any", "up", "down"] = ""
    since: datetime | None = None
    until: datetime | None = None

    @property
    def narrowed(self) -> bool:
        """Whether more is asked than where it was said."""
        return any((self.kind, self.model, self.outcome, self.skill, self.thumb, self.since, self.until))


class EvidenceRow(Row, frozen=True):
    kind: str
    value: int
    origin: str
    text: str
    at: datetime


class TurnDetail(Row, frozen=True):
    turn: TurnRow
    upstream: str
    status: int
    error: str
    messages: list[Any]  # the path of the request, as stored: redacted
    answer: Any
    block: str  # what was put in front of the model for this exchange
    reason: str  # of the verdict
    evidence: list[EvidenceRow]
    input_tokens: int
    output_tokens: int
    usage_estimated: bool
    first_byte_ms: float | None
    total_ms: float | None
    in_set: str = ""  # its exchange's: support, train, holdout, reserved, withheld, barred, unscored, query
    why_in_set: str = ""


class ShowTurn(Verb[TurnDetail], frozen=True, tag="turns.show"):
    """By its id, the beginning of it, or `last`."""

    id: str


class LearntSkill(Row, frozen=True):
    name: str
    version: int
    state: str


class ForgetOutlook(Row, frozen=True):
    """What would go, and what would stay."""

    turns: int
    exchanges: int
    sessions: int
    messages: int | None  # that no turn that stays needs; None where there are too many to count
    bytes: int | None
    first_at: datetime | None
    last_at: datetime | None
    shared: int | None  # messages that stay, because turns that stay need them
    under_way: int  # turns that stay because they have not ended
    claims: int  # that stay: what taught something never teaches something else
    proposals: list[str]  # that wait for the person and would be withdrawn
    skills: list[LearntSkill]  # learnt from these turns; they stay until the person retires them
    copies: list[
        str
    ]  # files that were put by before updates and would be removed, because they hold these turns
    until: datetime  # the moment of this look


class LookAtForgetting(Verb[ForgetOutlook], frozen=True, kw_only=True, tag="turns.forget.look"):
    """What forgetting these turns would do. All conditions that are given must hold; one is needed."""

    turns: list[str] = field(default_factory=list)  # ids, their beginnings, or `last`
    session: str = ""
    exchange: str = ""  # or the id of one of its turns, or `last`
    agent: str = ""
    before: datetime | None = None


class Forgotten(Row, frozen=True):
    turns: int
    exchanges: int
    sessions: int
    messages: int
    withdrawn: list[str]  # proposals
    skills: list[LearntSkill]


class ForgetTurns(Verb[Forgotten], frozen=True, kw_only=True, tag="turns.forget"):
    """Forget them, as they were at the moment of the look: whoever asks has shown that and heard a yes."""

    turns: list[str] = field(default_factory=list)
    session: str = ""
    exchange: str = ""
    agent: str = ""
    before: datetime | None = None
    until: datetime


class SessionRow(Row, frozen=True):
    id: str
    agent: str
    started_at: datetime
    last_at: datetime
    ended_at: datetime | None
    end_reason: str | None
    exchanges: int
    turns: int
    skills: bool = True  # whether skills may be put into its requests
    trials: list[str] = field(default_factory=list)  # skills that are tried there, each with its arm


class ListSessions(Verb[list[SessionRow]], frozen=True, tag="sessions.list"):
    limit: int = 50
    agent: str | None = None


class SessionDetail(Row, frozen=True):
    session: SessionRow
    turns: list[TurnRow]


class ShowSession(Verb[SessionDetail], frozen=True, tag="sessions.show"):
    id: str


class EndSession(Verb[Said], frozen=True, tag="sessions.end"):
    id: str


class SwitchSkills(Verb[Said], frozen=True, tag="sessions.skills"):
    """Put skills into one session's requests, or nothing at all while it is learnt from."""

    id: str
    on: bool


class GiveFeedback(Verb[Said], frozen=True, tag="feedback"):
    """Thumbs for an exchange, by its id or `last`."""

    exchange: str
    thumb: Literal["up", "down"]
    note: str = ""


class SpendRow(Row, frozen=True):
    """Calls added up: of agents to their models, or of learning to its own."""

    key: str  # a day (UTC), an agent, upstream/model, or a purpose: main, side; judge, evolver, gate
    calls: int
    input_tokens: int
    cached_tokens: int  # a part of the input, as is the next
    cache_write_tokens: int
    output_tokens: int
    reasoning_tokens: int  # a part of the output
    usd: float | None  # of the calls whose price is known; None where no call's is
    unpriced: int  # calls whose price is not known
    estimated: int  # calls whose tokens the upstream did not count
    unsettled: int  # calls of learning whose reservation counts in full, for their end is not known


class Spend(Row, frozen=True):
    day_usd: float  # what learning cost today
    month_usd: float
    day_limit_usd: float
    month_limit_usd: float
    days: int
    by: str
    agents: list[SpendRow]
    agents_total: SpendRow
    learning: list[SpendRow]
    learning_total: SpendRow
    price_table: str  # where prices come from that the person did not give; "" where none is needed


class ShowSpend(Verb[Spend], frozen=True, tag="spend.show"):
    """What agents and what learning cost in the last days, today among them; days are those of UTC."""

    days: int = 30
    by: Literal["day", "agent", "model", "purpose"] = "day"


class LedgerRow(Row, frozen=True):
    id: str
    at: datetime
    action: str
    subject: str
    actor: str
    channel: str  # terminal, scripted, tray, automatic …
    ancestry: list[str]
    generation: int
    undone: bool
    before: dict[str, Any] = field(default_factory=dict)  # of settings: key and value
    after: dict[str, Any] = field(default_factory=dict)


class ListLedger(Verb[list[LedgerRow]], frozen=True, tag="ledger.list"):
    limit: int = 50
