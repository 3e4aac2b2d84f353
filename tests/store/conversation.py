"""Records as a proxy would make them, for tests of the scribe."""

from __future__ import annotations

import json
from typing import Any

from metaclaw_tray.store.records import TurnBegun, TurnEnded
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.tree import Reader, root_of

START = 1_772_539_200.0  # 2026-03-03 12:00 UTC


def person(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def agent(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


class Client:
    """Speaks for one agent; times (from `start`, in seconds since 1970) and ids rise with each turn."""

    def __init__(
        self, key: bytes, name: str = "agent", session: str = "session", start: float = START
    ) -> None:
        self.key = key
        self.name = name
        self.session = session
        self.start = start
        self.count = 0

    def begin(
        self, messages: list[dict[str, Any]], *, kind: str = "main", turn_id: str | None = None, **extra: Any
    ) -> TurnBegun:
        self.count += 1
        body = json.dumps({"model": "m", "messages": messages, **extra}).encode()
        dialect = DIALECTS["chat"]
        path = Reader(self.key).path(dialect, dialect.parse(body), root_of(self.key, self.name))
        return TurnBegun(
            turn_id=turn_id or f"{self.session}-turn{self.count:03}",
            session_id=self.session,
            agent=self.name,
            kind=kind,
            dialect="chat",
            upstream="up",
            model="m",
            body=body,
            root=path.root,
            nodes=path.nodes,
            message_ids=path.ids,
            opening=path.opening,
            openings=[path.nodes[place] for place in path.openings],
            generation=0,
            at=self.start + self.count,
        )

    def end(
        self,
        begun: TurnBegun,
        message: dict[str, Any] | None = None,
        *,
        outcome: str = "ok",
        body: bytes | None = None,
        content_type: str = "application/json",
        usage: dict[str, Any] | None = None,
    ) -> TurnEnded:
        if body is None:
            value = {"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
            body = json.dumps(value | ({"usage": usage} if usage else {})).encode()
        return TurnEnded(
            turn_id=begun.turn_id,
            outcome=outcome,
            status=200,
            error="",
            body=body,
            content_type=content_type,
            content_encoding="",
            truncated=False,
            first_byte_at=begun.at + 0.1,
            at=begun.at + 0.2,
        )
