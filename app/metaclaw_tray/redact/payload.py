"""Secrets in a JSON value: in its texts, and under its names."""

from __future__ import annotations

import json
from typing import Any, Final

from metaclaw_tray.redact.names import Promise, promise_of
from metaclaw_tray.redact.phrases import is_phrase
from metaclaw_tray.redact.spans import mark
from metaclaw_tray.redact.text import redact_text
from metaclaw_tray.redact.verdict import Form, is_secret

UNTOUCHED_KEYS = frozenset({"signature", "encrypted_content", "thoughtSignature", "thought_signature"})
"""Values that a provider checks bit by bit; they are opaque to us and hold nothing of the person's."""

NESTING_LIMIT = 200  # levels of JSON; what lies deeper is left out whole

_SEALED_TYPES: Final = frozenset({"redacted_thinking", "reasoning.encrypted"})  # whose `data` is such a value
_NAMING: Final = ("name", "key")  # {"name": "DB_PASSWORD", "value": "…"}
_LONGEST_NAME: Final = 64
_MARK: Final = "[redacted:"


def redact_json(value: Any) -> tuple[Any, int]:
    """A JSON value without its secrets, and how many there were; the same object if there were none.

    Text under a name such as `api_key` goes whole. Numbers, order and the number of fields stay.
    """
    return _value(value, Promise.NOTHING, NESTING_LIMIT)


def _value(value: Any, promise: Promise, depth: int) -> tuple[Any, int]:
    """`promise` is what the name says under which the value stands."""
    if isinstance(value, str):
        return _text(value, promise, depth)
    if not isinstance(value, list | dict):
        return value, 0
    if depth == 0:
        return mark("nesting"), 1
    if isinstance(value, dict):
        return _object(value, depth - 1)
    count = 0
    changed = []
    for item in value:
        fresh, found = _value(item, promise, depth - 1)
        changed.append(fresh)
        count += found
    return (changed, count) if count else (value, 0)


def _text(text: str, promise: Promise, depth: int) -> tuple[str, int]:
    redacted, count = redact_text(text)
    if "\\" in redacted and redacted[:1] in ("{", "["):
        redacted, within = _encoded(redacted, depth)
        count += within
    if promise is not Promise.NOTHING and text and count == 0 and is_secret(promise, Form.FIELD, text):
        return mark("field"), 1
    return redacted, count


def _encoded(text: str, depth: int) -> tuple[str, int]:
    """A text that is JSON itself, as the arguments of a tool are: an escape in it may hide a secret.

    It is written anew only where that was so.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text, 0
    redacted, count = _value(value, Promise.NOTHING, depth - 1) if depth else (value, 0)
    return (json.dumps(redacted, ensure_ascii=False), count) if count else (text, 0)


def _object(fields: dict[str, Any], depth: int) -> tuple[dict[str, Any], int]:
    count = 0
    changed: dict[str, Any] = {}
    named = _named(fields)
    for name, item in fields.items():
        if isinstance(item, str) and _is_sealed(name, item, fields):
            changed[name] = item
            continue
        promise = named if name == "value" else _promise(name)
        if isinstance(item, str) and is_phrase(name, item):
            fresh, found = mark("seed-phrase"), 1
        else:
            fresh, found = _value(item, promise, depth)
        kept, hidden = redact_text(name)
        while hidden and kept in changed:
            kept += "'"  # two names that were secrets stay two
        changed[kept] = fresh
        count += found + hidden
    return (changed, count) if count else (fields, 0)


def _promise(name: str) -> Promise:
    """What a name says of its value. One that was a secret itself, and is out by now, says nothing."""
    return promise_of(name) if len(name) <= _LONGEST_NAME and _MARK not in name else Promise.NOTHING


def _named(fields: dict[str, Any]) -> Promise:
    """What the field `value` holds, where another one gives its name."""
    if "value" not in fields:
        return Promise.NOTHING
    names = (fields[each] for each in _NAMING if isinstance(fields.get(each), str))
    return next((_promise(name) for name in names), Promise.NOTHING)


def _is_sealed(name: str, text: str, fields: dict[str, Any]) -> bool:
    """Whether a provider will check this text bit by bit: one run without a space, under such a name."""
    if name not in UNTOUCHED_KEYS and not (name == "data" and fields.get("type") in _SEALED_TYPES):
        return False
    return not any(letter.isspace() for letter in text)
