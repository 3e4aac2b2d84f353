"""Anthropic's messages.

A user message may hold results of tools and the person's words at once; here they are messages of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw

from metaclaw_tray.wire.answer import Answer
from metaclaw_tray.wire.answer_messages import assemble_messages, message_of_blocks
from metaclaw_tray.wire.dialect import Dialect, Draft, Piece, Sort, system_elements, texts_in
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.said import Message, is_system
from metaclaw_tray.wire.splice import extended, with_block


class Messages(Dialect):
    name = "messages"
    conversation = "messages"

    def piece(self, element: dict[str, Any]) -> Piece:
        if is_system(element):
            return Piece(Sort.SYSTEM, [element])
        content = element.get("content")
        if not isinstance(content, list):
            return Piece(Sort.SAID, [element])
        if element.get("role") == "assistant":
            return Piece(Sort.SAID, [message_of_blocks(content)])
        return Piece(Sort.SAID, _of_the_user(element, content))

    def answer_from(self, pieces: Sequence[dict[str, Any]]) -> Message:
        return dict(pieces[0])

    def system_texts(self, request: Request) -> list[str]:
        later = [text for each in system_elements(request) for text in texts_in(each.get("content"))]
        return [*texts_in(request.value("system")), *later]

    def has_system(self, request: Request) -> bool:
        raw = request.fields.get("system")
        return raw is not None and bytes(memoryview(raw)[:1]) in (b'"', b"[") and len(bytes(raw)) > 2

    def assemble(self, body: bytes, content_type: str) -> Answer:
        return assemble_messages(body, content_type)

    def _with_block(self, item: Raw, text: str) -> Raw:
        return with_block(item, text)

    def _put_head(self, draft: Draft, text: str) -> None:
        draft.fields["system"] = extended(draft.fields["system"], text)


def _of_the_user(element: dict[str, Any], content: list[Any]) -> list[Message]:
    results: list[Message] = []
    others: list[Any] = []
    for part in content:
        if isinstance(part, dict) and part.get("type") == "tool_result":
            results.append(_result(part))
        else:
            others.append(part)
    if not results:
        return [element]
    return [*results, {"role": "user", "content": others}] if others else results


def _result(part: dict[str, Any]) -> Message:
    message: Message = {
        "role": "tool",
        "tool_call_id": part.get("tool_use_id"),
        "content": part.get("content"),
    }
    if part.get("is_error") is True:
        message["is_error"] = True
    return message


MESSAGES = Messages()
