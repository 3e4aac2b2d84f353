"""Event streams, cut anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        b": keep-alive\n\n" + CANONICAL.replace(b"\n\n", b"\n: in between\n\n"),
        b"event: ping\n\nid: 7\nretry: 10\nunknown\n" + CANONICAL,
    ],
)
def test_every_way_of_writing_a_stream_reads_the_same(stream: bytes) -> None:
    assert decode(stream) == decode(CANONICAL)
    assert decode(*(bytes([byte]) for byte in stream)) == decode(CANONICAL)


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


LINE_END = st.sampled_from([b"\n", b"\r\n", b"\r"])
EVENT = st.tuples(
    st.sampled_from(["message", "error", "ping"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=30),
)


@given(st.lists(EVENT, max_size=6), LINE_END, st.data())
def test_cuts_never_change_what_is_read(
    events: list[tuple[str, str]], end: bytes, data: st.DataObject
) -> None:
    stream = b"".join(
        b"event: " + name.encode() + end + b"data: " + text.encode() + end + end for name, text in events
    )
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert decode(*chunks) == [Event(name, text) for name, text in events]


@given(st.binary(max_size=200), st.data())
def test_any_bytes_read_the_same_however_cut(stream: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(stream)))
    assert decode(stream[:cut], stream[cut:]) == decode(stream)
