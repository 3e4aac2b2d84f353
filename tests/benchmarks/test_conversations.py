"""Requests have the size that they are said to have, and each conversation is a new one."""

import itertools
import json

import pytest

from benchmarks.answers import ANSWERS, CHUNKS, STAMP
from benchmarks.cells import DIALECTS, LONG, SHORT
from benchmarks.dialects import bodies
from benchmarks.model import answer_to


@pytest.mark.parametrize("dialect", DIALECTS)
def test_short_requests_are_alike_but_for_the_number_of_their_conversation(dialect: str) -> None:
    first, second = itertools.islice(bodies(dialect, SHORT, "bench-json", False, "the weather"), 2)
    assert len(first) == len(second) == 8 * 1024
    assert first != second
    assert first.replace(b"0000000000", b"0000000001") == second


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_long_conversation_grows_to_its_size_by_calls_and_results(dialect: str) -> None:
    requests = list(itertools.islice(bodies(dialect, LONG, "bench-json", True, "the weather"), 9))
    assert len(requests[7]) == 100 * 1024
    assert [len(each) for each in requests[:8]] == sorted(len(each) for each in requests[:8])
    talks = [json.loads(each)["input" if dialect == "responses" else "messages"] for each in requests]
    assert len(talks[7]) > 55
    assert [len(each) - len(talks[0]) for each in talks] == [0, 2, 4, 6, 8, 10, 12, 14, 0]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_model_knows_what_is_asked_and_says_a_hundred_pieces(dialect: str) -> None:
    path = {"chat": b"chat/completions", "messages": b"messages", "responses": b"responses"}[dialect]
    head = b"POST /v1/%b HTTP/1.1\r\nhost: there" % path
    body = next(bodies(dialect, SHORT, "bench-paced", True, "the weather"))
    answer = answer_to(head, body[:400])
    assert answer is ANSWERS[dialect, "bench-paced"]
    assert len(answer.pieces) == CHUNKS
    assert answer.body.count(STAMP) == CHUNKS
    assert answer_to(head, b'{"model": "another"') is None
