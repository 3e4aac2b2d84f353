"""OpenAI's chat completions. Its messages are the form that the other dialects are brought to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Raw

from metaclaw_tray.wire.answer import Answer
from metaclaw_tray.wire.answer_chat import assemble_chat
from metaclaw_tray.wire.dialect import Dialect, Draft, Piece, Sort, fields_of, role_in, system_elements
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.said import SYSTEM_ROLES, Message, is_system, texts_of
from metaclaw_tray.wire.splice import with_block


class Chat(Dialect):
    name = "chat"
    conversation = "messages"

    def piece(self, element: dict[str, Any]) -> Piece:
        return Piece(Sort.SYSTEM if is_system(element) else Sort.SAID, [element])

    def answer_from(self, pieces: Sequence[dict[str, Any]]) -> Message:
        return dict(pieces[0])

    def system_texts(self, request: Request) -> list[str]:
        return [text for element in system_elements(request) for text in texts_of(element)]

    def has_system(self, request: Request) -> bool:
        return self._first_system(request) is not None

    def assemble(self, body: bytes, content_type: str) -> Answer:
        return assemble_chat(body, content_type)

    def _first_system(self, request: Request) -> int | None:
        """The first system message that holds text, of those before the conversation."""
        for index, item in enumerate(request.items):
            fields = fields_of(item)
            if role_in(fields) not in SYSTEM_ROLES:
                return None
            content = fields.get("content")  # which may be long, and is not read for this
            if content is not None and bytes(memoryview(content)[:1]) in (b'"', b"["):
                return index
        return None

    def _with_block(self, item: Raw, text: str) -> Raw:
        return with_block(item, text)

    def _put_head(self, draft: Draft, text: str) -> None:
        place = self._first_system(draft.request)
        assert place is not None
        draft.items[place] = with_block(draft.items[place], text)


CHAT = Chat()
