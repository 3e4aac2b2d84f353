"""When a busy server is asked again, and who is let through meanwhile."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.learning.patience import Turnstile, pause_after, retry_after

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        (" 120 ", 120),
        ("Tue, 03 Mar 2026 12:01:30 GMT", 90),
        ("Tue, 03 Mar 2026 11:00:00 GMT", 0),
        ("Tue, 03 Mar 2026 12:00:05 -0000", 5),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
    ],
)
def test_what_a_server_asks_for_is_read(value: str, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


@given(st.text())
def test_no_header_breaks_it(value: str) -> None:
    assert (retry_after(value, NOW) or 0) >= 0


def test_without_a_word_each_pause_is_twice_the_last() -> None:
    assert [pause_after(tries) for tries in (1, 2, 3)] == [2, 4, 8]


async def test_who_waits_is_let_in_in_turn_and_whoever_gives_up_blocks_nobody() -> None:
    turnstile, entered, leave = Turnstile(lambda: 1), list[int](), asyncio.Event()

    async def go(number: int) -> None:
        async with turnstile.passed():
            entered.append(number)
            await leave.wait()

    tasks = [asyncio.create_task(go(number)) for number in range(4)]
    await asyncio.sleep(0)
    assert entered == [0]
    tasks[1].cancel()
    await asyncio.sleep(0)
    leave.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert entered == [0, 2, 3]


async def test_one_who_is_let_in_and_cancelled_at_once_gives_the_place_back() -> None:
    turnstile, leave = Turnstile(lambda: 1), asyncio.Event()

    async def go() -> None:
        async with turnstile.passed():
            await leave.wait()

    first, second, third = (asyncio.create_task(go()) for _ in range(3))
    await asyncio.sleep(0)
    leave.set()
    first.add_done_callback(lambda _: second.cancel())
    await asyncio.gather(first, second, third, return_exceptions=True)
    assert third.done()
    assert not third.cancelled()
