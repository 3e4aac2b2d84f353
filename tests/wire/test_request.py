"""Requests as raw JSON values."""

from __future__ import annotations

import pytest

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.dialect import element_of
from metaclaw_tray.wire.request import parse

DEEP = b"[" * 9_000 + b"]" * 9_000


@pytest.mark.parametrize("field", ["messages", "input"])
@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b" ",
        b"[]",
        b"null",
        b"{",
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"{}",
        b'{"model":"m"}',
        b'{"FIELD":null}',
        b'{"FIELD":{}}',
        b'{"FIELD":7}',
        b'{"FIELD":[]} []',
        b'{"FIELD":[],}',
        b'{"FIELD":[NaN]}',
        b'{"FIELD":[Infinity]}',
        b'{"FIELD":["\\x"]}',
        b'{"FIELD":["a\nb"]}',
        b'{"FIELD":[{"content":' + b"[" * 90_000,
        b'{"FIELD":[{"content":' + DEEP + b"}]}",
        b'{"other":' + DEEP + b',"FIELD":[]}',
        b'{"FIELD":[],"model":NaN}',
        b'{"FIELD":["\\ud83d \\ue000 \\uf000"]}',
    ],
)
def test_what_is_no_request_is_a_wire_error(bad: bytes, field: str) -> None:
    with pytest.raises(WireError):
        parse(bad.replace(b"FIELD", field.encode()), field)


def test_values_stay_as_they_were_written() -> None:
    request = parse(b'{ "t" : 1.0 , "messages": [ {"a" : 1e2} , 7 ], "model": "caf\\u00e9"} ', "messages")
    assert [bytes(value) for value in request.fields.values()] == [
        b"1.0",
        b'[ {"a" : 1e2} , 7 ]',
        b'"caf\\u00e9"',
    ]
    assert [bytes(item) for item in request.items] == [b'{"a" : 1e2}', b"7"]
    assert (request.model, request.mask, request.alone) == ("café", None, False)
    assert (request.value("t"), request.value("other")) == (1.0, None)


def test_of_a_key_that_comes_twice_the_last_value_counts() -> None:
    request = parse(b'{"messages":[1],"model":"a","messages":[2],"model":"b"}', "messages")
    assert [bytes(item) for item in request.items] == [b"2"]
    assert request.model == "b"


@pytest.mark.parametrize("model", [b"null", b"7", b"[]", b"{}"])
def test_a_model_that_is_no_name_is_none(model: bytes) -> None:
    assert parse(b'{"messages":[],"model":' + model + b"}", "messages").model == ""


def test_an_input_may_be_one_text() -> None:
    request = parse(b'{"input":"hello"}', "input")
    assert request.alone
    assert [bytes(item) for item in request.items] == [b'{"role":"user","content":"hello"}']
    with pytest.raises(WireError):
        parse(b'{"messages":"hello"}', "messages")


def test_half_an_emoji_does_not_hide_a_request() -> None:
    body = rb'{"\ud83d":"\udE00","messages":[{"content":"cut \ud83d, whole \ud83d\ude00"}]}'
    request = parse(body, "messages")
    assert request.mask == 0
    assert bytes(request.items[0]) == rb'{"content":"cut \ue03d, whole \ud83d\ude00"}'


@pytest.mark.parametrize("value", [b"1e999", b"9" * 5_000, b'"\xff"'])
def test_a_value_that_cannot_be_read_holds_up_nobody_who_does_not_ask(value: bytes) -> None:
    request = parse(b'{"odd":' + value + b',"messages":[' + value + b"]}", "messages")
    with pytest.raises(WireError):
        request.value("odd")
    with pytest.raises(WireError):
        element_of(request.items[0])
