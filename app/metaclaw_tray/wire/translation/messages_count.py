"""How many tokens a request will be to an upstream that cannot be asked: an estimate, and to be called so."""

from __future__ import annotations

import json
import re
from typing import Any

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.request import Request, decode
from metaclaw_tray.wire.said import Message, texts_of
from metaclaw_tray.wire.translation.messages_request import to_chat
from metaclaw_tray.wire.translation.thoughts import Recall
from metaclaw_tray.wire.translation.token_count import tokens_in
from metaclaw_tray.wire.translation.token_families import family_of

# What the template of Qwen 2.5 puts around messages, calls and tools; others differ by some tokens each.
_MESSAGE = 5  # around a message
_BEGUN = 3  # and before the answer
_CALL = 19  # around a call: its tags, and the names of its fields
_RESULT = 6
_TOOLS = 80  # the template's own words about tools
_PICTURE = 1000  # depends on the model and the picture's size
_OF_A_FILE = 20  # the text of a PDF is a part of its bytes
_BYTES = 4  # of JSON for a token, very roughly
_ATTACHED = re.compile(rb'(?<!\\)"data:(image/)?[^",;]{0,100}(?:;[^",;]{0,100}){0,4};base64,([^"]*)"')


def estimate_tokens(request: Request, recall: Recall | None = None) -> int:
    """The tokens of a request of messages (`count_tokens`), mostly within 10 % of the upstream's own count.

    The model's name tells whose vocabulary counts; for a name that is not known the mean of all does, which
    is farther off where they differ.

    Raises WireError, and Untranslatable, as the translation does.
    """
    body = to_chat(request, stream=False, recall=recall).body
    try:
        return tokens_of_chat(decode(body))
    except RecursionError as error:
        raise WireError("the request is nested too deep to be counted") from error


def tokens_of_chat(chat: dict[str, Any]) -> int:
    """The tokens of a translated request, decoded."""
    family, tools = family_of(chat["model"]), chat.get("tools") or ()
    # Templates print tools with a space behind each comma and colon.
    declared = sum(tokens_in(json.dumps(tool, ensure_ascii=False), family) + 1 for tool in tools)
    said = sum(_of_message(message, family) for message in chat["messages"])
    return _BEGUN + said + declared + (_TOOLS if tools else 0)


def roughly_tokens(chat: bytes) -> int:
    """The tokens of a translated request by its size, pictures and files aside: to be had at once, and good
    enough for what the upstream's own count replaces later."""
    attached, tokens = 0, 0
    for found in _ATTACHED.finditer(chat):
        attached += len(found[0])
        tokens += _PICTURE if found[1] else len(found[2]) // _OF_A_FILE
    return tokens + (len(chat) - attached) // _BYTES


def _of_message(message: Message, family: int) -> int:
    total = _RESULT if message["role"] == "tool" else _MESSAGE
    total += sum(tokens_in(text, family) for text in texts_of(message))
    total += tokens_in(message.get("reasoning_content") or "", family)
    for call in message.get("tool_calls") or ():
        function = call["function"]
        total += _CALL + tokens_in(function["name"], family) + tokens_in(function["arguments"], family)
    content = message.get("content")
    for part in content if isinstance(content, list) else ():
        if part["type"] == "image_url":
            total += _PICTURE
        elif part["type"] == "file":
            total += len(part["file"]["file_data"]) // _OF_A_FILE
    return total
