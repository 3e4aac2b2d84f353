"""What was seen of an answer as it went by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from metaclaw_tray.proxy.failures import CutError
from metaclaw_tray.proxy.tee import AnswerCopy

Outcome = Literal["ok", "failed", "cut", "gone"]


@dataclass(slots=True)
class Seen:
    """What was seen of an answer. "gone" stands until something else is known."""

    outcome: Outcome = "gone"
    status: int = 0
    error: str = ""
    content_type: str = ""
    content_encoding: str = ""
    first_byte_at: float = 0.0  # seconds since 1970; 0.0 where no byte came
    upstream: str = ""  # the one that answered, or was asked last
    model: str = ""  # by the name that it was asked for there
    copy: AnswerCopy = field(default_factory=AnswerCopy)


def verdict(seen: Seen) -> tuple[Outcome, str]:
    """How an answer went that came whole, as far as the wire tells."""
    if seen.status >= 300:
        return "failed", f"status {seen.status}"
    kind = media_type(seen.content_type)
    if kind != "text/event-stream" and not kind.endswith("json"):
        return "failed", f"the answer is neither JSON nor an event stream but {kind or 'nothing'}"
    return "ok", ""


def media_type(content_type: str) -> str:
    """The type without its parameters, in small letters."""
    return content_type.partition(";")[0].strip().lower()


def in_words(error: BaseException) -> str:
    """Why a connection failed, in one line."""
    match error:
        case CutError():
            return "the connection broke off"
        case ConnectionResetError():
            return "the connection was reset"
        case TimeoutError():
            return "nothing came for too long"
    return str(error).splitlines()[0] if str(error) else type(error).__name__
