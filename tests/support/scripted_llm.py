"""A deterministic model behind OpenAI's chat completions, for kills and benchmarks.

The model's name in the request chooses how it answers:

    json      1.1 KB at once, always the same bytes
    burst     a stream of 100 chunks, written at once, always the same bytes
    paced     a stream of 100 chunks, one every 10 ms; each holds `T` and its send time (monotonic, ns)
    slow      as any other name, after a pause of 300 ms
    other     a few sentences about the last message, as a stream of one word every 5 ms if one was asked

A request with a JSON schema in `response_format` is a call of the learning; it is answered as
`support.scripted_learner` says, at once and whatever the model's name is.

In a process of its own, `python -m support.scripted_llm [--port N]` prints one line `{"url", "pid"}` and
serves until its standard input ends; in a test, `async with serving() as url`. It listens on 127.0.0.1 and
asks no key.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, cast

import msgspec

from support.http1 import BadMessageError, Request, RequestReader
from support.scripted_learner import answer_schema, chat_answer
from support.standalone import announce, until_input_ends

STAMP = b"T%019d" % 0  # where the send time goes
STREAM_CHUNKS = 100
PACE_SECONDS = 0.010
_WORD_SECONDS = 0.005
_SLOW_SECONDS = 0.300
_MODELS = ["json", "burst", "paced", "slow", "scripted"]


class _ChatRequest(msgspec.Struct):
    """The fields that decide; the rest is skipped without being built."""

    model: str = ""
    stream: bool = False
    messages: msgspec.Raw = msgspec.Raw(b"[]")
    response_format: dict[str, Any] | None = None


class Answer(NamedTuple):
    """What goes on the wire: the pieces one after another, `pause` seconds apart, after `delay` seconds."""

    pieces: list[bytes]
    pause: float = 0.0
    delay: float = 0.0


_decoder = msgspec.json.Decoder(_ChatRequest)


def _whole(status: bytes, payload: dict[str, Any]) -> bytes:
    body = json.dumps(payload).encode()
    return (
        b"HTTP/1.1 " + status + b"\r\ncontent-type: application/json\r\n"
        b"content-length: %d\r\n\r\n" % len(body) + body
    )


def _completion(model: str, text: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1700000000,
        "model": model,
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"},
        ],
        "usage": {"prompt_tokens": 2000, "completion_tokens": 200, "total_tokens": 2200},
    }


def _event(data: bytes) -> bytes:
    event = b"data: " + data + b"\n\n"
    return b"%x\r\n%b\r\n" % (len(event), event)


def _chunk(model: str, delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    payload = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "created": 1700000000,
        "model": model,
        "choices": [choice],
    }
    return _event(json.dumps(payload).encode())


def _stream(model: str, words: Iterator[str]) -> list[bytes]:
    """Head and first chunk are one piece, the last chunk and the end another."""
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    pieces = [_chunk(model, {"content": word}) for word in words]
    pieces[0] = head + pieces[0]
    pieces[-1] += _chunk(model, {}, "stop") + _event(b"[DONE]") + b"0\r\n\r\n"
    return pieces


JSON_ANSWER = _whole(b"200 OK", _completion("json", "The answer is in the usual place. " * 24))
BURST_ANSWER = b"".join(_stream("burst", (f"word{n} " for n in range(STREAM_CHUNKS))))
_BURST = Answer([BURST_ANSWER])
_JSON = Answer([JSON_ANSWER])
_PACED = Answer(_stream("paced", (STAMP.decode() + " " for _ in range(STREAM_CHUNKS))), PACE_SECONDS)


def plan(request: Request) -> Answer:
    """How this request is answered. Pure: the same request, the same bytes (but for send times)."""
    path = request.target.partition(b"?")[0]
    if request.method == b"GET" and path.endswith(b"/models"):
        models = [{"id": name, "object": "model", "owned_by": "tests"} for name in _MODELS]
        return Answer([_whole(b"200 OK", {"object": "list", "data": models})])
    if request.method != b"POST" or not path.endswith(b"/chat/completions"):
        return Answer([_whole(b"404 Not Found", {"error": {"message": "no such path"}})])
    try:
        chat = _decoder.decode(request.body)
    except msgspec.DecodeError as error:
        return Answer([_whole(b"400 Bad Request", {"error": {"message": str(error)}})])
    if chat.response_format and chat.response_format.get("type") == "json_schema":
        wanted = chat.response_format["json_schema"]["schema"]
        answer = json.dumps(answer_schema(wanted, json.loads(bytes(chat.messages))))
        return Answer([_whole(b"200 OK", _completion(chat.model, answer))])
    if chat.model == "json":
        return _JSON
    if chat.model == "burst":
        return _BURST
    if chat.model == "paced":
        return _PACED
    return _talk(chat)


def _talk(chat: _ChatRequest) -> Answer:
    text = chat_answer(json.loads(bytes(chat.messages)))
    delay = _SLOW_SECONDS if chat.model == "slow" else 0.0
    if chat.stream:
        words = re.findall(r"\S+\s*", text)
        return Answer(_stream(chat.model, iter(words)), _WORD_SECONDS, delay)
    return Answer([_whole(b"200 OK", _completion(chat.model, text))], delay=delay)


class _Connection(asyncio.Protocol):
    """One client. Answers go out in the order of the requests."""

    def __init__(self) -> None:
        self._reader = RequestReader()
        self._waiting: deque[Answer] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's own class does not derive from it
        self._loop = asyncio.get_running_loop()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer:
            self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        try:
            requests = self._reader.feed(data)
        except BadMessageError as error:
            self._transport.write(_whole(b"400 Bad Request", {"error": {"message": str(error)}}))
            self._transport.close()
            return
        for request in requests:
            self._waiting.append(plan(request))
            if self._timer is None:
                self._next()

    def _next(self) -> None:
        while self._waiting:
            answer = self._waiting.popleft()
            if answer.delay or len(answer.pieces) > 1:
                self._at(self._loop.time() + answer.delay, answer, 0)
                return
            self._transport.write(answer.pieces[0])

    def _at(self, when: float, answer: Answer, index: int) -> None:
        self._timer = self._loop.call_at(when, self._piece, when, answer, index)

    def _piece(self, due: float, answer: Answer, index: int) -> None:
        """Each piece is due a whole pause after the one before it was, however late that one went out."""
        piece = answer.pieces[index]
        self._transport.write(piece.replace(STAMP, b"T%019d" % time.monotonic_ns()))
        if index + 1 < len(answer.pieces):
            self._at(due + answer.pause, answer, index + 1)
        else:
            self._timer = None
            self._next()


@asynccontextmanager
async def serving(port: int = 0) -> AsyncIterator[str]:
    """The server in this loop; gives the base URL, which ends in `/v1`."""
    server = await asyncio.get_running_loop().create_server(_Connection, "127.0.0.1", port, backlog=512)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


async def _serve_until_input_ends(port: int) -> None:
    async with serving(port) as url:
        announce(url)
        await until_input_ends()
        os._exit(0)  # streams still running are of no use to anybody


def main() -> None:
    import uvloop

    parser = argparse.ArgumentParser(description="A deterministic model for tests.")
    parser.add_argument("--port", type=int, default=0)
    uvloop.run(_serve_until_input_ends(parser.parse_args().port))


if __name__ == "__main__":
    main()
