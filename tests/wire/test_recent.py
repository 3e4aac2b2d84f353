"""Digests of elements are the same, whatever was read before."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from metaclaw_tray.wire.recent import Recent

ELEMENTS = st.lists(st.sampled_from([b"1", b"2", b'"a"', b'"b"', b'"%b"' % (b"x" * 300_000)]), max_size=14)


@given(st.lists(ELEMENTS, max_size=12))
def test_digests_are_those_of_the_elements(requests: list[list[bytes]]) -> None:
    recent = Recent()
    for request in requests:
        items = [Raw(element) for element in request]
        assert recent.digests(items) == [hashlib.sha256(element).digest() for element in request]


def test_a_request_gives_way_to_the_one_that_goes_on_with_it() -> None:
    recent = Recent()
    for length in range(8, 30):
        recent.digests([Raw(b"%d" % number) for number in range(length)])
    assert len(recent._requests) == 1


def test_what_is_large_is_not_kept() -> None:
    recent = Recent()
    recent.digests([Raw(b'"%b"' % (b"x" * 100_000))] * 8)
    assert not recent._requests
