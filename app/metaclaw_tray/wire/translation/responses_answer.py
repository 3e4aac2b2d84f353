"""An answer of chat completions as one of OpenAI's responses, and the upstream's errors."""

from __future__ import annotations

from typing import Any

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer import error_words
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.translation.chat_stream import failure_in, first_choice
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.reading import object_of, written
from metaclaw_tray.wire.translation.responses_object import failure_of
from metaclaw_tray.wire.translation.responses_stream import ResponsesStream

_KINDS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}
_TOO_LONG = "context_length_exceeded"


def answer_from_chat(body: bytes, names: Names, asked: Request, input_estimate: int = 0) -> bytes:
    """The answer as the client gets it: a whole answer is a stream of one chunk.

    `input_estimate` counts where the upstream did not. Raises WireError where the body is no answer.
    """
    value = object_of(body)
    if value is None:
        raise WireError("the upstream's answer is not JSON")
    if value.get("error"):
        raise WireError(error_words(value["error"]))
    choice = first_choice(value)
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, dict):
        raise WireError("the upstream's answer holds no message")
    if (failed := failure_in(choice)) is not None:
        raise WireError(failed.words)
    # An answer that came whole is over, also where it does not say why.
    ended = {"finish_reason": choice.get("finish_reason") or "stop"}
    chunk = {**value, "choices": [{**choice, **ended, "delta": _numbered(message)}]}
    stream = ResponsesStream(names, asked, input_estimate)
    stream.feed(b"data: " + written(chunk) + b"\n\ndata: [DONE]\n\n")
    return written(stream.response)


def _numbered(message: dict[str, Any]) -> dict[str, Any]:
    """A message whose calls have the indices that those of a stream have."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return message
    numbered = [{**call, "index": n} for n, call in enumerate(calls) if isinstance(call, dict)]
    return {**message, "tool_calls": numbered}


def error_from_chat(status: int, body: bytes) -> tuple[int, bytes]:
    """The upstream's error: its status, and its words in the client's dialect. Both dialects write errors
    the same way, but not all servers do."""
    error = _error_in(status, body)
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        said = {"param": None, **error}
    else:
        said = {"message": error_words(error), "param": None}
    kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "server_error")
    said = {"type": kind, "code": None, **said}
    if failure_of(status, error)["code"] == _TOO_LONG:
        said["code"] = _TOO_LONG
    return status, written({"error": said})


def overflow_stream(status: int, body: bytes, names: Names, asked: Request) -> bytes | None:
    """For a request that asked for a stream: the stream that tells of a conversation that is too long, to be
    sent with status 200; None where the error is another one. Codex knows it in no other form."""
    error = _error_in(status, body)
    if failure_of(status, error)["code"] != _TOO_LONG:
        return None
    return ResponsesStream(names, asked).failed(error, status)


def _error_in(status: int, body: bytes) -> Any:
    value = object_of(body)
    error = None if value is None else value.get("error") or value.get("detail") or value
    return error or body[:500].decode("utf-8", "replace").strip() or f"the upstream answered {status}"
