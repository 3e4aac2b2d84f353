"""Thoughts on their way through a translation, and back.

Some upstreams refuse a conversation whose thoughts are missing, and clients send thoughts back only with a
signature beside them, if at all. The mark says that a thought is such an upstream's own, and holds no secret:
thoughts of chat completions are not signed. Thoughts with another's signature belong to another model. Where
a client left its thoughts away, somebody who remembers them may put them back (`Recall`).
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any

from msgspec import Struct

from metaclaw_tray.wire.answer import text
from metaclaw_tray.wire.canonical import cleaned_id, is_unique
from metaclaw_tray.wire.said import Message
from metaclaw_tray.wire.translation import call_ids

MARK = "metaclaw.cmVhc29uaW5nX2NvbnRlbnQ"

OUR_THOUGHT = "rs_metaclaw"
"""How the ids of thoughts begin that came through a translation: some clients keep nothing else of them."""

Recall = Callable[[range, Message], str]
"""Given one of the model's messages in chat completions that came without its thoughts, and the indices among
which its last element stands in the request: what the model thought, or nothing."""


class Reasoned(Struct, frozen=True, gc=False):
    """An answer of a model that thought first."""

    message: Message  # as the client's dialect reads it
    thought: str


_LONG = 80  # characters from which on no two answers are the same by chance


def is_ours(signature: object) -> bool:
    """Whether a thought with this signature came through a translation."""
    return isinstance(signature, str) and signature.startswith("metaclaw.")


def put_back(message: Message, among: range, recall: Recall | None) -> None:
    """Give one of the model's messages its thoughts, where it has none and they are remembered."""
    if recall is not None and not message.get("reasoning_content") and (thought := recall(among, message)):
        message["reasoning_content"] = thought


def in_answer(message: Message) -> str:
    """The thoughts in a translated answer, as the dialects read it; nothing where there are none of ours."""
    found: list[str] = []
    for block in _objects(message.get("thinking")):
        if is_ours(block.get("signature")):
            found.append(text(block.get("thinking")))
    for item in _objects(message.get("items")):
        if item.get("type") == "reasoning" and str(item.get("id")).startswith(OUR_THOUGHT):
            found += [text(part.get("text")) for part in _objects(item.get("summary"))]
    return "".join(found)


def known_by(message: Message) -> bytes:
    """What tells a model's message from all others, wherever it stands: the ids of its calls, where chance
    made them, or the words of a long text. Nothing where it may have been said twice.

    The same for an answer as it came and for the message that a client sends back, in either form.
    """
    calls = message.get("tool_calls")
    if calls:
        ids = [cleaned_id(call_ids.to_chat(text(call.get("id")))) for call in _objects(calls)]
        return _digest(b"calls", *ids) if ids and all(map(is_unique, ids)) else b""
    said = _words(message.get("content")).strip()
    return _digest(b"words", said) if len(said) >= _LONG else b""


def _words(content: Any) -> str:
    if isinstance(content, list):
        return "".join(text(part.get("text")) for part in _objects(content))
    return text(content)


def _digest(kind: bytes, *said: str) -> bytes:
    whole = "\0".join(said).encode("utf-8", "backslashreplace")
    return blake2b(whole, digest_size=16, person=kind).digest()


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
