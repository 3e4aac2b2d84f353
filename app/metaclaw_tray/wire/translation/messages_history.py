"""A conversation of Anthropic's messages as one of chat completions.

Chat completions want the results of calls right behind the message that called, one message each, and nothing
in between; pictures can stand in users' messages only. What a user's message holds beside results follows
them. Nothing is mended: a result without its call stays one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw

from metaclaw_tray.wire.dialect import element_of
from metaclaw_tray.wire.request import Request, decode_fields, decode_items
from metaclaw_tray.wire.said import Message, is_system
from metaclaw_tray.wire.translation import call_ids, thoughts
from metaclaw_tray.wire.translation.messages_parts import (
    Part,
    joined,
    kind_of,
    parts_of,
    parts_of_block,
    simplest,
    text_in,
    text_part,
)
from metaclaw_tray.wire.translation.names import Names, Tool
from metaclaw_tray.wire.translation.refusal import Untranslatable

_BILLING = "x-anthropic-billing-header:"
"""Clients put a line of accounting before their instructions. It differs between conversations, so that no
server would find the instructions behind it in its cache."""
_FAILED = ("error", "<tool_use_error>")


def chat_messages(
    request: Request,
    names: Names,
    *,
    own_reasoning: bool,
    images: bool,
    recall: thoughts.Recall | None = None,
) -> list[Message]:
    """The request's system texts and messages. Raises WireError, and Untranslatable for what has no place.

    System messages that stand before the first answer become part of the first system message. Later ones
    stay where they are, as a reminder in the user's name: what stood before them is still the same to the
    upstream's cache.
    """
    system = [text for text in _texts(request.value("system"), "system") if not text.startswith(_BILLING)]
    conversation = _Conversation()
    answered = False
    for index, item in enumerate(request.items):
        place = f"messages[{index}]"
        element = element_of(item)
        content = element.get("content")
        role = element.get("role")
        if is_system(element):
            texts = _texts(content, f"{place}.content")
            if not answered:
                system += texts
            elif texts:
                conversation.user([text_part(_reminder(joined(texts)))])
        elif role == "assistant":
            answered = True
            message = _assistant(content, item, f"{place}.content", names, own_reasoning)
            thoughts.put_back(message, range(index, index + 1), recall)
            conversation.assistant(message)
        elif role == "user":
            _add_user(conversation, content, f"{place}.content", images)
        else:
            raise Untranslatable(f"{place}.role", "a message is the user's, the assistant's or the system's")
    first = [{"role": "system", "content": joined(system)}] if any(system) else []
    return [*first, *conversation.messages()]


def _texts(content: Any, place: str) -> list[str]:
    return _only_texts(parts_of(content, place, images=True), place)


def _only_texts(parts: list[Part], place: str) -> list[str]:
    if any(part["type"] != "text" for part in parts):
        raise Untranslatable(place, "instructions and answers are text there")
    return [part["text"] for part in parts]


def _reminder(text: str) -> str:
    return text if text.startswith("<system-reminder>") else f"<system-reminder>\n{text}\n</system-reminder>"


class _Conversation:
    """Messages in the order that chat completions want."""

    def __init__(self) -> None:
        self._messages: list[Message] = []
        self._held: list[Message] = []  # said while results were still to come
        self._open: set[str] = set()  # calls whose results have not come

    def user(self, parts: Sequence[Part]) -> None:
        (self._held if self._open else self._messages).append(
            {"role": "user", "content": simplest(list(parts))}
        )

    def result(self, message: Message) -> None:
        self._messages.append(message)
        self._open.discard(message["tool_call_id"])

    def assistant(self, message: Message) -> None:
        last = self._messages[-1] if self._messages else None
        calls = message.get("tool_calls", [])
        if self._open and not self._held and last is not None and last["role"] == "assistant":
            # Two messages of the model without a word between them are one to Anthropic.
            last["content"] = joined((last["content"], message["content"]))
            last["tool_calls"] = [*last["tool_calls"], *calls]
            if reasoned := message.get("reasoning_content"):
                last["reasoning_content"] = joined((last.get("reasoning_content", ""), reasoned))
        else:
            self._release()
            self._open.clear()
            self._messages.append(message)
        self._open.update(call["id"] for call in calls)

    def settle(self) -> None:
        """A message of the client ended."""
        if not self._open:
            self._release()

    def messages(self) -> list[Message]:
        self._release()
        return self._messages

    def _release(self) -> None:
        self._messages += self._held
        self._held.clear()


def _assistant(content: Any, item: Raw, place: str, names: Names, own_reasoning: bool) -> Message:
    if isinstance(content, str) or content is None:
        return {"role": "assistant", "content": content or ""}
    if not isinstance(content, list):
        raise Untranslatable(place, "content is a text or a list of blocks")
    said: list[str] = []
    reasoned: list[str] = []
    calls: list[dict[str, Any]] = []
    raw: list[Raw] = []
    for index, block in enumerate(content):
        here = f"{place}[{index}]"
        kind = kind_of(block, here)
        if kind == "tool_use":
            raw = raw or decode_items(decode_fields(item)["content"])
            calls.append(_call(block, decode_fields(raw[index]).get("input"), here, names))
        elif kind == "thinking":
            if own_reasoning and thoughts.is_ours(block.get("signature")):
                reasoned.append(text_in(block, "thinking", here))
        elif kind != "redacted_thinking":
            said += _only_texts(parts_of_block(block, here, images=True), here)
    message: Message = {"role": "assistant", "content": "".join(said)}
    if reasoned:
        message["reasoning_content"] = "".join(reasoned)
    if calls:
        message["tool_calls"] = calls
    return message


def _call(block: Part, arguments: Raw | None, place: str, names: Names) -> dict[str, Any]:
    """A call. Its arguments stay as the client wrote them, digit for digit."""
    written = bytes(arguments) if arguments is not None else b"null"
    if written == b"null":
        written = b"{}"
    elif not written.startswith(b"{"):
        written = b'{"input":' + written + b"}"  # templates of models go through the arguments by their names
    name = names.to_chat(Tool(text_in(block, "name", place)))
    function = {"name": name, "arguments": written.decode()}
    return {"id": call_ids.to_chat(text_in(block, "id", place)), "type": "function", "function": function}


def _add_user(conversation: _Conversation, content: Any, place: str, images: bool) -> None:
    if not isinstance(content, list):
        conversation.user(parts_of(content, place, images=images))
        return
    shown: list[Part] = []
    said: list[Part] = []
    results = 0
    for index, block in enumerate(content):
        here = f"{place}[{index}]"
        if kind_of(block, here) == "tool_result":
            results += 1
            conversation.result(_result(block, here, shown, images))
        else:
            said += parts_of_block(block, here, images=images)
    if shown or said or not results:
        conversation.user([*shown, *said])
    conversation.settle()


def _result(block: Part, place: str, shown: list[Part], images: bool) -> Message:
    """A result of a tool. Pictures and files in it are added to what is `shown` behind the results."""
    texts: list[str] = []
    for part in parts_of(block.get("content"), f"{place}.content", images=images):
        if part["type"] == "text":
            texts.append(part["text"])
            continue
        kind = "image" if part["type"] == "image_url" else "file"
        number = 1 + len(shown) // 2
        texts.append(f"[{kind} {number} of the tools' results follows]")
        shown += [text_part(f"[{kind} {number} of the tools' results]"), part]
    text = joined(texts)
    if block.get("is_error") is True and not text.lower().startswith(_FAILED):
        text = f"Error: {text}"
    called = call_ids.to_chat(text_in(block, "tool_use_id", place))
    return {"role": "tool", "tool_call_id": called, "content": text}
