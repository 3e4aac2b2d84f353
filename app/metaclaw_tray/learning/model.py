"""What judge, evolver and gate ask of a model, whichever it is, and how it fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.learning.allowance import Allowance
from metaclaw_tray.settings import Upstream

T = TypeVar("T")
Message = dict[str, Any]

_OF_A_FIELD = (400, 422)  # what servers say to a field that they do not know


@dataclass(frozen=True)
class Target:
    """The model that learning asks, and what opens it. The key is the person's own for learning, never one
    that a client sent."""

    name: str  # of the upstream
    upstream: Upstream
    model: str
    key: str | None = None


@dataclass(frozen=True)
class Asked:
    """One call: what for, what is said, and how long the answer may be."""

    purpose: str  # judge, evolver, gate
    messages: Sequence[Message]
    max_tokens: int
    temperature: float = 0.0
    seed: int = 0
    tools: Sequence[Message] = ()  # told to the model, never run
    anew: bool = False  # ask even where the answer is kept: to see how much answers differ
    allowance: Allowance | None = None  # that it is taken from, where it is part of a measuring
    about: tuple[str, ...] | None = None  # ids of the exchanges whose words stand in it; None: not known


@dataclass(frozen=True)
class Outlay:
    """What a number of calls may come to, and what the caps leave for it."""

    calls: int
    usd: float | None  # None where no price is known
    left_usd: float

    @property
    def fits(self) -> bool:
        """Whether the caps leave enough. An unknown price is over any cap, and nothing is under each."""
        return self.usd is not None and (self.usd == 0 or self.usd <= self.left_usd)


class LearningModel(Protocol):
    """What judge, evolver and gate ask of a model. Each method raises LearningError where the budget says no,
    and UpstreamError where no usable answer comes in time."""

    @property
    def name(self) -> str: ...

    async def text(self, asked: Asked) -> str:
        """The answer in words, calls of tools among them."""
        ...

    async def fill(self, asked: Asked, form: type[T], schema: dict[str, Any]) -> T:
        """The answer as a value of `form`, whose JSON schema is `schema`."""
        ...

    async def weigh(self, asked: Asked, options: Sequence[str]) -> dict[str, float] | None:
        """How likely the answer is to begin with each of the options, adding up to 1; None where the server
        does not tell."""
        ...

    async def outlay(self, calls: int, sent: int, answered: int) -> Outlay:
        """What `calls` calls come to, with so many tokens sent and answered in all."""
        ...


class TooSlowError(UpstreamError):
    """The model took longer over this one call than is allowed."""


class UnusableAnswerError(UpstreamError):
    """The model answered, and what it said cannot be used."""


class TurnedDownError(UpstreamError):
    """The server is there and will not answer this very request: it is too long, or holds what it does not
    take."""


class BusyError(UpstreamError):
    """The server asks for patience, and for more than one call may take."""

    def __init__(self, title: str, detail: str, remedy: str, seconds: float) -> None:
        super().__init__(title, detail, remedy)
        self.seconds = seconds  # after which to ask again


class RefusedError(Exception):
    """The server does not take what was asked besides the messages, such as a schema."""

    def __init__(self, said: str, status: int) -> None:
        super().__init__(said)
        self.status = status

    def names(self, field: str) -> bool:
        """Whether it is this field that the server does not take, by its own words. A refusal that does not
        say so may be of this very request: it is too long, or the server is unwell."""
        return self.status in _OF_A_FIELD and field in str(self).lower()
