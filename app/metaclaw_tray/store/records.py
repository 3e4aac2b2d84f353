"""What the proxy tells the scribe, and what the scribe answers: typed messages on a pipe.

Bodies travel as the client and the upstream sent them; the scribe parses and redacts them before anything
reaches the disk. Times are seconds since 1970 as floats (a wall clock reading of the proxy's process).
"""

from __future__ import annotations

from msgspec import Struct

from metaclaw_tray.prices import Tariff


class TurnBegun(Struct, frozen=True, tag="begun", array_like=True):
    """A request was built and is about to go upstream."""

    turn_id: str
    session_id: str
    agent: str
    kind: str  # TurnKind
    dialect: str
    upstream: str
    model: str
    body: bytes  # the client's request body, less any content encoding
    root: bytes  # the parent of the first node: the agent's root, or an answer that the upstream keeps
    nodes: list[bytes]  # the path of the request, root first: one node per message that is not system text
    message_ids: list[bytes]  # the id of each node's message
    opening: int  # index in `nodes` of the person's last message; -1 where there is none
    openings: list[bytes]  # the nodes of the person's messages on the whole path, oldest first
    generation: int
    at: float


class TurnEnded(Struct, frozen=True, tag="ended", array_like=True):
    """The answer is complete, or never will be."""

    turn_id: str
    outcome: str  # TurnOutcome
    status: int
    error: str
    body: bytes  # the answer as the upstream sent it, cut to the tee's limit
    content_type: str
    content_encoding: str
    truncated: bool
    first_byte_at: float  # 0.0 where no byte came
    at: float
    upstream: str = ""  # who answered, where that was another one than the turn began with
    model: str = ""  # and what was asked of it
    tariff: Tariff | None = (
        None  # what it takes, by the settings of this moment; None where that is not known
    )


class BlockInjected(Struct, frozen=True, tag="injected", array_like=True):
    """A block now stands behind an anchor. Never dropped."""

    anchor: bytes
    session_id: str
    block: str
    skills: list[str]  # "name@version"
    tokens: int
    generation: int
    at: float


class ArmDecided(Struct, frozen=True, tag="arm", array_like=True):
    """A session has its place in a trial: with the skill, or without. Never dropped."""

    trial_id: str
    session_id: str
    arm: str  # TrialArm
    at: float


class SkillWithheld(Struct, frozen=True, tag="withheld", array_like=True):
    """A skill fitted an exchange and was kept from it, because of a trial. Never dropped."""

    anchor: bytes  # the exchange's opening
    session_id: str
    skill: str
    version: int
    trial_id: str
    at: float
    instead: int = 0  # the version that may stand there in its place: the one before the trial; 0: none


class ThreadKnown(Struct, frozen=True, tag="thread", array_like=True):
    """The upstream keeps this answer, and a client may go on with it by its id. Never dropped."""

    response_id: str
    agent: str
    session_id: str
    tip: bytes  # the node of the answer
    openings: list[bytes]  # the nodes of the person's messages before it, oldest first
    headed: bool  # the first block stood in what travels with each request
    at: float


class SessionEnded(Struct, frozen=True, tag="session_ended", array_like=True):
    """A session is over: by the client's word, by silence, or because the app quits."""

    session_id: str
    reason: str  # signal, command, silence, quit
    at: float


class Dropped(Struct, frozen=True, tag="dropped", array_like=True):
    """Records that the proxy had to drop because the pipe was full."""

    count: int
    at: float


class Flush(Struct, frozen=True, tag="flush", array_like=True):
    """Answer with `Flushed` when all that came before is committed."""

    number: int


OfTrial = ArmDecided | SkillWithheld
ToScribe = TurnBegun | TurnEnded | BlockInjected | OfTrial | ThreadKnown | SessionEnded | Dropped | Flush


class Ready(Struct, frozen=True, tag="ready", array_like=True):
    """The scribe has the store open."""


class Stored(Struct, frozen=True, tag="stored", array_like=True):
    """These records are committed."""

    records: int  # how many records of the pipe this commit took in, in order
    turns: list[str]  # turns that ended in this commit
    judgeable: list[str]  # turns whose next state is now known and came from the person


class Flushed(Struct, frozen=True, tag="flushed", array_like=True):
    number: int


class Fault(Struct, frozen=True, tag="fault", array_like=True):
    """Something was not stored, and why."""

    kind: str
    detail: str


FromScribe = Ready | Stored | Flushed | Fault
