"""The response itself: what it repeats of the request, how it ended, and what it cost."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from msgspec import Raw

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer import Usage, error_words, text
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.translation.names import Names
from metaclaw_tray.wire.translation.overflow import is_overflow
from metaclaw_tray.wire.translation.reading import without_halves, written

_REPEATED: dict[str, Any] = {
    "instructions": None,
    "max_output_tokens": None,
    "max_tool_calls": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "prompt_cache_key": None,
    "reasoning": {"effort": None, "summary": None},
    "safety_identifier": None,
    "temperature": None,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": None,
    "truncation": "disabled",
    "user": None,
}
"""Fields of the request that its response repeats, and what they are where the client left them away."""

_REASONS = {"length": "max_output_tokens", "content_filter": "content_filter"}
_ENCRYPTED = "reasoning.encrypted_content"


class Frame:
    """What stays the same in a response from its first event to its last."""

    def __init__(self, asked: Request, names: Names) -> None:
        asked = without_halves(asked)
        self._names = names
        self._model = asked.model
        self._repeated = {name: _repeated(asked, name, default) for name, default in _REPEATED.items()}
        self.wants_encrypted = _ENCRYPTED.encode() in bytes(asked.fields.get("include", b""))
        self._key, self._created = "", 0

    def begin(self, answer_id: str, created: int) -> None:
        """The upstream began: its id of the answer, and when it was (seconds of the epoch)."""
        self._key = blake2b(f"{self._names.salt}/{answer_id}".encode(), digest_size=16).hexdigest()
        self._created = created

    def item_id(self, index: int) -> str:
        """An id for the item at this place of the output, without what tells its kind."""
        return f"{self._key}{index:02}"

    def response(self, status: str, output: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
        return {
            "id": f"resp_{self._key}",
            "object": "response",
            "created_at": self._created,
            "status": status,
            "background": False,
            "error": None,
            "incomplete_details": None,
            "model": self._model,
            "output": output,
            "previous_response_id": None,
            "store": False,
            "usage": None,
            **self._repeated,
            **more,
        }


def _repeated(asked: Request, name: str, default: Any) -> Any:
    """A field of the request on one line: a line break that a client wrote for beauty would end an event.
    What cannot be read is not repeated."""
    try:
        value = asked.value(name)
        return default if value is None else Raw(written(value))
    except WireError:
        return default


def incomplete_reason(reason: str) -> str | None:
    """Why an answer is not whole, by the reason for its end in chat completions; None where it is."""
    return _REASONS.get(reason)


def usage_written(usage: Usage) -> dict[str, Any]:
    """Usage as responses write it: cached tokens are a part of the input."""
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": usage.cache_write},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": min(usage.reasoning, usage.output)},
        "total_tokens": usage.input + usage.output,
    }


def failure_of(status: int, error: Any) -> dict[str, str]:
    """An upstream's error object, or its words, as a response says them. `status` is that of HTTP, or one
    that stands for the kind of error.

    Codex goes by the code: it shortens the conversation, waits, or tries again.
    """
    fields = error if isinstance(error, dict) else {}
    words, said = error_words(error), f"{text(fields.get('code'))} {text(fields.get('type'))}"
    status = fields["code"] if isinstance(fields.get("code"), int) else status
    if is_overflow(status, f"{said} {words}"):
        return {"code": "context_length_exceeded", "message": words}
    if status == 429 or "rate_limit" in said:
        return {"code": "rate_limit_exceeded", "message": words}
    return {"code": "server_error", "message": words}
