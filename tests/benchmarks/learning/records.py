"""What each step of a run comes to, as the journal keeps it."""

from __future__ import annotations

from msgspec import Struct


class Identity(Struct, frozen=True):
    """What answers, judges and evolves, and which code it runs in."""

    model: str
    upstream: str  # "" for the embedded model
    commit: str
    machine: str


class Answered(Struct, frozen=True):
    """One request and its answer, graded by code."""

    request: str
    answer: str
    right: bool
    skills: list[str]  # "name@version" that stood in the request
    seconds: float
    input_tokens: int
    output_tokens: int


class Said(Struct, frozen=True):
    """An answer that the person said something to."""

    turn: str
    answer: str
    right: bool


class Taught(Struct, frozen=True):
    """A session in which the person said what is right and what is not."""

    session: str
    said: list[Said]
    seconds: float


class Judged(Struct, frozen=True):
    """What the judge made of an answer, beside what the code says of it."""

    turn: str
    right: bool
    verdict: int | None  # -1, 0, 1; None where it was not scored
    reason: str


class Replay(Struct, frozen=True):
    """A request of the gate with both answers: how it marked them, beside what the code says of each."""

    origin: str  # source, held-out, synthetic, near
    request: str
    without: str
    with_skill: str
    without_right: bool
    with_right: bool
    mark: str  # win, tie, loss of the answer with the skill; unscored


class Offer(Struct, frozen=True):
    """A proposal, and what became of it."""

    id: str
    rule: str  # whose sessions taught it most
    op: str
    skill: str
    text: str
    state: str  # what it was before the person decided: pending, refused …
    outcome: str  # of the gate
    reason: str
    replays: list[Replay]
    approved: bool = False
    trouble: str = ""  # why it could not be approved


class Calls(Struct, frozen=True):
    """Calls of learning for one purpose."""

    purpose: str
    calls: int
    input_tokens: int
    output_tokens: int


class Learnt(Struct, frozen=True):
    """One pass of learning, after one rule was taught."""

    seconds: float
    notes: list[str]  # what was not done, and why
    judged: list[Judged]
    offers: list[Offer]
    calls: list[Calls]  # all that learning made since the beginning
    told: list[str]  # each step, as the app said it
