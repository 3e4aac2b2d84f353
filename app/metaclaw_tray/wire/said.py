"""Who said what: the person's own words, told apart from what clients send in the person's name.

Works on messages in the one form that all dialects are brought to (`wire.dialect`).
"""

from __future__ import annotations

import re
from typing import Any

Message = dict[str, Any]
"""A message in the shape of chat completions: role, content, tool_calls, tool_call_id."""

# What clients put into the person's messages, or send in the person's name.
_WRAPPED = re.compile(r"<(system-reminder|environment_context|local-command-[a-z]+)>.*?</\1>", re.DOTALL)
_STAMP = re.compile(r"\[[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} \d{2}:\d{2}[^\]]{0,12}\] ?")
_CONTEXT = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>"
_SUMMARIES = (
    "This session is being continued from a previous conversation",
    "Another language model started to solve this problem",
)
_NOT_THE_PERSONS = (
    "<system-reminder>",
    "<environment_context>",
    "<local-command-",
    "[SYSTEM NOTIFICATION - NOT USER INPUT]",
    "[Queued user message from a previous active turn",
    _CONTEXT,
    *_SUMMARIES,
)
_VOLATILE = re.compile(
    r"<system-reminder>.*?</system-reminder>\s*"
    r"|<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>.*?<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\s*",
    re.DOTALL,
)


def is_system(message: Message) -> bool:
    """Whether the message holds the client's instructions rather than a part of the conversation."""
    return message.get("role") in ("system", "developer")


def is_persons(message: Message) -> bool:
    """Whether the person said it, and not the client in the person's name."""
    return persons_words(message) is not None


def is_summary(message: Message) -> bool:
    """Whether the client put it in place of a conversation that had become too long."""
    return message.get("role") == "user" and text_of(message).lstrip().startswith(_SUMMARIES)


def persons_words(message: Message) -> str | None:
    """What the person said in a message; None where it is not the person's. A picture without words says "".

    A message that holds nothing but what clients add is not the person's.
    """
    if message.get("role") != "user":
        return None
    content = message.get("content")
    if isinstance(content, str):
        return _own_words(content) or None
    words = persons_text(message)
    if words:
        return words
    shows = isinstance(content, list) and any(
        isinstance(part, dict) and part.get("type") not in (None, "text") for part in content
    )
    return "" if shows else None


def persons_text(message: Message) -> str:
    """The person's own words in a message: what clients put before or around them is left out."""
    own = [_own_words(text) for text in texts_of(message)]
    return "\n".join([words for words in own if words])


def _own_words(text: str) -> str:
    words = text.strip()
    while words.startswith("<") and (wrapped := _WRAPPED.match(words)):
        words = words[wrapped.end() :].lstrip()
    if words.startswith("[") and (stamp := _STAMP.match(words)):
        words = words[stamp.end() :]
    return "" if words.startswith(_NOT_THE_PERSONS) else words


def lasting(text: str) -> str:
    """The text without what clients move about or send once: reminders and contexts of their own."""
    if "<system-reminder>" in text or _CONTEXT in text:
        return _VOLATILE.sub("", text).strip()
    return text


def text_of(message: Message) -> str:
    """All text of a message."""
    return "\n".join(texts_of(message))


def texts_of(message: Message) -> list[str]:
    """The texts of a message, one for each text part."""
    content = message.get("content")
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    texts = [part.get("text") if isinstance(part, dict) else part for part in content]
    return [text for text in texts if isinstance(text, str)]
