"""What is read the short way reads as it does the long way."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire import answer_chat, answer_messages
from metaclaw_tray.wire.answer import Answer, events_of
from metaclaw_tray.wire.sse import Event, EventDecoder

ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, "", "text", 0, 1, True, [], {}, "\ud83d", "\N{CRAB}", [{}]]
)
LATER = {
    "model": "m",
    "id": "i",
    "choices": [{"index": 0, "delta": {"content": "last"}, "finish_reason": "stop"}],
}
CHUNKS = st.fixed_dictionaries(
    {
        "choices": st.lists(
            st.fixed_dictionaries(
                {
                    "delta": st.fixed_dictionaries(
                        {"content": st.one_of(st.text(max_size=5), ODD)},
                        optional=dict.fromkeys(("role", "refusal", "tool_calls", "reasoning_content"), ODD),
                    )
                },
                optional=dict.fromkeys(("index", "finish_reason", "logprobs", "message"), ODD),
            ),
            max_size=2,
        )
    },
    optional=dict.fromkeys(("id", "model", "usage", "error", "object"), ODD),
)
DELTAS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["content_block_delta", "content_block_start", ""]),
        "delta": st.fixed_dictionaries(
            {
                "type": st.sampled_from(["text_delta", "input_json_delta"]),
                "text": st.one_of(st.text(max_size=5), ODD),
            },
            optional=dict.fromkeys(("citation", "thinking"), ODD),
        ),
    },
    optional={"index": ODD, "usage": ODD},
)


def stream(chunks: list[Any]) -> bytes:
    return b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)


def both_ways(assemble: Callable[[bytes, str], Answer], where: Any, body: bytes) -> tuple[Answer, Answer]:
    def never(data: str) -> Any:
        raise msgspec.DecodeError

    short = assemble(body, "text/event-stream")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(where, "_plain", never)
        return short, assemble(body, "text/event-stream")


@given(st.lists(CHUNKS, max_size=12))
def test_chunks_of_chat(chunks: list[Any]) -> None:
    short, long = both_ways(answer_chat.assemble_chat, answer_chat, stream([*chunks, LATER]))
    assert short == long


@given(st.lists(DELTAS, max_size=12))
def test_events_of_messages(chunks: list[Any]) -> None:
    body = stream([*chunks, {"type": "message_stop"}])
    short, long = both_ways(answer_messages.assemble_messages, answer_messages, body)
    assert short == long


LINES = ["event: ping", "event:", "event: ", "data: {}", "data:", "data: [1]", ": word", "id: 7", "odd", ""]


@given(st.lists(st.sampled_from(LINES)))
def test_events_whatever_their_lines(lines: list[str]) -> None:
    body = "\n".join(lines).encode() + b"\n\n"
    decoder = EventDecoder()
    long = [*decoder.decode(body), *decoder.flush()]
    assert list(events_of(body)) == long


def test_an_event_is_its_name_and_its_data() -> None:
    assert list(events_of(b"event: a\ndata: 1\n\ndata: 2\n\n")) == [Event("a", "1"), Event("message", "2")]
