"""However the bytes are cut on their way, the messages are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.http1 import BadMessageError, RequestReader, ResponseReader

_bodies = st.binary(max_size=300)
_cuts = st.lists(st.integers(min_value=1, max_value=40), min_size=1, max_size=60)


def _pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    pieces: list[bytes] = []
    at = 0
    while at < len(data):
        size = cuts[len(pieces) % len(cuts)]
        pieces.append(data[at : at + size])
        at += size
    return pieces


@given(st.lists(_bodies, min_size=1, max_size=4), _cuts)
def test_requests_come_whole_and_in_order(bodies: list[bytes], cuts: list[int]) -> None:
    wire = b"".join(
        b"POST /v1/x?y=1 HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        for body in bodies
    )
    reader = RequestReader()
    requests = [request for piece in _pieces(wire, cuts) for request in reader.feed(piece)]
    assert [request.body for request in requests] == bodies
    assert {request.target for request in requests} == {b"/v1/x?y=1"}
    assert requests[0].headers[b"host"] == b"here"


@given(st.lists(st.binary(min_size=1, max_size=90), max_size=5), _cuts)
def test_a_chunked_answer_gives_the_bytes_of_its_chunks(chunks: list[bytes], cuts: list[int]) -> None:
    wire = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    wire += b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\n\r\n"
    reader = ResponseReader()
    body = b"".join(reader.feed(piece) for piece in _pieces(wire, cuts))
    assert body == b"".join(chunks)
    assert reader.done
    assert reader.status == 200


@given(_bodies, _cuts)
def test_an_answer_with_a_length_ends_there(body: bytes, cuts: list[int]) -> None:
    wire = b"HTTP/1.1 404 Not Found\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)
    reader = ResponseReader()
    assert b"".join(reader.feed(piece) for piece in _pieces(wire, cuts)) == body
    assert reader.done
    assert reader.status == 404


def test_an_answer_without_an_end_is_refused() -> None:
    with pytest.raises(BadMessageError, match="neither a length nor chunks"):
        ResponseReader().feed(b"HTTP/1.1 200 OK\r\n\r\nhello")
