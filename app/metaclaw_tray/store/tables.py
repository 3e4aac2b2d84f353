"""The tables, in the words of the design. Times are UTC; nodes are 16 bytes."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from sqlalchemy import CheckConstraint, Column, Index, LargeBinary, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from metaclaw_tray.store.columns import added, json_column, time_column

# Conditions of partial indexes. A query must say them in these very words for SQLite to use the index.
IS_OPEN = "outcome = 'open'"  # of a turn
OBSERVED = "observe_only = 1"  # of a session
TEACHES = "score = -1 OR instruction <> ''"  # of a verdict


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
    cuts: int = added(0)  # parts that were cut to size or left out


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
    started_at: datetime = time_column(index=True)
    last_at: datetime = time_column()
    ended_at: datetime | None = time_column(nullable=True)
    end_reason: str | None = None
    observe_only: bool = added(False)  # nothing is put into its requests


class Exchange(SQLModel, table=True):
    """All main turns of a thread from one message by the person to the next."""

    __table_args__ = (UniqueConstraint("session_id", "opening"),)

    id: str = Field(primary_key=True)
    session_id: str = Field(index=True, foreign_key="session.id")
    agent: str
    opening: bytes = Field(sa_column=Column(LargeBinary, nullable=False, index=True))  # the person's message
    lineage: str  # tags of the opening nodes on the path, oldest first, this one last, parted by '/'
    generation: int = Field(index=True)
    started_at: datetime = time_column(index=True)


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
    begun_at: datetime = time_column(index=True)
    first_byte_at: datetime | None = time_column(nullable=True)
    ended_at: datetime | None = time_column(nullable=True)
    cache_write_tokens: int = added(0)  # a part of the input
    reasoning_tokens: int = added(0)  # a part of the output
    cache_write_hour_tokens: int = added(0)  # a part of what is written to the cache
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

    __table_args__ = (Index("injection_in_session", "session_id", "at"),)

    anchor: bytes = Field(sa_column=Column(LargeBinary, primary_key=True))
    session_id: str = Field(primary_key=True)
    block: str
    skills: list[str] = json_column()  # "name@version"
    tokens: int
    generation: int
    at: datetime = time_column(index=True)


class Thread(SQLModel, table=True):
    """An answer that an upstream keeps, so that an agent goes on with it by its id."""

    response_id: str = Field(primary_key=True)
    agent: str = Field(primary_key=True)
    session_id: str = Field(index=True)
    tip: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # the node of the answer
    openings: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # nodes, joined
    headed: bool  # the first block stood in what travels with each request
    at: datetime = time_column(index=True)

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
    votes: list[int] = json_column()
    reason: str
    kind: str = ""  # what sort of failure, in a few words; clusters form by it
    instruction: str = ""  # the standing instruction the person gave, if any
    model: str
    at: datetime = time_column(index=True)
    transient: bool = added(False)  # the surroundings failed (network, rate limit): it teaches nothing
    guilty_turn_id: str | None = None  # the turn at fault, where it is an earlier one of the exchange
    rubric: str = added("")  # by which rules it was judged: the kind of turn

    @property
    def scored(self) -> bool:
        return self.score is not None


class Due(SQLModel, table=True):
    """A turn that waits for its verdict: written with the next state, removed with the verdict."""

    turn_id: str = Field(primary_key=True, foreign_key="turn.id")
    at: datetime = time_column()


class Evidence(SQLModel, table=True):
    """One piece that says how an exchange went."""

    id: str = Field(primary_key=True)
    exchange_id: str = Field(index=True, foreign_key="exchange.id")
    turn_id: str | None = None
    # verdict, correction, repetition, thanks, instruction, feedback, tool_error, tool_repaired,
    # transient, cut, report (a thumb that a program gave)
    kind: str
    value: int  # -1, 0 or 1
    origin: str  # person, model, tool, web, program
    text: str = ""
    at: datetime = time_column(index=True)


class Run(SQLModel, table=True):
    """One run of the evolver, from its claims to its proposal."""

    id: str = Field(primary_key=True)
    cluster: str
    state: str
    reason: str = ""
    exchanges: list[str] = json_column()
    model: str
    started_at: datetime = time_column(index=True)
    ended_at: datetime | None = time_column(nullable=True)


class Claim(SQLModel, table=True):
    """This exchange is used for this, and for nothing else, ever. Triggers forbid change and conflict."""

    exchange_id: str = Field(primary_key=True, foreign_key="exchange.id")
    use: str
    opening: str = Field(index=True)  # tag of the exchange's opening node
    lineage: str  # as in the exchange
    run_id: str
    at: datetime = time_column()

    __table_args__ = (
        CheckConstraint("use IN ('support', 'train', 'holdout_skill', 'holdout_policy')", name="claim_use"),
    )


class Spend(SQLModel, table=True):
    """One call that learning made: reserved before, settled after."""

    id: str = Field(primary_key=True)
    purpose: str  # judge, evolver, gate, train
    model: str
    reserved_usd: float
    settled_usd: float | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    at: datetime = time_column(index=True)
    upstream: str = added("")
    cached_tokens: int = added(0)  # a part of the input
    cache_write_tokens: int = added(0)  # a part of the input
    reasoning_tokens: int = added(0)  # a part of the output


class Notice(SQLModel, table=True):
    """A thing that did not happen, or went wrong, and why. Nothing is skipped in silence."""

    __table_args__ = (Index("notice_subject", "kind", "subject", "at"),)

    id: str = Field(primary_key=True)
    kind: str  # dropped, unscored, refused, waiting, outside_change, fault
    subject: str
    reason: str
    count: int = 1
    at: datetime = time_column(index=True)
