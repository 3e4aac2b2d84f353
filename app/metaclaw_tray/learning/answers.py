"""Reading what a server of chat completions answered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from metaclaw_tray.learning.model import Message, UnusableAnswerError
from metaclaw_tray.prices import Tokens
from metaclaw_tray.wire.answer_chat import chat_usage

T = TypeVar("T")


def content(answer: Message) -> str:
    """The text of an answer. Raises UnusableAnswerError where it has none."""
    text = message_of(answer).get("content")
    if not isinstance(text, str) or not text.strip():
        raise UnusableAnswerError("The learning model said nothing", "Its answer holds no text.", "")
    return text


def said(answer: Message) -> str:
    """The text of an answer with the tools it would call, in words. Raises UnusableAnswerError where there is
    neither."""
    message = message_of(answer)
    calls = message.get("tool_calls")
    lines = [_called(call) for call in calls] if isinstance(calls, list) else []
    if not any(lines):
        return content(answer)
    text = message.get("content")
    return "\n".join([*([text] if isinstance(text, str) and text.strip() else []), *filter(None, lines)])


def message_of(answer: Message) -> Message:
    """The model's message; an empty one where the answer holds none."""
    try:
        message = answer["choices"][0]["message"]
    except (KeyError, IndexError, TypeError):
        return {}
    return message if isinstance(message, dict) else {}


def value(text: str, form: type[T]) -> T:
    """The JSON object in an answer, around which models like to talk. Raises UnusableAnswerError."""
    start, end = text.find("{"), text.rfind("}")
    try:
        return msgspec.json.decode(text[start : end + 1] if start >= 0 else text, type=form)
    except (msgspec.DecodeError, RecursionError) as error:
        raise UnusableAnswerError("The learning model's answer is out of shape", f"{error}.", "") from error


def likelihood(answer: Message, options: Sequence[str]) -> dict[str, float] | None:
    """How likely the answer begins with each option, adding up to 1; empty where none is among the likeliest
    words, None where the server does not tell."""
    try:
        first = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        likely = [(str(each["token"]).strip().lower(), math.exp(float(each["logprob"]))) for each in first]
    except (KeyError, IndexError, TypeError, ValueError, OverflowError):
        return None
    weights = {option: sum(p for token, p in likely if token == option.lower()) for option in options}
    total = sum(weights.values())
    return {option: weight / total for option, weight in weights.items()} if total > 0 else {}


def tokens(answer: Message) -> Tokens | None:
    """What the server counted; None where it did not say both numbers."""
    usage = answer.get("usage")
    if not isinstance(usage, dict):
        return None
    sent, got = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not isinstance(sent, int) or not isinstance(got, int) or (counted := chat_usage(usage)) is None:
        return None
    return Tokens(
        input=counted.input,
        cached=counted.cached,
        output=counted.output,
        cache_write=counted.cache_write,
        reasoning=counted.reasoning,
    )


def model_of(answer: Message) -> str:
    """What the server calls the model that answered."""
    name = answer.get("model")
    return name if isinstance(name, str) else ""


def _called(call: Any) -> str:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        return ""
    return f"[calls {function.get('name')} with {function.get('arguments')}]"
