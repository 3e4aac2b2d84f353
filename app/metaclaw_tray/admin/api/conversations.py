"""What was said: exchanges by page, one of them whole, and the bytes of a turn as they are kept."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Row, Said, Verb
from metaclaw_tray.admin.api.record import EvidenceRow

Kind = Literal["main", "side"]
OutcomeFilter = Literal["", "good", "bad", "unscored", "failed"]
ThumbFilter = Literal["", "any", "up", "down"]


class ExchangeRow(Row, frozen=True):
    """One exchange in brief: what the person asked, and what became of it."""

    id: str  # of the exchange; of the turn, where a side turn belongs to none
    turn: str  # its last one; in a search the one that holds the words
    session: str
    agent: str
    at: datetime
    asked: str  # the beginning of the person's words, on one line
    answered: str  # the beginning of the last answer, on one line
    turns: int
    model: str
    upstream: str
    kind: str
    outcome: str  # of the last turn
    score: int | None  # the worst verdict that tells anything; None where it is unscored
    thumb: int  # 1, -1, or 0 where none was given
    skills: list[str]  # "name@version" that stood in front
    cost: float | None  # USD; None where no price is known
    snippet: str = ""  # of a search: a line around the words
    spans: list[tuple[int, int]] = field(default_factory=list)  # where they stand in it


class Exchanges(Row, frozen=True):
    """A page of them, the newest first."""

    rows: list[ExchangeRow]
    next: str  # `before` of the next page; "" at the end. A page may be short although more follow
    searchable: float  # the share of the record that can be searched, 0 to 1


class ListExchanges(Verb[Exchanges], frozen=True, kw_only=True, tag="conversations.list"):
    """Exchanges that hold all of this; with `text` those in which all its words were said."""

    text: str = ""
    before: str = ""
    limit: int = 50
    kind: Kind = "main"
    agent: str = ""
    model: str = ""
    outcome: OutcomeFilter = ""
    skill: str = ""  # any, none, or a name
    thumb: ThumbFilter = ""
    since: datetime | None = None
    until: datetime | None = None
    session: str = ""


class Facets(Row, frozen=True):
    agents: list[str]
    models: list[str]  # the most used first


class ListFacets(Verb[Facets], frozen=True, tag="conversations.facets.list"):
    """What there is to filter by."""


class VerdictRow(Row, frozen=True):
    score: int | None
    votes: list[int]
    reason: str
    kind: str  # what sort of failure
    by: str  # the judge's model, or `person`
    transient: bool = False  # the surroundings failed


class CallRow(Row, frozen=True):
    """One call of a tool, and what came back."""

    name: str
    arguments: str
    result: str
    failed: bool = False
    id: str = ""


class StepRow(Row, frozen=True):
    """One answer on the way."""

    turn: str  # "" where it is not known which turn gave it
    said: str
    calls: list[CallRow]
    outcome: str = "ok"
    error: str = ""
    model: str = ""
    upstream: str = ""
    dialect: str = ""
    at: datetime | None = None
    first_byte_ms: float | None = None
    total_ms: float | None = None
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    usage_estimated: bool = False
    cost: float | None = None
    verdict: VerdictRow | None = None
    aside: bool = False  # nothing went on from it: a retry, or what failed


class CarriedSkill(Row, frozen=True):
    name: str
    version: int
    here: bool  # put in front with this exchange; else it stood there from before
    active: bool  # whether the skill is live now


class TaughtSkill(Row, frozen=True):
    name: str
    state: str  # of the proposal: pending, approved, rejected …
    proposal: str


class ExchangeDetail(Row, frozen=True):
    row: ExchangeRow
    asked: str
    earlier: int  # messages that the conversation had before
    steps: list[StepRow]
    left_out: int  # steps before the first of these
    said_next: str  # what the person said to it
    skills: list[CarriedSkill]
    withheld: list[str]  # "name@version" that a trial kept away
    evidence: list[EvidenceRow]
    note: str  # of the thumb
    taught: list[TaughtSkill]
    side: int  # turns that the client made for itself meanwhile
    in_set: str = ""
    why_in_set: str = ""


class ShowExchange(Verb[ExchangeDetail], frozen=True, tag="conversations.show"):
    """By its id, that of one of its turns, or `last`."""

    id: str


class RawTurn(Row, frozen=True):
    """A turn as it is kept: redacted, cut to size, without what was put in front."""

    id: str
    request: str  # JSON
    answer: str  # JSON; "" where there is none
    cut: bool  # whether more is kept than is shown here


class ShowRaw(Verb[RawTurn], frozen=True, tag="turns.raw.show"):
    id: str
    limit: int = 400_000  # characters of each


class TakeBackFeedback(Verb[Said], frozen=True, tag="feedback.takeback"):
    """As if the thumb had not been given: what learning took from it meanwhile stays."""

    exchange: str
