"""Exchanges in brief, many at a time: a few statements, and none that grows with a conversation's length."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec

_FACTS = """
SELECT asked.id, asked.session_id, asked.agent, asked.started_at, asked.lineage,
    (SELECT message.body FROM node CROSS JOIN message ON message.id = node.message_id
     WHERE node.id = asked.opening),
    (SELECT count(*) FROM turn WHERE turn.exchange_id = asked.id AND turn.kind = 'main'),
    (SELECT sum(turn.cost_usd) FROM turn WHERE turn.exchange_id = asked.id),
    (SELECT min(verdict.score) FROM verdict WHERE verdict.exchange_id = asked.id),
    (SELECT evidence.value FROM evidence WHERE evidence.exchange_id = asked.id AND evidence.kind = 'feedback'
     ORDER BY evidence.at DESC, evidence.id DESC LIMIT 1)
FROM json_each(:ids) AS named CROSS JOIN exchange AS asked ON asked.id = named.value
"""
_TURNS = """
SELECT turn.id, turn.session_id, turn.agent, turn.begun_at, turn.model, turn.upstream, turn.kind,
    turn.outcome, turn.cost_usd,
    (SELECT message.body FROM node CROSS JOIN message ON message.id = node.message_id
     WHERE node.id = turn.request_node),
    (SELECT message.body FROM node CROSS JOIN message ON message.id = node.message_id
     WHERE node.id = turn.answer_node)
FROM json_each(:ids) AS named CROSS JOIN turn ON turn.id = named.value
"""
# The blocks that stand on an exchange's path, the newest last.
_CARRIED = """
SELECT skills FROM injection WHERE session_id = :session AND skills <> '[]'
    AND instr(:lineage, lower(hex(substr(anchor, 1, 8)))) > 0 ORDER BY at, anchor
"""
# Counted in the days, so that a list of a million turns need not be read for it.
_AGENTS = "SELECT DISTINCT agent FROM session ORDER BY agent LIMIT 200"
_MODELS = "SELECT model FROM day_cost WHERE model <> '' GROUP BY model ORDER BY sum(turns) DESC LIMIT 200"

Body = dict[str, Any]


@dataclass(frozen=True)
class Brief:
    """What a row of a list says."""

    exchange_id: str | None
    turn_id: str
    session_id: str
    agent: str
    at: datetime
    opening: Body | None  # the person's message; of a side turn the last message of its request
    answer: Body | None
    turns: int
    model: str
    upstream: str
    kind: str
    outcome: str
    score: int | None
    thumb: int
    skills: tuple[str, ...]
    cost: float | None


def briefs(connection: sqlite3.Connection, wanted: Sequence[tuple[str | None, str]]) -> list[Brief]:
    """These exchanges, each as the turn beside it stands for it; in the order given."""
    exchanges = _by_id(connection, _FACTS, [each for each, _ in wanted if each is not None])
    turns = _by_id(connection, _TURNS, [turn for _, turn in wanted])
    made = []
    for exchange_id, turn_id in wanted:
        turn = turns.get(turn_id)
        if turn is None:
            continue
        _, session, agent, begun, model, upstream, kind, outcome, cost, request, answer = turn
        facts = exchanges.get(exchange_id or "")
        lineage, opening, count, score, thumb, at = "", request, 1, None, 0, begun
        if facts is not None:
            _, _, _, at, lineage, opened, count, summed, score, thumb = facts
            if kind == "main":
                opening, cost = opened, summed
            else:
                at, count = begun, 1
        made.append(
            Brief(
                exchange_id=exchange_id,
                turn_id=turn_id,
                session_id=session,
                agent=agent,
                at=datetime.fromtimestamp(at / 1_000_000, UTC),
                opening=_body(opening),
                answer=_body(answer),
                turns=count,
                model=model,
                upstream=upstream,
                kind=kind,
                outcome=outcome,
                score=score,
                thumb=thumb or 0,
                skills=_skills(connection, session, lineage) if lineage else (),
                cost=cost,
            )
        )
    return made


def facets(connection: sqlite3.Connection) -> tuple[list[str], list[str]]:
    """Agents by name, and models by how often they were asked."""
    agents, models = (
        [name for (name,) in connection.execute(query).fetchall()] for query in (_AGENTS, _MODELS)
    )
    return agents, models


def _skills(connection: sqlite3.Connection, session: str, lineage: str) -> tuple[str, ...]:
    rows = connection.execute(_CARRIED, {"session": session, "lineage": lineage})
    return tuple(dict.fromkeys(name for (skills,) in rows for name in json.loads(skills)))


def _by_id(connection: sqlite3.Connection, query: str, ids: Iterable[str]) -> dict[str, Any]:
    return {row[0]: row for row in connection.execute(query, {"ids": json.dumps(list(ids))})}


def _body(raw: bytes | None) -> Body | None:
    made: Body | None = msgspec.json.decode(raw) if raw is not None else None
    return made
