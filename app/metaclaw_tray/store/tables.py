"""The tables, in the words of the design. Times are UTC; nodes are 16 bytes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import BigInteger, TypeDecorator
from sqlmodel import Field, SQLModel


def moment(value: datetime) -> int:
    """An aware moment as it is kept: whole microseconds since 1970."""
    if value.tzinfo is None:
        raise ValueError("a naive time reached the store")
    return round(value.timestamp() * 1_000_000)


class UtcTime(TypeDecorator[datetime]):
    """An aware moment, kept as whole microseconds since 1970 so that order and equality are exact."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return None if value is None else moment(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else datetime.fromtimestamp(value / 1_000_000, UTC)


def _time(*, nullable: bool = False, index: bool = False) -> Any:
    return Field(default=None, sa_column=Column(UtcTime, nullable=nullable, index=index))


def _json() -> Any:
    return Field(default=None, sa_column=Column(JSON, nullable=False))


def _added(default: int | bool | str) -> Any:
    """A column that came after the first version: rows that were there have the default."""
    said = f"'{default}'" if isinstance(default, str) else str(int(default))
    return Field(default=default, sa_column_kwargs={"server_default": text(said)})


def _added_json(default: str) -> Any:
    """The same for JSON."""
    made: Callable[[], Any] = dict if default == "{}" else list
    return Field(
        default_factory=made, sa_column=Column(JSON, nullable=False, server_default=text(f"'{default}'"))
    )


# Conditions of partial indexes. A query must say them in these very words for SQLite to use the index.
IS_OPEN = "outcome = 'open'"  # of a turn
OBSERVED = "observe_only = 1"  # of a session
TEACHES = "score = -1 OR instruction <> ''"  # of a verdict
OPEN_SPAN = "until IS NULL"  # of a membership


def tag(node: bytes) -> str:
    """A node as text, short enough to chain: the first 8 of its 16 bytes in hex."""
    return node[:8].hex()


class TurnKind(StrEnum):
    MAIN = "main"
    SIDE = "side"


class TurnOutcome(StrEnum):
    """How a turn ended, as the wire saw it."""

    OPEN = "open"  # begun; no end has been recorded
    OK = "ok"
    FAILED = "failed"  # an error status, or an error inside a 200
    CUT = "cut"  # the upstream stopped in the middle
    GONE = "gone"  # the client left before the end
    LOST = "lost"  # the program ended before the end was recorded


class ClaimUse(StrEnum):
    """What an exchange is used for: once, and for ever."""

    SUPPORT = "support"
    TRAIN = "train"
    HOLDOUT_SKILL = "holdout_skill"
    HOLDOUT_POLICY = "holdout_policy"


class SkillState(StrEnum):
    ACTIVE = "active"
    DISABLED = "disabled"
    RETIRED = "retired"


class SkillSource(StrEnum):
    BUILTIN = "builtin"
    LEARNT = "learnt"
    PERSON = "person"
    IMPORTED = "imported"


class ProposalOp(StrEnum):
    CREATE = "create"
    UPDATE = "update"
    RETIRE = "retire"
    OUTSIDE = "outside"  # somebody changed the skills folder


class ProposalState(StrEnum):
    PENDING = "pending"  # waits for the person
    APPROVED = "approved"
    REJECTED = "rejected"
    REFUSED = "refused"  # the gate or a check turned it down; the person may still read it


class RunState(StrEnum):
    STARTED = "started"
    PROPOSED = "proposed"
    NOTHING = "nothing"  # the evolver saw nothing to learn
    REFUSED = "refused"
    FAILED = "failed"


class Meta(SQLModel, table=True):
    """Facts about the file itself: schema version, the key of the nodes."""

    key: str = Field(primary_key=True)
    value: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Message(SQLModel, table=True):
    """One message of a conversation, stored once, redacted."""

    id: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))  # hash of the canonical form
    role: str
    body: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # canonical JSON, redacted
    size: int  # bytes as the client sent it
    redactions: int = 0
    cuts: int = _added(0)  # parts that were cut to size or left out


class Node(SQLModel, table=True):
    """A place in the conversation tree: keyed hash of (parent, message)."""

    id: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    parent: bytes | None = Field(sa_column=Column(LargeBinary, nullable=True, index=True))
    message_id: bytes = Field(sa_column=Column(LargeBinary, nullable=False, index=True))
    depth: int  # 1 for the first message


class Session(SQLModel, table=True):
    """A client's own session, or one derived from the root of its tree."""

    __table_args__ = (Index("session_observed", "id", sqlite_where=text(OBSERVED)),)

    id: str = Field(primary_key=True)
    agent: str = Field(index=True)
    root: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    started_at: datetime = _time(index=True)
    last_at: datetime = _time()
    ended_at: datetime | None = _time(nullable=True)
    end_reason: str | None = None
    observe_only: bool = _added(False)  # nothing is put into its requests


class Exchange(SQLModel, table=True):
    """All main turns of a thread from one message by the person to the next."""

    __table_args__ = (UniqueConstraint("session_id", "opening"),)

    id: str = Field(primary_key=True)
    session_id: str = Field(index=True, foreign_key="session.id")
    agent: str
    opening: bytes = Field(sa_column=Column(LargeBinary, nullable=False, index=True))  # the person's message
    lineage: str  # tags of the opening nodes on the path, oldest first, this one last, parted by '/'
    generation: int = Field(index=True)
    started_at: datetime = _time(index=True)


class Turn(SQLModel, table=True):
    """One request and its answer."""

    __table_args__ = (
        Index("turn_in_session", "session_id", "id"),
        Index("turn_on_path", "request_node", "session_id", "id"),
        Index("turn_open", "id", sqlite_where=text(IS_OPEN)),
        Index("turn_followed", "next_turn_id", sqlite_where=text("next_turn_id IS NOT NULL")),
    )

    id: str = Field(primary_key=True)
    exchange_id: str | None = Field(default=None, index=True, foreign_key="exchange.id")
    session_id: str = Field(foreign_key="session.id")
    agent: str
    kind: str
    outcome: str
    dialect: str
    upstream: str
    model: str
    status: int = 0  # HTTP status of the upstream's answer; 0 before there is one
    error: str = ""  # what went wrong, in a few words
    request_node: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    answer_node: bytes | None = Field(sa_column=Column(LargeBinary, nullable=True, index=True))
    system_id: bytes | None = Field(sa_column=Column(LargeBinary, nullable=True, index=True))  # Message
    # Message: the request less its messages (tools, temperature …), stored once like a message
    settings_id: bytes | None = Field(sa_column=Column(LargeBinary, nullable=True, index=True))
    generation: int
    retry_of: str | None = None
    next_turn_id: str | None = None
    next_origin: str = ""  # whether the person spoke in the next state: person or tool
    finish_reason: str = ""
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    usage_estimated: bool = False
    truncated: bool = False  # the answer was larger than what is kept
    begun_at: datetime = _time(index=True)
    first_byte_at: datetime | None = _time(nullable=True)
    ended_at: datetime | None = _time(nullable=True)
    cache_write_tokens: int = _added(0)  # a part of the input
    reasoning_tokens: int = _added(0)  # a part of the output
    cache_write_hour_tokens: int = _added(0)  # a part of what is written to the cache
    cost_usd: float | None = None  # what it cost by the prices of its day; None where none was known


class DayCost(SQLModel, table=True):
    """What the turns of one day cost, added up by triggers as they end. It outlives them: what was spent
    stays spent when a turn is forgotten."""

    __tablename__ = "day_cost"
    __table_args__ = ({"sqlite_with_rowid": False},)

    day: int = Field(primary_key=True)  # since 1970, UTC
    agent: str = Field(primary_key=True)
    upstream: str = Field(primary_key=True)
    model: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    priced: bool = Field(primary_key=True)  # whether what they cost was known
    turns: int
    estimated: int  # turns whose tokens the upstream did not count
    input_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    cache_write_hour_tokens: int
    output_tokens: int
    reasoning_tokens: int
    usd: float


class Injection(SQLModel, table=True):
    """The bytes that stand behind an anchor, for ever. Two sessions may begin alike and hold their own."""

    anchor: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    session_id: str = Field(primary_key=True)
    block: str
    skills: list[str] = _json()  # "name@version"
    tokens: int
    generation: int
    at: datetime = _time(index=True)


class Thread(SQLModel, table=True):
    """An answer that an upstream keeps, so that an agent goes on with it by its id."""

    response_id: str = Field(primary_key=True)
    agent: str = Field(primary_key=True)
    session_id: str = Field(index=True)
    tip: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # the node of the answer
    openings: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # nodes, joined
    headed: bool  # the first block stood in what travels with each request
    at: datetime = _time(index=True)

    @property
    def nodes(self) -> tuple[bytes, ...]:
        """The nodes of `openings`, oldest first."""
        return tuple(self.openings[at : at + 16] for at in range(0, len(self.openings), 16))


class Verdict(SQLModel, table=True):
    """The PRM's judgement of one turn. `score` is None where it is unscored, which is never 0."""

    __table_args__ = (Index("verdict_teaches", "id", sqlite_where=text(TEACHES)),)

    id: str = Field(primary_key=True)
    turn_id: str = Field(unique=True, foreign_key="turn.id")
    exchange_id: str = Field(index=True, foreign_key="exchange.id")
    score: int | None
    votes: list[int] = _json()
    reason: str
    kind: str = ""  # what sort of failure, in a few words; clusters form by it
    instruction: str = ""  # the standing instruction the person gave, if any
    model: str
    at: datetime = _time(index=True)
    transient: bool = _added(False)  # the surroundings failed (network, rate limit): it teaches nothing
    guilty_turn_id: str | None = None  # the turn at fault, where it is an earlier one of the exchange
    rubric: str = _added("")  # by which rules it was judged: the kind of turn

    @property
    def scored(self) -> bool:
        return self.score is not None


class Due(SQLModel, table=True):
    """A turn that waits for its verdict: written with the next state, removed with the verdict."""

    turn_id: str = Field(primary_key=True, foreign_key="turn.id")
    at: datetime = _time()


class Evidence(SQLModel, table=True):
    """One piece that says how an exchange went."""

    id: str = Field(primary_key=True)
    exchange_id: str = Field(index=True, foreign_key="exchange.id")
    turn_id: str | None = None
    # verdict, correction, repetition, thanks, instruction, feedback, tool_error, tool_repaired,
    # transient, cut
    kind: str
    value: int  # -1, 0 or 1
    origin: str  # person, model, tool, web
    text: str = ""
    at: datetime = _time(index=True)


class Run(SQLModel, table=True):
    """One run of the evolver, from its claims to its proposal."""

    id: str = Field(primary_key=True)
    cluster: str
    state: str
    reason: str = ""
    exchanges: list[str] = _json()
    model: str
    started_at: datetime = _time(index=True)
    ended_at: datetime | None = _time(nullable=True)


class Claim(SQLModel, table=True):
    """This exchange is used for this, and for nothing else, ever. Triggers forbid change and conflict."""

    exchange_id: str = Field(primary_key=True, foreign_key="exchange.id")
    use: str
    opening: str = Field(index=True)  # tag of the exchange's opening node
    lineage: str  # as in the exchange
    run_id: str
    at: datetime = _time()

    __table_args__ = (
        CheckConstraint("use IN ('support', 'train', 'holdout_skill', 'holdout_policy')", name="claim_use"),
    )


class Skill(SQLModel, table=True):
    """One skill: what it is now. Its texts are its versions."""

    name: str = Field(primary_key=True)
    state: str
    source: str
    trust: str
    version: int  # the version in force
    changed_at: datetime = _time()
    agents: list[str] = _added_json("[]")  # the agents it is for; all of them where none is named
    origin: str = _added("")  # where an imported skill came from


class SkillVersion(SQLModel, table=True):
    """The approved bytes of one version of one skill."""

    name: str = Field(primary_key=True, foreign_key="skill.name")
    version: int = Field(primary_key=True)
    text: str  # the whole SKILL.md
    digest: str  # sha256 of its UTF-8 bytes
    description: str
    proposal_id: str | None = None
    at: datetime = _time()


class Generation(SQLModel, table=True):
    """The library after one change of it. Generation 0 is the empty library."""

    number: int = Field(primary_key=True)
    why: str
    ledger_id: str | None = None
    at: datetime = _time()


class Membership(SQLModel, table=True):
    """A skill's version that was active from one generation on, until another (`store.membership`)."""

    __table_args__ = (Index("membership_open", "name", sqlite_where=text(OPEN_SPAN)),)

    name: str = Field(primary_key=True)
    since: int = Field(primary_key=True, foreign_key="generation.number")
    version: int
    agents: list[str] = _json()  # the agents it was for; all of them where none is named
    until: int | None = None  # the first generation in which it was so no longer


class Proposal(SQLModel, table=True):
    """A change to the library that waits for the person."""

    id: str = Field(primary_key=True)
    op: str
    skill: str = Field(index=True)
    base_version: int  # 0 for a new skill
    text: str  # the whole SKILL.md as proposed; empty for retire
    why: str
    exchanges: list[str] = _json()
    run_id: str | None = None
    state: str = Field(index=True)
    reason: str = ""  # why it was refused or rejected
    created_at: datetime = _time(index=True)
    decided_at: datetime | None = _time(nullable=True)
    taint: str = _added("")  # tool or web, where a part of it came from there; the person is shown it
    offered_at: datetime | None = _time(nullable=True)  # when it was put before the person; None: it waits
    snoozed_until: datetime | None = _time(nullable=True)
    merges: list[str] = _added_json("[]")  # skills that are retired when it is approved


class GateResult(SQLModel, table=True):
    """What was measured before a proposal was offered."""

    proposal_id: str = Field(primary_key=True, foreign_key="proposal.id")
    passed: bool
    requests: int  # how many requests were replayed
    with_skill: float  # mean score of the answers with the skill, -1 to 1
    without_skill: float
    unscored: int  # pairs the judge could not score
    details: list[Any] = _json()  # per request: origin, request, answers, scores
    reason: str
    at: datetime = _time()
    outcome: str = _added("")  # better, promising, same, worse; empty where it was not said yet
    model: str = _added("")  # that answered
    judge: str = _added("")  # that graded
    figures: dict[str, Any] = _added_json("{}")  # pairs, wins, losses, ties, harm, interval, stop, cost


class Ledger(SQLModel, table=True):
    """Who changed what, by which way, and what it takes to undo it."""

    id: str = Field(primary_key=True)
    at: datetime = _time(index=True)
    action: str  # approve, reject, undo, enable, disable, retire, add, feedback
    subject: str
    actor: str  # the person's login name
    channel: str  # terminal, scripted, tray, window
    ancestry: list[str] = _json()  # the asking process and its parents, nearest first
    before: dict[str, Any] = _json()
    after: dict[str, Any] = _json()
    generation: int | None = None  # the generation this entry began
    undone_by: str | None = None


class Spend(SQLModel, table=True):
    """One call that learning made: reserved before, settled after."""

    id: str = Field(primary_key=True)
    purpose: str  # judge, evolver, gate, train
    model: str
    reserved_usd: float
    settled_usd: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    at: datetime = _time(index=True)
    upstream: str = _added("")
    cached_tokens: int = _added(0)  # a part of the input
    cache_write_tokens: int = _added(0)  # a part of the input
    reasoning_tokens: int = _added(0)  # a part of the output


class Notice(SQLModel, table=True):
    """A thing that did not happen, or went wrong, and why. Nothing is skipped in silence."""

    __table_args__ = (Index("notice_subject", "kind", "subject", "at"),)

    id: str = Field(primary_key=True)
    kind: str  # dropped, unscored, refused, waiting, outside_change, fault
    subject: str
    reason: str
    count: int = 1
    at: datetime = _time(index=True)
