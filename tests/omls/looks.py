"""Readings of an ordinary machine that nobody is at, for tests to change one thing of; and any readings."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from metaclaw_tray.omls.readings import Manual, Readings, Span

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


def away(at: datetime = NOON, **changes: Any) -> Readings:
    """Idle for an hour, on mains, with a free network, likely for three hours more."""
    usual: dict[str, Any] = {
        "idle": 3600.0,
        "locked": False,
        "occupied": False,
        "exchange": math.inf,
        "mains": True,
        "battery": 100.0,
        "online": True,
        "metered": False,
        "load": 0.1,
        "forecast": at + timedelta(hours=3),
    }
    return Readings(at=at, **(usual | changes))


def around(at: datetime, before: float = 1.0, after: float = 2.0) -> Span:
    """A span about a moment, in hours."""
    return Span(at - timedelta(hours=before), at + timedelta(hours=after))


_seconds = st.one_of(
    st.none(),
    st.just(math.nan),
    st.just(math.inf),
    st.floats(-10, 100_000),
    st.sampled_from([0.0, 119.0, 120.0, 299.0, 300.0, 899.0, 900.0, 3600.0]),
)
_maybe = st.sampled_from([None, True, False])
_share = st.one_of(st.none(), st.just(math.nan), st.floats(-1, 3))


@st.composite
def readings(draw: st.DrawFn, at: datetime = NOON) -> Readings:
    """Any readings at all, at a moment."""
    span = st.one_of(
        st.none(),
        st.builds(around, st.just(at), st.floats(-1, 3), st.floats(-1, 3)).filter(lambda s: s.length),
    )
    return Readings(
        at=at,
        idle=draw(_seconds),
        locked=draw(_maybe),
        occupied=draw(_maybe),
        sleep=draw(span),
        sleep_trusted=draw(st.booleans()),
        meeting=draw(span),
        exchange=draw(_seconds),
        mains=draw(_maybe),
        battery=draw(st.one_of(_share, st.floats(0, 100))),
        online=draw(_maybe),
        metered=draw(_maybe),
        load=draw(_share),
        local=draw(st.booleans()),
        manual=draw(st.sampled_from(Manual)),
        forecast=draw(
            st.one_of(st.none(), st.just(at + timedelta(minutes=5)), st.just(at + timedelta(hours=2)))
        ),
        stepped=draw(st.booleans()),
        unready=draw(st.sampled_from(["", "no key for the engine"])),
    )
