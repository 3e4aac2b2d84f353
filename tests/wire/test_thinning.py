"""Bodies that are too long to be told whole."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire.thinning import shortened

TEXT = st.text(max_size=60) | st.text(alphabet='\\"u0aé北😀\ud83d', max_size=60)
JSON = st.recursive(
    st.none() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)


def _kept(before: Any, after: Any, limit: int) -> None:
    if isinstance(before, dict):
        assert isinstance(after, dict)
        assert len(before) == len(after)
        for one, other in zip(before.values(), after.values(), strict=True):
            _kept(one, other, limit)
    elif isinstance(before, list):
        for one, other in zip(before, after, strict=True):
            _kept(one, other, limit)
    elif isinstance(before, str) and before != after:
        begin, mark, _ = after.partition(" [left out: ")
        assert mark
        assert before.startswith(begin.rstrip("\ufffd"))
    else:
        assert before == after


@given(JSON, st.booleans(), st.integers(3, 40))
def test_what_is_json_stays_json_and_long_texts_keep_their_beginning(
    value: Any, plain: bool, limit: int
) -> None:
    raw = json.dumps(value, ensure_ascii=not plain).encode("utf-8", "replace")
    _kept(json.loads(raw), json.loads(shortened(raw, limit)), limit)


def test_short_texts_stay_as_they_are() -> None:
    raw = json.dumps({"a": ["x" * 100, "\\u00e9"]}).encode()
    assert shortened(raw) == raw
    assert len(shortened(json.dumps("x" * 10**6).encode())) < 70_000
