"""The answers of the benchmark's model, in each dialect: always the same bytes.

The model's name in a request chooses one of them:

    bench-json    about 1.1 KB at once
    bench-burst   a stream of 100 pieces of text, written at once
    bench-paced   the same, one piece every 10 ms; each holds `T` and its send time (monotonic, ns)
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

CHUNKS = 100
PACE_SECONDS = 0.010
STAMP = b"T%019d" % 0
"""Where the send time goes."""

_TEXT = "The answer is in the usual place. " * 24
_EVENT_STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
_HEAD = b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b"

Body = dict[str, Any]


class Answer(NamedTuple):
    """One answer: its body, and the pieces in which it goes out, `PACE_SECONDS` apart if there are more."""

    body: bytes  # without the framing, as the client must see it (but for send times)
    end: bytes  # what the body ends with
    pieces: list[bytes]


def whole(body: bytes, status: bytes = b"200 OK") -> bytes:
    """An answer with a body of known length, as bytes of HTTP."""
    return _HEAD % (status, len(body), body)


def _json(payload: Body) -> Answer:
    body = json.dumps(payload).encode()
    return Answer(body, body[-10:], [whole(body)])


def _stream(begin: list[bytes], pieces: list[bytes], end: list[bytes], *, at_once: bool) -> Answer:
    """Events as HTTP chunks. Those before the text go out with its first piece, those after with its last."""
    frames = [b"%x\r\n%b\r\n" % (len(event), event) for event in pieces]
    first = [b"%x\r\n%b\r\n" % (len(event), event) for event in begin]
    last = [b"%x\r\n%b\r\n" % (len(event), event) for event in end]
    frames[0] = _EVENT_STREAM + b"".join(first) + frames[0]
    frames[-1] += b"".join(last) + b"0\r\n\r\n"
    body = b"".join([*begin, *pieces, *end])
    return Answer(body, end[-1], [b"".join(frames)] if at_once else frames)


def _data(payload: Body) -> bytes:
    return b"data: " + json.dumps(payload).encode() + b"\n\n"


def _named(payload: Body) -> bytes:
    """An event whose name stands in a line of its own and in its data."""
    return b"event: %b\n" % payload["type"].encode() + _data(payload)


def _chat_json() -> Answer:
    message = {"role": "assistant", "content": _TEXT}
    return _json(
        {
            "id": "chatcmpl-bench",
            "object": "chat.completion",
            "created": 1700000000,
            "model": "bench-json",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 2000, "completion_tokens": 200, "total_tokens": 2200},
        }
    )


def _chat_stream(words: list[str], at_once: bool) -> Answer:
    def chunk(delta: Body, finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        head = {"id": "chatcmpl-bench", "object": "chat.completion.chunk", "created": 1700000000}
        return _data({**head, "model": "bench", "choices": [choice]})

    texts = [chunk({"content": word}) for word in words]
    end = [chunk({}, "stop"), b"data: [DONE]\n\n"]
    return _stream([chunk({"role": "assistant", "content": ""})], texts, end, at_once=at_once)


def _message(content: list[Body], stop: str | None, output: int) -> Body:
    return {
        "id": "msg_bench",
        "type": "message",
        "role": "assistant",
        "model": "bench",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 2000, "cache_read_input_tokens": 1500, "output_tokens": output},
    }


def _messages_json() -> Answer:
    return _json(_message([{"type": "text", "text": _TEXT}], "end_turn", 200))


def _messages_stream(words: list[str], at_once: bool) -> Answer:
    def delta(word: str) -> Body:
        return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}}

    block = {"type": "text", "text": ""}
    begin: list[Body] = [
        {"type": "message_start", "message": _message([], None, 1)},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "ping"},
    ]
    stop = {"stop_reason": "end_turn", "stop_sequence": None}
    end: list[Body] = [
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 200}},
        {"type": "message_stop"},
    ]
    texts = [_named(delta(word)) for word in words]
    return _stream([*map(_named, begin)], texts, [*map(_named, end)], at_once=at_once)


def _response(status: str, text: str | None) -> Body:
    response: Body = {
        "id": "resp_bench",
        "object": "response",
        "created_at": 1700000000,
        "status": status,
        "error": None,
        "incomplete_details": None,
        "model": "bench",
        "output": [] if text is None else [_item(status, text)],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
    }
    if text is not None:
        response["usage"] = {"input_tokens": 2000, "output_tokens": 200, "total_tokens": 2200}
    return response


def _item(status: str, text: str | None) -> Body:
    content = [] if text is None else [_part(text)]
    return {"id": "item_bench", "type": "message", "status": status, "role": "assistant", "content": content}


def _part(text: str) -> Body:
    return {"type": "output_text", "text": text, "annotations": []}


def _responses_json() -> Answer:
    return _json(_response("completed", _TEXT))


def _responses_stream(words: list[str], at_once: bool) -> Answer:
    """Every event is numbered, and names the item and the part that it is about."""
    item = {"output_index": 0, "item_id": "item_bench"}
    part = {**item, "content_index": 0}
    text = "".join(words).replace(STAMP.decode(), "sent")  # what was sent when stands in the deltas only
    begin: list[Body] = [
        {"type": "response.created", "response": _response("in_progress", None)},
        {"type": "response.in_progress", "response": _response("in_progress", None)},
        {"type": "response.output_item.added", "output_index": 0, "item": _item("in_progress", None)},
        {"type": "response.content_part.added", **part, "part": _part("")},
    ]
    texts: list[Body] = [{"type": "response.output_text.delta", **part, "delta": word} for word in words]
    end: list[Body] = [
        {"type": "response.output_text.done", **part, "text": text},
        {"type": "response.content_part.done", **part, "part": _part(text)},
        {"type": "response.output_item.done", "output_index": 0, "item": _item("completed", text)},
        {"type": "response.completed", "response": _response("completed", text)},
    ]
    numbered = [
        _named({**event, "sequence_number": number}) for number, event in enumerate([*begin, *texts, *end])
    ]
    first, last = len(begin), len(begin) + len(texts)
    return _stream(numbered[:first], numbered[first:last], numbered[last:], at_once=at_once)


_WORDS = [f"word{number} " for number in range(CHUNKS)]
_STAMPS = [f"{STAMP.decode()} "] * CHUNKS
_SHAPES: dict[str, tuple[Callable[[], Answer], Callable[[list[str], bool], Answer]]] = {
    "chat": (_chat_json, _chat_stream),
    "messages": (_messages_json, _messages_stream),
    "responses": (_responses_json, _responses_stream),
}
ANSWERS: dict[tuple[str, str], Answer] = {
    (dialect, model): answer
    for dialect, (at_once, stream) in _SHAPES.items()
    for model, answer in (
        ("bench-json", at_once()),
        ("bench-burst", stream(_WORDS, True)),
        ("bench-paced", stream(_STAMPS, False)),
    )
}
"""By dialect and model."""
