"""Tokens as servers of chat completions count them."""

from __future__ import annotations

from typing import Any

from metaclaw_tray.wire.answer import Usage, counted

_CHARACTERS = 4  # of a token, where nothing better is known


def usage_of(value: Any) -> Usage | None:
    """The usage of an answer or a chunk; None where it says nothing.

    Cached tokens stand in `prompt_tokens_details` (OpenAI), or beside the others: `prompt_cache_hit_tokens`
    (DeepSeek, api-docs.deepseek.com, Context caching) and `cached_tokens` (Moonshot).
    """
    if not isinstance(value, dict) or not isinstance(value.get("prompt_tokens"), int):
        return None
    details = value.get("prompt_tokens_details")
    details = details if isinstance(details, dict) else {}
    of_output = value.get("completion_tokens_details")
    reasoning = of_output.get("reasoning_tokens") if isinstance(of_output, dict) else None
    beside = value.get("prompt_cache_hit_tokens") or value.get("cached_tokens")
    prompt = counted(value["prompt_tokens"])
    cached = min(counted(details.get("cached_tokens") or beside), prompt)
    written = min(counted(details.get("cache_write_tokens")), prompt - cached)
    return Usage(prompt, cached, counted(value.get("completion_tokens")), written, counted(reasoning))


def estimated(prompt: int, characters: int) -> Usage:
    """The usage of an answer of so many characters, where the upstream did not count."""
    return Usage(prompt, 0, -(-characters // _CHARACTERS))
