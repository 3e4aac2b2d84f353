"""OpenAI's responses. An answer comes back in parts (reasoning, texts, calls), which make one message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw

from metaclaw_tray.wire.answer import Answer
from metaclaw_tray.wire.answer_responses import assemble_responses, message_of_items, parts_of
from metaclaw_tray.wire.dialect import (
    Dialect,
    Draft,
    Piece,
    Sort,
    element_of,
    role_of,
    system_elements,
    texts_in,
)
from metaclaw_tray.wire.request import Request, encode
from metaclaw_tray.wire.said import SYSTEM_ROLES, Message, is_system
from metaclaw_tray.wire.splice import extended, with_block


class Responses(Dialect):
    name = "responses"
    conversation = "input"

    def piece(self, element: dict[str, Any]) -> Piece:
        kind, role = element.get("type"), element.get("role")
        if is_system(element):
            return Piece(Sort.SYSTEM, [{"role": "system", "content": parts_of(element.get("content"))}])
        if isinstance(kind, str) and kind.endswith("_output"):
            result = {
                "role": "tool",
                "tool_call_id": element.get("call_id"),
                "content": parts_of(element.get("output")),
            }
            return Piece(Sort.SAID, [result])
        if kind in (None, "message") and role != "assistant":
            return Piece(Sort.SAID, [{"role": role, "content": parts_of(element.get("content"))}])
        return Piece(Sort.MODEL, [])

    def answer_from(self, pieces: Sequence[dict[str, Any]]) -> Message:
        return message_of_items(pieces)

    def system_texts(self, request: Request) -> list[str]:
        elements = system_elements(request)
        later = [text for each in elements for text in texts_in(parts_of(each.get("content")))]
        return [*texts_in(request.value("instructions")), *later]

    def has_system(self, request: Request) -> bool:
        return _has_instructions(request) or self._leading(request) > 0

    def assemble(self, body: bytes, content_type: str) -> Answer:
        return assemble_responses(body, content_type)

    def _leading(self, request: Request) -> int:
        """How many elements at the beginning are the client's instructions."""
        count = 0
        for item in request.items:
            if role_of(item) not in SYSTEM_ROLES:
                break
            count += 1
        return count

    def _with_block(self, item: Raw, text: str) -> Raw:
        return with_block(item, text, "input_text")

    def _put_head(self, draft: Draft, text: str) -> None:
        if _has_instructions(draft.request):
            draft.fields["instructions"] = extended(draft.fields["instructions"], text)
            return
        place = self._leading(draft.request)
        role = element_of(draft.items[place - 1]).get("role")  # a server may know only one of the two
        content = [{"type": "input_text", "text": text}]
        draft.items.insert(place, Raw(encode({"type": "message", "role": role, "content": content})))


def _has_instructions(request: Request) -> bool:
    raw = request.fields.get("instructions")
    return raw is not None and bytes(memoryview(raw)[:1]) == b'"' and len(bytes(raw)) > 2


RESPONSES = Responses()
