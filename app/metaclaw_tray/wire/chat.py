"""The dialect of OpenAI's chat completions: a typed view over a request."""

from __future__ import annotations

import re

import msgspec
from msgspec import Raw, Struct

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.canonical import Message
from metaclaw_tray.wire.surrogates import masked

_decode_fields = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_items = msgspec.json.Decoder(list[Raw]).decode
_decode_messages = msgspec.json.Decoder(list[Message]).decode
_decode = msgspec.json.Decoder().decode

# What clients put into the person's messages, or send in the person's name.
_WRAPPED = re.compile(r"<(system-reminder|environment_context|local-command-[a-z]+)>.*?</\1>", re.DOTALL)
_NOT_THE_PERSONS = (
    "<system-reminder>",
    "<environment_context>",
    "<local-command-",
    "[SYSTEM NOTIFICATION - NOT USER INPUT]",
    "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>",
    "This session is being continued from a previous conversation",
    "Another language model started to solve this problem",
)


class ChatRequest(Struct, frozen=True, gc=False):
    """A request as it was sent (`fields`: raw JSON values) and as it reads (`messages`)."""

    fields: dict[str, Raw]
    messages: list[Message]
    model: str
    mask: int | None = None  # how lone surrogates are masked in the raw values; None where there are none

    @property
    def items(self) -> list[Raw]:
        """The elements of `messages` as they were sent."""
        return _decode_items(self.fields["messages"])

    @property
    def stream(self) -> bool:
        """Whether the answer is to come in pieces."""
        return bytes(self.fields.get("stream", b"")) == b"true"

    @property
    def system_text(self) -> str:
        """All texts of the roles system and developer."""
        return "\n\n".join(text_of(message) for message in self.messages if is_system(message))

    @property
    def last_words(self) -> str:
        """The text of the person's last message; empty where there is none."""
        words = (persons_words(message) for message in reversed(self.messages))
        return next((each for each in words if each is not None), "")


def parse_request(body: bytes) -> ChatRequest:
    """Read a request. Raises WireError for anything but an object with a list of message objects."""
    try:
        return _parsed(body, None)
    except WireError:
        if b"\\ud" not in body and b"\\uD" not in body:
            raise
    try:
        plain, mask = masked(body)
    except ValueError as error:
        raise WireError(str(error)) from error
    return _parsed(plain, mask)


def _parsed(body: bytes, mask: int | None) -> ChatRequest:
    try:
        fields = _decode_fields(body)
        raw_messages = fields.get("messages")
        if raw_messages is None:
            raise WireError("the request has no messages")
        messages = _decode_messages(raw_messages)
        model = _decode(fields["model"]) if "model" in fields else ""
    except (msgspec.DecodeError, RecursionError) as error:
        raise WireError(f"the request cannot be read: {error}") from error
    return ChatRequest(fields, messages, model if isinstance(model, str) else "", mask)


def is_system(message: Message) -> bool:
    """Whether the message holds the client's instructions rather than a part of the conversation."""
    return message.get("role") in ("system", "developer")


def is_persons(message: Message) -> bool:
    """Whether the person said it, and not the client in the person's name."""
    return persons_words(message) is not None


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
    return "" if words.startswith(_NOT_THE_PERSONS) else words


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
