"""Blocks go in, everything else stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.splice import inject

BLOCK = 'Notes:\n- say "yes"\n'


def test_nothing_to_do_gives_the_very_same_bytes() -> None:
    body = b"not even JSON"
    assert inject(body, []) is body


def test_a_string_grows_at_its_end() -> None:
    body = (
        b'{ "temperature": 0.70, "messages" : [ {"content":"caf\\u00e9 \\/","role":"user"} ], "seed": 1e2 }'
    )
    assert inject(body, [(0, BLOCK)]) == (
        b'{"temperature":0.70,"messages":['
        b'{"content":"caf\\u00e9 \\/\\n\\nNotes:\\n- say \\"yes\\"\\n","role":"user"}],'
        b'"seed":1e2}'
    )


def test_a_list_grows_by_one_part_without_cache_control() -> None:
    parts = [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]
    for before in (parts, []):
        body = json.dumps({"messages": [{"role": "user", "content": before}]}).encode()
        after = json.loads(inject(body, [(0, BLOCK)]))
        assert after["messages"][0]["content"] == [*before, {"type": "text", "text": BLOCK}]


def test_the_models_name_is_replaced_in_its_place() -> None:
    body = b'{"stream":true,"model":"a","messages":[{"role":"user","content":1.0}]}'
    assert inject(body, [], "b") == b'{"stream":true,"model":"b","messages":[{"role":"user","content":1.0}]}'


def test_lone_surrogates_and_their_look_alikes_stay() -> None:
    text = rb"half \ud83d, whole \ud83d\ude00, not one \\ud83d, low \uDE00, ours \ue001"
    body = b'{"messages":[{"role":"user","content":"' + text + b'"},{"role":"user","content":"q"}]}'
    after = inject(body, [(1, BLOCK)])
    before = json.loads(body)
    before["messages"][1]["content"] += "\n\n" + BLOCK
    assert json.loads(after) == before
    assert rb"half \ud83d, whole \ud83d\ude00, not one \\ud83d, low " in after


def test_a_message_without_content_takes_no_block() -> None:
    with pytest.raises(WireError):
        inject(b'{"messages":[{"role":"user"}]}', [(0, BLOCK)])


SCALAR = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.floats(allow_nan=False, allow_infinity=False)
)
TEXT = st.text(max_size=12)  # lone surrogates included: json.dumps escapes them
JSON = st.recursive(
    SCALAR | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
MESSAGE = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["system", "user", "assistant"]),
        "content": TEXT
        | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": TEXT}), max_size=2),
    },
    optional={"extra": JSON},
)


@given(
    st.lists(MESSAGE, min_size=1, max_size=5),
    st.dictionaries(TEXT, JSON, max_size=3),
    st.booleans(),
    st.data(),
)
def test_only_the_block_is_added(
    messages: list[dict[str, Any]], more: dict[str, Any], spaced: bool, data: st.DataObject
) -> None:
    request = {**more, "model": "m", "messages": messages}
    body = json.dumps(request, indent=2 if spaced else None).encode()
    index = data.draw(st.integers(0, len(messages) - 1))
    after = json.loads(inject(body, [(index, BLOCK)]))
    assert list(after) == list(json.loads(body))
    content = messages[index]["content"]
    expected = (
        content + "\n\n" + BLOCK if isinstance(content, str) else [*content, {"type": "text", "text": BLOCK}]
    )
    assert after["messages"][index].pop("content") == expected
    request = json.loads(body)
    del request["messages"][index]["content"]
    assert after == request


@given(st.lists(MESSAGE, min_size=2, max_size=6), st.data())
def test_later_blocks_leave_earlier_messages_byte_for_byte(
    messages: list[dict[str, Any]], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(messages) - 1))
    shorter, longer = (
        inject(json.dumps({"messages": part}).encode(), [(0, BLOCK), *more])
        for part, more in ((messages[:cut], []), (messages, [(len(messages) - 1, "late")]))
    )
    assert longer.startswith(shorter.removesuffix(b"]}"))
