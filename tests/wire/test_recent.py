"""A request leads to the same place, whatever was read before it."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from metaclaw_tray.wire.dialect import Dialect
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.recent import Beginnings, Recent
from metaclaw_tray.wire.request import decode_items
from metaclaw_tray.wire.trail import Trail
from metaclaw_tray.wire.tree import Reader, root_of

KEY = b"k" * 32
ROOTS = [root_of(KEY, "one"), root_of(KEY, "another")]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


# Of the last two dialects' answers some are one element each, some go on in the next one.
ELEMENTS: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    user("Hello."),
    user("What is the time?"),
    user("<system-reminder>soon</system-reminder>"),
    user("Generate a title for this conversation"),
    user("This session is being continued from a previous conversation: much was said."),
    {"role": "assistant", "content": "It is noon."},
    user("x" * 3000),
]
PARTS: list[dict[str, Any]] = [
    {"type": "reasoning", "id": "r1", "summary": [], "encrypted_content": "e"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Noon."}]},
    {"type": "function_call", "call_id": "c1", "name": "clock", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "12:00"},
]
KNOWN = [b"1", b"2", b"3", b'"%b"' % (b"x" * 100_000)]


def kept(recent: Recent, items: list[Raw], root: bytes = b"r") -> Trail:
    trail = recent.begun("chat", root, items)
    trail.digests += [b"d"] * (len(items) - len(trail.digests))
    recent.keep("chat", items, trail)
    return trail


@pytest.mark.parametrize("name", ["chat", "responses"])
@given(data=st.data())
def test_a_path_is_the_same_with_and_without_a_memory(name: str, data: st.DataObject) -> None:
    dialect: Dialect = DIALECTS[name]
    one = st.sampled_from([*ELEMENTS, *(PARTS if name == "responses" else [])])
    reader = Reader(KEY)
    said: list[dict[str, Any]] = data.draw(st.lists(one, min_size=6, max_size=12))
    for _ in range(data.draw(st.integers(2, 6))):
        request = dialect.parse(msgspec.json.encode({"model": "m", dialect.conversation: said}))
        root = data.draw(st.sampled_from(ROOTS))
        assert reader.path(dialect, request, root) == Reader(KEY).path(dialect, request, root)
        said = said[: data.draw(st.integers(len(said) // 2, len(said)))] + data.draw(
            st.lists(one, max_size=4)
        )


@given(st.lists(st.lists(st.sampled_from(KNOWN), max_size=14), max_size=12))
def test_what_is_known_of_a_request_is_its_beginning(requests: list[list[bytes]]) -> None:
    recent = Recent()
    for request in requests:
        items = [Raw(element) for element in request]
        trail = recent.begun("chat", b"r", items)
        assert trail.items == items[: len(trail.items)]
        assert len(trail.digests) == len(trail.items)
        recent.keep("chat", items, trail)
        trail.digests += [b"d"] * (len(trail.items) - len(trail.digests))
        assert recent._size == sum(each.size for each in recent._trails.values())


@given(st.lists(st.sampled_from([b"1", b"a" * 3000, b"b" + b"a" * 2999, b"c" * 70_000])))
def test_digests_of_beginnings_are_those_of_the_elements(elements: list[bytes]) -> None:
    beginnings = Beginnings()
    for element in elements:
        assert beginnings.digest(Raw(element)) == hashlib.sha256(element).digest()


def test_a_request_gives_way_to_the_one_that_goes_on_with_it() -> None:
    recent = Recent()
    for length in range(8, 30):
        trail = kept(recent, [Raw(b"%d" % number) for number in range(length)])
        assert len(trail.items) == length
    assert len(recent._trails) == 1


def test_what_is_large_is_not_kept() -> None:
    recent = Recent()
    kept(recent, [Raw(b'"%b"' % (b"x" * 100_000))] * 8)
    assert not recent._trails


def test_all_that_is_kept_is_bounded() -> None:
    recent = Recent()
    for number in range(100):
        kept(recent, [Raw(b'"%b%03d"' % (b"x" * 50_000, number))] * 8)
    assert 2 < len(recent._trails) < 20
    assert recent._size < 4 * 2**20


def test_nothing_is_kept_of_the_body_around() -> None:
    """A request of eight words may come in a body of a hundred megabytes."""
    recent = Recent()
    for end in (b"8", b"9", b"9, 10"):
        body = b"[%b 1,2,3,4,5,6,7,%b]" % (b" " * 1000, end)
        before = sys.getrefcount(body)
        kept(recent, decode_items(body))
        assert recent._trails
        assert sys.getrefcount(body) == before


def test_a_request_of_very_many_elements_is_not_kept() -> None:
    recent = Recent()
    kept(recent, [Raw(b"1")] * 100_000)
    assert not recent._trails
