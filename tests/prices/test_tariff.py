"""What tokens cost: the person's price first, then the table, and nobody's guess."""

from __future__ import annotations

import math
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.prices import FREE, OwnPrices, Tariff, Tokens, cost, own_cost, table
from metaclaw_tray.prices.upstreams import Tariffs, tariff_of
from metaclaw_tray.settings import EMBEDDED, Settings, Upstream

AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
ANTHROPIC = Tariff("https://api.anthropic.com/v1")
OPENAI = Tariff("https://api.openai.com/v1")
TOKENS = Tokens(input=1000, cached=600, output=100, cache_write=300, cache_write_hour=100, reasoning=40)
COUNTS = st.integers(0, 2**31 - 1)


def upstream(base_url: str = "https://api.anthropic.com/v1", **prices: float) -> Upstream:
    return Upstream(base_url=base_url, **prices)


def test_a_person_s_own_price_goes_before_the_table() -> None:
    own = tariff_of(
        upstream(
            input_usd_per_million=10,
            output_usd_per_million=20,
            cached_usd_per_million=1,
            cache_write_usd_per_million=12,
        )
    )
    expected = (100 * 10 + 600 * 1 + 300 * 12 + 100 * 20) / 1e6
    assert cost(own, ["claude-sonnet-4-5"], TOKENS, AT) == pytest.approx(expected)


def test_own_prices_of_the_cache_fall_back_to_that_of_the_input() -> None:
    own = tariff_of(upstream(input_usd_per_million=10, output_usd_per_million=20))
    assert own.own == OwnPrices(input=10, output=20, cached=10, cache_write=10)
    free = tariff_of(upstream(input_usd_per_million=10, output_usd_per_million=20, cached_usd_per_million=0))
    assert free.own == OwnPrices(input=10, output=20, cached=0, cache_write=10)


def test_half_a_price_is_none() -> None:
    assert tariff_of(upstream("https://one.example/v1", input_usd_per_million=1)).own is None


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8080/v1", "http://localhost:1/v1", "http://[::1]:1/v1"]
)
def test_what_runs_on_this_machine_is_free_whatever_its_model_is_called(address: str) -> None:
    assert cost(tariff_of(upstream(address)), ["claude-sonnet-4-5"], TOKENS, AT) == 0.0
    priced = tariff_of(upstream(address, input_usd_per_million=5, output_usd_per_million=5))
    assert cost(priced, ["any"], TOKENS, AT), "unless the person says what a gateway on it costs"


def test_each_kind_of_token_has_its_price_in_the_table() -> None:
    expected = (100 * 3 + 600 * 0.30 + 200 * 3.75 + 100 * 6 + 100 * 15) / 1e6
    assert cost(ANTHROPIC, ["claude-sonnet-4-5-20250929"], TOKENS, AT) == pytest.approx(expected)
    tokens = Tokens(input=1000, cached=900, output=100, reasoning=80)
    assert cost(OPENAI, ["gpt-5"], tokens, AT) == pytest.approx((100 * 1.25 + 900 * 0.125 + 100 * 10) / 1e6)


def test_a_long_request_is_priced_as_one() -> None:
    short, long = (cost(ANTHROPIC, ["claude-sonnet-4-5"], Tokens(input=n), AT) for n in (200_000, 200_001))
    assert short is not None
    assert long is not None
    assert long > short * 1.9


@pytest.mark.parametrize(
    ("tariff", "model"),
    [
        (None, "claude-sonnet-4-5"),
        (
            Tariff("https://gateway.example/v1"),
            "claude-sonnet-4-5",
        ),  # whoever resells it has prices of theirs
        (ANTHROPIC, "gpt-5"),
        (ANTHROPIC, "a-model-of-tomorrow"),
        (ANTHROPIC, ""),
        (Tariff(), "claude-sonnet-4-5"),
    ],
)
def test_what_nobody_knows_is_unknown_and_not_nothing(tariff: Tariff | None, model: str) -> None:
    assert cost(tariff, [model], TOKENS, AT) is None


def test_the_name_that_the_table_knows_counts() -> None:
    named = cost(ANTHROPIC, ["claude-sonnet-4-5"], TOKENS, AT)
    assert cost(ANTHROPIC, ["", "the-router-s-own-name", "claude-sonnet-4-5"], TOKENS, AT) == named


@pytest.mark.parametrize(
    "tariff", [ANTHROPIC, tariff_of(upstream(input_usd_per_million=3, output_usd_per_million=15))]
)
def test_more_cached_tokens_than_tokens_cost_no_more_than_all_cached(tariff: Tariff) -> None:
    odd = cost(tariff, ["claude-sonnet-4-5"], Tokens(input=1000, cached=5000), AT)
    assert odd == cost(tariff, ["claude-sonnet-4-5"], Tokens(input=1000, cached=1000), AT)


@given(st.builds(Tokens, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS))
def test_any_count_has_a_price_between_nothing_and_the_dearest(tokens: Tokens) -> None:
    found = cost(ANTHROPIC, ["claude-sonnet-4-5"], tokens, AT)
    assert found is not None
    assert 0 <= found <= (tokens.input * 12 + tokens.output * 22.5) / 1e6 + 1e-9


@given(st.lists(st.builds(Tokens, COUNTS, COUNTS, COUNTS), max_size=4))
def test_own_prices_may_be_asked_for_calls_added_up(calls: list[Tokens]) -> None:
    own = Tariff(own=OwnPrices(3, 15, 0.3, 3.75))
    fitted = [each.fitted() for each in calls]
    whole = Tokens(*(sum(getattr(each, name) for each in fitted) for name in ("input", "cached", "output")))
    apart = math.fsum(own_cost(own, each) or 0.0 for each in calls)
    assert own_cost(own, whole) == pytest.approx(apart)


def test_tariffs_follow_the_settings() -> None:
    settings = [Settings(upstreams={"one": upstream()})]
    tariffs = Tariffs(lambda: settings[-1])
    assert (tariffs.get("one"), tariffs.get(EMBEDDED), tariffs.get("two")) == (ANTHROPIC, FREE, None)
    assert tariffs.get("one") is tariffs.get("one")
    settings.append(Settings(upstreams={"two": upstream("http://127.0.0.1:1/v1")}))
    assert (tariffs.get("one"), tariffs.get("two")) == (None, FREE)


def test_the_table_says_what_it_is_and_how_old() -> None:
    assert table.described().startswith("genai-prices ")
    assert "newest price of 20" in table.described()


_ALONE = """
import socket, sys
def no(*_, **__): raise AssertionError("somebody was asked")
from metaclaw_tray.prices import Tariff, Tokens, cost, FREE, OwnPrices
from datetime import datetime, UTC
for each in (FREE, Tariff(own=OwnPrices(1, 1, 1, 1))):
    assert cost(each, ["m"], Tokens(1), datetime.now(UTC)) is not None
assert "genai_prices" not in sys.modules, "the table was loaded for nothing"
import threading
socket.socket.connect = socket.getaddrinfo = no
assert cost(Tariff("https://api.openai.com/v1"), ["gpt-5"], Tokens(1000), datetime.now(UTC))
assert threading.active_count() == 1
"""


def test_the_table_is_loaded_late_and_asks_nobody() -> None:
    subprocess.run([sys.executable, "-c", _ALONE], check=True, timeout=60)


def test_what_starts_with_the_app_does_without_the_table() -> None:
    rooms = "metaclaw_tray.runtime.app, metaclaw_tray.store.scribe"
    words = f"import sys, {rooms}; sys.exit('genai_prices' in sys.modules)"
    subprocess.run([sys.executable, "-c", words], check=True, timeout=60)
