"""What two answers to the same request must have in common: all but ids, times and the server's cache."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pydantic

_IDS = frozenset({"id", "item_id", "call_id", "tool_call_id", "tool_use_id", "response_id"})
_TIMES = frozenset({"created", "created_at", "completed_at", "timings"})
_FROM_CACHE = frozenset({"cached_tokens", "cache_read_input_tokens"})


def comparable(value: Any, model: str) -> Any:
    """The answer, or a list of events, as plain data. The name of the model is an id that stays."""
    if isinstance(value, pydantic.BaseModel):
        value = value.model_dump(mode="json", warnings="none")
    if isinstance(value, list | tuple):
        return [comparable(each, model) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {
        name: "an id" if name in _IDS and inner not in (None, model) else comparable(inner, model)
        for name, inner in value.items()
        if name not in _TIMES and name not in _FROM_CACHE
    }
    if value.get("cache_read_input_tokens"):  # in messages, tokens from the cache are no input tokens
        kept["input_tokens"] = value["input_tokens"] + value["cache_read_input_tokens"]
    return kept


def usage(value: Any) -> tuple[int, int]:
    """Tokens in and out as a `comparable` answer says them last; zeros where it says none.

    In messages the stream's first event tells those in, its last one those out.
    """
    tokens_in = tokens_out = 0
    for each in _dicts(value):
        tokens_in = each.get("prompt_tokens") or each.get("input_tokens") or tokens_in
        tokens_out = each.get("completion_tokens") or each.get("output_tokens") or tokens_out
    return tokens_in, tokens_out


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _dicts(each)
