"""The kept table: `genai-prices`, by the people of Pydantic, which comes with a package and asks nobody.

It is loaded at the first call that it has to price, never before: an agent that talks to a model of its own
machine, or to one whose prices the person gave, does without its six megabytes.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from functools import cache, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelInfo

    from metaclaw_tray.prices.tariff import Tokens

NAME = "genai-prices"


def cost(base_url: str, model: str, tokens: Tokens, at: datetime) -> float | None:
    """USD of one call at that moment's price; None where the table does not know the host or the model.

    Only tokens are priced: not searches, nor what a faster or a slower service costs more or less.
    """
    found = _model(base_url, model)
    if found is None:
        return None
    from genai_prices import Usage

    prices = found.get_prices(at)
    if prices.input_mtok is None or prices.output_mtok is None:  # it is sold by something else
        return None
    usage = Usage(
        input_tokens=tokens.input,
        cache_read_tokens=tokens.cached,
        cache_write_tokens=tokens.cache_write,
        cache_write_1h_tokens=tokens.cache_write_hour,
        output_tokens=tokens.output,
        output_reasoning_tokens=tokens.reasoning,
    )
    return float(prices.calc_price(usage)["total_price"])


@cache
def described() -> str:
    """The table and its age, such as "genai-prices 0.2.3, newest price of 2026-11-09". Loads it."""
    today = datetime.now(UTC).date()
    begun = [start for start in _starts() if start <= today]
    return f"{NAME} {version(NAME)}" + (f", newest price of {max(begun)}" if begun else "")


@cache
def _snapshot() -> DataSnapshot:
    from genai_prices.data_snapshot import get_snapshot

    return get_snapshot()


@lru_cache(maxsize=1024)
def _model(base_url: str, model: str) -> ModelInfo | None:
    """What the table knows of a model where this address sells it."""
    try:
        found = _snapshot().find_provider_model(model, None, None, base_url)[1]
    except LookupError:
        return None
    return found if found.prices else None


def _starts() -> list[date]:
    """The days from which prices count, where the table says so."""
    from genai_prices.types import ConditionalPrice, StartDateConstraint

    return [
        price.constraint.start_date
        for provider in _snapshot().providers
        for model in provider.models
        if isinstance(model.prices, list)
        for price in model.prices
        if isinstance(price, ConditionalPrice) and isinstance(price.constraint, StartDateConstraint)
    ]
