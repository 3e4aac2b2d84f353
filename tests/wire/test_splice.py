"""Raw JSON put together again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.request import parse
from metaclaw_tray.wire.splice import extended, joined, put_back, with_block, written
from wire.strange import JSON, TEXT

BLOCK = 'Notes:\n- say "yes"\n'
IN_JSON = rb"Notes:\n- say \"yes\"\n"


def raw(value: Any) -> Raw:
    return Raw(json.dumps(value).encode())


def test_a_text_grows_at_its_end_and_keeps_its_escapes() -> None:
    assert bytes(extended(Raw(rb'"caf\u00e9 \/"'), BLOCK)) == rb'"caf\u00e9 \/\n\n' + IN_JSON + b'"'
    assert bytes(extended(Raw(b'""'), BLOCK)) == b'"' + IN_JSON + b'"'


def test_a_list_grows_by_one_plain_part() -> None:
    part = b'{"type":"text","text":"' + IN_JSON + b'"}'
    assert bytes(extended(Raw(b"[ ]"), BLOCK)) == b"[" + part + b"]"
    marked = b'{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}'
    assert bytes(extended(Raw(b"[ " + marked + b"\n]"), BLOCK)) == b"[" + marked + b"," + part + b"]"
    assert json.loads(bytes(extended(Raw(b"[]"), "x", "input_text"))) == [{"type": "input_text", "text": "x"}]


@pytest.mark.parametrize("content", [b"null", b"7", b"{}", b"true"])
def test_what_is_neither_text_nor_list_takes_no_block(content: bytes) -> None:
    with pytest.raises(WireError):
        extended(Raw(content), BLOCK)


@pytest.mark.parametrize("item", [b'{"role":"user"}', b"{}", b"7", b"[]", b"null", b'"x"', b'{"content":{}}'])
def test_a_message_without_content_takes_no_block(item: bytes) -> None:
    with pytest.raises(WireError):
        with_block(Raw(item), BLOCK)


def test_a_message_grows_by_the_same_words_as_a_text_and_as_one_part() -> None:
    marked = {"type": "text", "text": "hi", "cache_control": {"type": "ephemeral"}}
    longer = json.loads(bytes(with_block(raw({"content": [marked]}), BLOCK)))
    assert longer == {"content": [marked | {"text": "hi\n\n" + BLOCK}]}
    assert json.loads(bytes(with_block(raw({"content": "hi"}), BLOCK))) == {"content": "hi\n\n" + BLOCK}


@pytest.mark.parametrize(
    "last",
    [
        {"type": "image_url", "image_url": {"url": "x"}},
        {"type": "tool_result", "tool_use_id": "1", "content": "x"},
        {"type": "tool_result", "text": "x"},
        {"type": "text"},
        {"type": "text", "text": None},
        {"type": ["text"], "text": "x"},
        {"text": "x"},
        "x",
        None,
    ],
)
def test_parts_that_end_with_no_text_grow_by_one_part(last: Any) -> None:
    before = [{"type": "text", "text": "before"}, last]
    after = json.loads(bytes(with_block(raw({"content": before}), BLOCK)))
    assert after == {"content": [*before, {"type": "text", "text": BLOCK}]}


def test_the_models_name_is_replaced_in_its_place() -> None:
    request = parse(b'{"stream" : true, "model":"a","messages":[ {"t":1.0}]}', "messages")
    assert joined(request.fields, "b", None) == b'{"stream":true,"model":"b","messages":[ {"t":1.0}]}'
    assert joined(request.fields, None, None) == b'{"stream":true,"model":"a","messages":[ {"t":1.0}]}'
    assert joined({}, "b", None) == b'{"model":"b"}'


def test_a_conversation_of_one_text_stays_one() -> None:
    request = parse(b'{"input":"hi"}', "input")
    assert bytes(put_back(request.items, request)) == b'"hi"'
    grown = with_block(request.items[0], "more")
    assert bytes(put_back([grown], request)) == rb'"hi\n\nmore"'


@given(st.dictionaries(TEXT, JSON, max_size=4), st.none() | TEXT)
def test_fields_come_back_in_their_order_with_half_emojis_and_all(
    fields: dict[str, Any], model: str | None
) -> None:
    body = json.dumps({**fields, "messages": []}).encode()
    expected = json.loads(body)
    name = None if model is None else model.encode("utf-8", "replace").decode()
    if name is not None:
        expected["model"] = name
    request = parse(body, "messages")
    sent = joined(request.fields, name, request.mask)
    assert list(json.loads(sent).items()) == list(expected.items())


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON, max_size=4))
def test_values_are_not_rewritten(fields: dict[str, Any]) -> None:
    values = {key: raw(value) for key, value in fields.items()}
    body = written(values)
    assert json.loads(body) == fields
    assert all(bytes(value) in body for value in values.values())
