"""Digests of elements are the same, whatever was read before."""

from __future__ import annotations

import hashlib
import sys

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from metaclaw_tray.wire.recent import Recent
from metaclaw_tray.wire.request import decode_items

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


def test_nothing_is_kept_of_the_body_around() -> None:
    """A request of eight words may come in a body of a hundred megabytes."""
    recent = Recent()
    for end in (b"8", b"9", b"9, 10"):
        body = b"[%b 1,2,3,4,5,6,7,%b]" % (b" " * 1000, end)
        before = sys.getrefcount(body)
        recent.digests(decode_items(body))
        assert recent._requests
        assert sys.getrefcount(body) == before


def test_a_request_of_very_many_elements_is_not_kept() -> None:
    recent = Recent()
    recent.digests([Raw(b"1")] * 100_000)
    assert not recent._requests
