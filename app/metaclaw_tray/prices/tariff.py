"""Tokens, tariffs, and what so many tokens cost at a tariff."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from metaclaw_tray.prices import table

_MILLION = 1_000_000


class Tokens(Struct, frozen=True):
    """Tokens of one call, or of many added up. `cached` and `cache_write` are parts of `input`, and
    `cache_write_hour` is the part of `cache_write` that is kept for an hour; `reasoning` is a part of
    `output`."""

    input: int = 0
    cached: int = 0
    output: int = 0
    cache_write: int = 0
    cache_write_hour: int = 0
    reasoning: int = 0

    def __bool__(self) -> bool:
        return bool(self.input or self.output)

    def fitted(self) -> Tokens:
        """With every part no larger than its whole: some servers count more cached tokens than tokens."""
        cached = min(self.cached, self.input)
        written = min(self.cache_write, self.input - cached)
        hour, reasoning = min(self.cache_write_hour, written), min(self.reasoning, self.output)
        return Tokens(self.input, cached, self.output, written, hour, reasoning)


class OwnPrices(Struct, frozen=True, array_like=True):
    """What a person said that a million tokens cost, in USD."""

    input: float
    output: float
    cached: float
    cache_write: float


class Tariff(Struct, frozen=True, array_like=True):
    """What the settings say of an upstream's prices. It travels with each turn, so that a turn costs what it
    cost when it was made."""

    base_url: str = ""  # by which the table knows whose prices count; "" where it need not be asked
    free: bool = False  # it runs on this machine
    own: OwnPrices | None = None


FREE = Tariff(free=True)


def own_cost(tariff: Tariff | None, tokens: Tokens) -> float | None:
    """USD by what the settings alone say; None where they say nothing. Proportional to the tokens, so it may
    be asked for many calls added up."""
    if tariff is None:
        return None
    if tariff.free:
        return 0.0
    if tariff.own is None:
        return None
    own, of = tariff.own, tokens.fitted()
    plain = of.input - of.cached - of.cache_write
    sent = plain * own.input + of.cached * own.cached + of.cache_write * own.cache_write
    return (sent + of.output * own.output) / _MILLION


def cost(tariff: Tariff | None, models: Sequence[str], tokens: Tokens, at: datetime) -> float | None:
    """What one call costs in USD; None where no price is known.

    `models` are the names that the model has, the first that the table knows counts: what was asked of the
    upstream, and what the answer calls it (a router chooses; a translated answer has the agent's own name for
    it). What an upstream itself says about the cost is not asked for: some say 0.
    """
    known = own_cost(tariff, tokens)
    if known is not None or tariff is None or not tariff.base_url:
        return known
    fitted = tokens.fitted()
    for model in dict.fromkeys(filter(None, models)):
        found = table.cost(tariff.base_url, model, fitted, at)
        if found is not None:
            return found
    return None
