"""A turn that a client made for itself and that belongs to no exchange, shown like one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from metaclaw_tray.admin.api import ExchangeDetail, ExchangeRow, StepRow, TurnDetail


def as_exchange(detail: TurnDetail) -> ExchangeDetail:
    """Its last message is what was asked."""
    turn = detail.turn
    last = detail.messages[-1] if detail.messages else {}
    answer = _text(detail.answer)
    step = StepRow(
        turn=turn.id,
        said=answer,
        calls=[],
        outcome=turn.outcome,
        error=detail.error,
        model=turn.model,
        upstream=turn.upstream,
        at=turn.at,
        first_byte_ms=detail.first_byte_ms,
        total_ms=detail.total_ms,
        input_tokens=turn.input_tokens,
        cached_tokens=turn.cached_tokens,
        output_tokens=turn.output_tokens,
        usage_estimated=turn.usage_estimated,
        cost=turn.cost,
    )
    row = ExchangeRow(
        id=turn.id,
        turn=turn.id,
        session=turn.session,
        agent=turn.agent,
        at=turn.at or datetime.now(UTC),
        asked=_text(last)[:240],
        answered=answer[:240],
        turns=1,
        model=turn.model,
        upstream=turn.upstream,
        kind=turn.kind,
        outcome=turn.outcome,
        score=turn.verdict,
        thumb=0,
        skills=turn.skills,
        cost=turn.cost,
    )
    return ExchangeDetail(
        row=row,
        asked=_text(last),
        earlier=max(0, len(detail.messages) - 1),
        steps=[step],
        left_out=0,
        said_next="",
        skills=[],
        withheld=[],
        evidence=[],
        note="",
        taught=[],
        side=0,
    )


def _text(message: Any) -> str:
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))
