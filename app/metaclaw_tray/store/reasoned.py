"""What models thought before their answers, as far as it is in the record."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import text
from sqlmodel import Session as Db

from metaclaw_tray.store.columns import moment
from metaclaw_tray.wire.translation.thoughts import MARK, OUR_THOUGHT, in_answer


@dataclass(frozen=True, slots=True)
class ReasonedAnswer:
    """An answer of a model that thought first, redacted."""

    agent: str
    upstream: str
    node: bytes
    message: dict[str, Any]
    thought: str


# From the newest turn on. The bodies of those that were not translated, or had no thoughts, are not read out.
_QUERY = text(
    "SELECT t.agent AS agent, t.upstream AS upstream, t.answer_node AS node, m.body AS body"
    " FROM turn t CROSS JOIN node n ON n.id = t.answer_node CROSS JOIN message m ON m.id = n.message_id"
    " WHERE t.id > coalesce((SELECT id FROM turn ORDER BY id DESC LIMIT 1 OFFSET :turns), '')"
    " AND t.begun_at >= :since AND t.dialect IN ('messages', 'responses')"
    " AND (instr(m.body, :mark) > 0 OR instr(m.body, :item) > 0)"
    " ORDER BY t.id DESC"
)


def reasoned(db: Db, *, most: int, limit: int, since: datetime) -> list[ReasonedAnswer]:
    """The newest translated answers whose model thought first, oldest of them first: among the last `limit`
    turns, if they began since then, with at most `most` bytes of thoughts."""
    marks = {"mark": f'"signature":"{MARK}"'.encode(), "item": f'"id":"{OUR_THOUGHT}_'.encode()}
    found: list[ReasonedAnswer] = []
    size = 0
    for row in db.execute(_QUERY, {"since": moment(since), "turns": limit, **marks}):
        message = msgspec.json.decode(row.body)
        if not (thought := in_answer(message)).strip():
            continue
        size += len(thought.encode())
        if size > most:
            break
        found.append(ReasonedAnswer(row.agent, row.upstream, row.node, message, thought))
    return found[::-1]
