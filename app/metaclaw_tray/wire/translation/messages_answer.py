"""An answer of chat completions as one of Anthropic's messages, and the upstream's errors."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Raw

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer import Usage, error_words, text
from metaclaw_tray.wire.request import decode_fields
from metaclaw_tray.wire.said import texts_of
from metaclaw_tray.wire.translation import call_ids, thoughts
from metaclaw_tray.wire.translation.chat_stream import failure_in, first_choice, thought_of, written_arguments
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.overflow import is_overflow
from metaclaw_tray.wire.translation.reading import object_of, written
from metaclaw_tray.wire.translation.usage import estimated, usage_of

Block = dict[str, Any]
_KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""Anthropic's names of errors by status (docs.anthropic.com, API errors)."""
_NUMBERS = re.compile(r"\d[\d,]{2,}")
_IN_CHAT = ("n_prompt_tokens", "n_ctx")  # llama.cpp: tokens asked for, and those there are
_NOT_IN_IDS = re.compile(r"[^A-Za-z0-9]+")


def answer_from_chat(body: bytes, names: Names, model: str, input_estimate: int = 0) -> bytes:
    """The answer as the client gets it, under the model's name that it asked for.

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
    content = _content(message, names)
    refused = bool(text(message.get("refusal")))
    called = any(block["type"] == "tool_use" for block in content)
    usage = usage_of(value.get("usage")) or estimated(input_estimate, len(written(content)))
    answer = {
        "id": message_id(text(value.get("id")), names),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": stop_reason(text(choice.get("finish_reason")), called=called, refused=refused),
        "stop_sequence": None,
        "usage": usage_written(usage),
    }
    return written(answer)


def error_from_chat(status: int, body: bytes) -> tuple[int, bytes]:
    """The upstream's error: its status, and its words in the client's dialect.

    A conversation that is too long is always a 400 in the words that clients know as that.
    """
    value = object_of(body)
    error: Any = None if value is None else value.get("error") or value.get("detail") or value
    if error is None:
        error = body[:500].decode("utf-8", "replace").strip() or f"the upstream answered {status}"
    return error_of(status, error)


def error_of(status: int, error: Any) -> tuple[int, bytes]:
    """An upstream's error object, or its words, as the body of an error."""
    words = error_words(error)
    code = text(error.get("code")) or text(error.get("type")) if isinstance(error, dict) else ""
    if is_overflow(status, f"{code} {words}"):
        status, words = 400, _too_long(error, words)
    kind = _KINDS.get(status, "invalid_request_error" if status < 500 else "api_error")
    return status, written({"type": "error", "error": {"type": kind, "message": words}})


def stop_reason(reason: str, *, called: bool, refused: bool) -> str:
    """Why the model ended, in Anthropic's words. Some servers say "stop" of an answer that calls."""
    if reason == "length":
        return "max_tokens"
    if reason == "content_filter" or refused:
        return "refusal"
    return "tool_use" if called else "end_turn"


def usage_written(usage: Usage) -> dict[str, Any]:
    """Usage as Anthropic writes it: tokens from and to the cache are no part of `input_tokens`."""
    value: dict[str, Any] = {
        "input_tokens": usage.input - usage.cached - usage.cache_write,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cached,
        "output_tokens": usage.output,
    }
    if usage.reasoning:
        value["output_tokens_details"] = {"thinking_tokens": min(usage.reasoning, usage.output)}
    return value


def message_id(answer_id: str, names: Names) -> str:
    """An id as Anthropic's are, of the upstream's."""
    return f"msg_{_NOT_IN_IDS.sub('', answer_id)[:64] or names.salt}"


def call_id(upstreams: str, number: int, names: Names) -> str:
    """The id of the answer's `number`th call, for the client."""
    return call_ids.to_client(upstreams, names.salt) if upstreams else call_ids.made(names.salt, number)


def _content(message: dict[str, Any], names: Names) -> list[Block]:
    blocks: list[Block] = []
    thought = thought_of(message)
    if thought.strip():
        blocks.append({"type": "thinking", "thinking": thought, "signature": thoughts.MARK})
    said = "".join(texts_of(message)) + text(message.get("refusal"))
    if said.strip():
        blocks.append({"type": "text", "text": said})
    calls = message.get("tool_calls")
    calls = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    taken: set[str] = set()
    for number, call in enumerate(calls):
        function = call.get("function")
        if not isinstance(function, dict) or not (name := text(function.get("name"))):
            continue  # nobody can answer it
        here = call_id(text(call.get("id")), number, names)
        if here in taken:
            here = call_ids.made(names.salt, number)
        taken.add(here)
        blocks.append(
            {
                "type": "tool_use",
                "id": here,
                "name": names.from_chat(name).name,
                "input": _input(written_arguments(function.get("arguments"))),
            }
        )
    return blocks


def _input(arguments: str) -> Raw | dict[str, str]:
    """Arguments as an object, digit for digit. What is none stands in one field, for the tool to refuse."""
    if not arguments.strip():
        return {}
    try:
        decode_fields(arguments.encode())
        object_there = object_of(arguments.encode()) is not None
    except (msgspec.DecodeError, RecursionError):
        object_there = False
    return Raw(arguments.encode()) if object_there else {"arguments": arguments}


def _too_long(error: Any, words: str) -> str:
    """Claude Code looks for these words, and for the two numbers."""
    fields = error if isinstance(error, dict) else {}
    asked, most = (fields.get(field) for field in _IN_CHAT)
    if not isinstance(asked, int) or not isinstance(most, int):
        numbers = sorted((int(each.replace(",", "")) for each in _NUMBERS.findall(words)), reverse=True)
        if len(numbers) < 2:
            return f"prompt is too long ({words})"
        asked, most = numbers[0], numbers[1]
    return f"prompt is too long: {asked} tokens > {most} maximum ({words})"
