"""Event streams, cut anywhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire.answer import events_of
from metaclaw_tray.wire.sse import Event, EventDecoder


def decode(*chunks: bytes) -> list[Event]:
    decoder = EventDecoder()
    events = [event for chunk in chunks for event in decoder.decode(chunk)]
    return events + decoder.flush()


CANONICAL = b'data: {"a":1}\n\ndata: [DONE]\n\n'


@pytest.mark.parametrize(
    "stream",
    [
        CANONICAL.replace(b"\n", b"\r\n"),
        CANONICAL.replace(b"\n", b"\r"),
        CANONICAL.replace(b"data: ", b"data:"),
        b"\xef\xbb\xbf" + CANONICAL,
        CANONICAL.removesuffix(b"\n\n"),
        CANONICAL.removesuffix(b"\n"),
        b": keep-alive\n\n" + CANONICAL.replace(b"\n\n", b"\n: in between\n\n"),
        b"event: ping\n\nid: 7\nretry: 10\nunknown\ndata_: x\nDATA: x\n data: x\n" + CANONICAL,
    ],
)
def test_every_way_of_writing_a_stream_reads_the_same(stream: bytes) -> None:
    assert decode(stream) == decode(CANONICAL)
    assert decode(*(bytes([byte]) for byte in stream)) == decode(CANONICAL)


def test_events_come_as_soon_as_their_blank_line_does() -> None:
    decoder = EventDecoder()
    assert decoder.decode(b"data: a\n") == []
    assert decoder.decode(b"\r") == [Event("message", "a")]
    assert decoder.decode(b"\ndata: b\r\n\r") == [Event("message", "b")]
    assert decoder.flush() == []


def test_crlf_split_over_two_chunks_is_one_line_end() -> None:
    assert decode(b"data: a\r", b"", b"\ndata: b\r\n\r", b"\ndata: c\r\n\r\n") == [
        Event("message", "a\nb"),
        Event("message", "c"),
    ]


def test_a_character_split_over_chunks_stays_whole() -> None:
    stream = 'data: {"delta":"北京 😀"}\n\n'.encode()
    for cut in range(len(stream)):
        assert decode(stream[:cut], stream[cut:]) == [Event("message", '{"delta":"北京 😀"}')]


def test_an_event_keeps_its_name_for_itself() -> None:
    assert decode(b"event: error\ndata: x\n\ndata: y\n\nevent: lost\n\ndata: z") == [
        Event("error", "x"),
        Event("message", "y"),
        Event("message", "z"),
    ]


def test_the_last_name_of_an_event_counts_and_an_empty_one_is_none() -> None:
    assert decode(b"event: a\nevent: b\ndata: x\n\nevent: a\nevent\ndata: y\n\n") == [
        Event("b", "x"),
        Event("message", "y"),
    ]


def test_empty_lines_of_data_are_data() -> None:
    assert decode(b"data\n\ndata:\ndata: \ndata:  x\n\n: only a comment\n\n") == [
        Event("message", ""),
        Event("message", "\n\n x"),
    ]


def test_a_byte_order_mark_counts_at_the_beginning_alone() -> None:
    mark = b"\xef\xbb\xbf"
    assert decode(mark + mark + b"data: x\n\n" + mark + b"data: y\n\ndata: z\n\n") == [Event("message", "z")]


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert decode(b"data: a\xffb\xe5\x8c\n\n") == [Event("message", "a\ufffdb\ufffd")]


def reference(stream: bytes) -> list[Event]:
    """The rules of the WHATWG (HTML, 9.2.6), read aloud; but what the end of the stream cuts off counts."""
    text = stream.decode("utf-8", "replace").removeprefix("\ufeff")
    name, data, events = "", "", []
    for line in [*re.split("\r\n|\n|\r", text), ""]:
        if not line:
            if data:
                events.append(Event(name or "message", data.removesuffix("\n")))
            name = data = ""
            continue
        field, colon, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if colon and not field:
            continue
        if field == "event":
            name = value
        elif field == "data":
            data += value + "\n"
    return events


FIELDS = [b"data", b"event", b"id", b"retry", b":", b": ", b" ", b"x", b"{}"]
ENDS = [b"\n", b"\r", b"\r\n", b"\n\n"]
ODD = [b"\xef\xbb\xbf", "é".encode(), "😀".encode(), b"\xff", b"\x00", b"\x85", b"\x0b"]
PIECE = st.sampled_from([*FIELDS, *ENDS, *ODD])
STREAM = st.lists(PIECE | st.binary(max_size=3), max_size=30).map(b"".join)


@given(STREAM, st.data())
def test_any_stream_reads_by_the_rules_however_it_is_cut(stream: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert decode(*chunks) == decode(stream) == reference(stream)


@given(
    st.lists(
        st.sampled_from([b"data: {}", b"data:1", b"event: x\ndata: 2", b": c", b"", b"\n", b"data: \xe5"])
    )
)
def test_the_short_way_through_whole_streams_gives_the_same_events(pieces: list[bytes]) -> None:
    body = b"\n\n".join([*pieces, b"data: {}\n\n"])
    decoder = EventDecoder()
    assert list(events_of(body)) == [*decoder.decode(body), *decoder.flush()]
