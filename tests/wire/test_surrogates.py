"""Half emojis, masked and unmasked."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire.surrogates import masked, unmasked

HALVES = st.sampled_from(["\ud83d", "\ude00", "\ud800", "\udbff", "\udc00", "\udfff"])
OTHERS = st.sampled_from(["\\", "\\u", "\\ud83d", "😀", "\ue000", "u", '"', "d83d", "\n"])
TEXT = st.lists(HALVES | OTHERS | st.characters(), max_size=8).map("".join)


@given(TEXT, st.booleans())
def test_any_text_can_be_read_and_comes_back(text: str, upper: bool) -> None:
    body = json.dumps(text).encode()
    if upper:
        body = body.replace(rb"\ud", rb"\uD")
    plain, number = masked(body)
    msgspec.json.decode(plain)
    assert json.loads(unmasked(plain, number)) == json.loads(body)
    assert len(plain) == len(body)


def test_a_body_without_lone_surrogates_stays_as_it_is() -> None:
    body = rb'"whole \ud83d\ude00, not one \\ud83d, a backslash \\"'
    assert masked(body)[0] == body


def test_halves_in_the_wrong_order_are_two() -> None:
    plain, number = masked(rb'"\ude00\ud83d"')
    assert plain == rb'"\ue600\ue03d"'
    assert unmasked(plain, number) == rb'"\ude00\ud83d"'


def test_escapes_that_the_body_uses_itself_are_not_taken() -> None:
    body = rb'"\ud83d \ue03d"'
    plain, number = masked(body)
    assert plain == rb'"\uf03d \ue03d"'
    assert unmasked(plain, number) == body


def test_a_body_that_uses_all_stand_ins_itself_is_refused() -> None:
    with pytest.raises(ValueError, match="no escapes are free"):
        masked(rb'"\ud83d \ue03d \uF03d"')
