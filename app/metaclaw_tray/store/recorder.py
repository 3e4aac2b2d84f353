"""Turning records into rows: the scribe's work, less its process.

Everything here happens inside the transaction it is given. Messages and nodes that are known to be committed
are remembered, so that a conversation of fifty turns is not written fifty times.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlmodel import Session as Db

from metaclaw_tray.ids import new_id
from metaclaw_tray.redact import redact_json, redact_text
from metaclaw_tray.store import turns
from metaclaw_tray.store.records import (
    BlockInjected,
    Dropped,
    SessionEnded,
    ToScribe,
    TurnBegun,
    TurnEnded,
)
from metaclaw_tray.store.tables import TurnKind, TurnOutcome, tag
from metaclaw_tray.store.writing import Answered, OpenTurn, Pen
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer import Answer, assemble_answer
from metaclaw_tray.wire.canonical import canonical, canonical_answer
from metaclaw_tray.wire.chat import ChatRequest, is_persons, is_system, parse_request, texts_of
from metaclaw_tray.wire.coding import decoded
from metaclaw_tray.wire.tree import answer_node, root_of

_REMEMBERED = 100_000  # ids of committed messages and nodes, 16 bytes each
_OPEN_TURNS = 4096
_DECODED_LIMIT = 64 * 1024 * 1024  # bytes of an answer without its content encoding
_CHARACTERS_A_TOKEN = 4  # the usual rough estimate where the upstream sends no usage

Body = dict[str, Any]


@dataclass
class Learnt:
    """What a batch of records brought to light."""

    ended: list[str] = field(default_factory=list)  # turns that ended
    judgeable: list[str] = field(default_factory=list)  # turns whose next state came from the person

    def add(self, other: Learnt) -> None:
        self.ended += other.ended
        self.judgeable += other.judgeable


class Recorder:
    """Applies records to the database."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._fresh: set[bytes] = set()
        self._open: OrderedDict[str, OpenTurn] = OrderedDict()

    def commit(self) -> None:
        """What was written since the last call is on the disk now."""
        for each in self._fresh:
            self._known[each] = None
        self._fresh.clear()
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def forget_uncommitted(self) -> None:
        """What was written since the last commit may have been undone."""
        self._fresh.clear()
        self._open.clear()

    def apply(self, db: Db, record: ToScribe) -> Learnt:
        """Write one record. Raises ValueError (WireError among them) where it holds nothing storable."""
        pen = Pen(db.connection())
        match record:
            case TurnBegun():
                return self._begin(pen, record)
            case TurnEnded():
                return self._end(db, pen, record)
            case BlockInjected():
                pen.injection(msgspec.structs.asdict(record) | {"at": _moment(record.at)})
            case SessionEnded():
                pen.end_session(record.session_id, record.reason, _moment(record.at))
            case Dropped():
                pen.notice(_dropped(record))
            case _:
                raise ValueError(f"{type(record).__name__} is nothing to store")
        return Learnt()

    def _begin(self, pen: Pen, record: TurnBegun) -> Learnt:
        at = _moment(record.at)
        request = _request(record.body)
        spoken = [message for message in request.messages if not is_system(message)] if request else []
        root = root_of(self._key, record.agent)
        tip = record.nodes[-1] if record.nodes else root
        pen.session(record.session_id, record.agent, record.nodes[0] if record.nodes else root, at)
        kept: list[Body] = []
        if len(spoken) == len(record.nodes):
            self._grow(pen, record.nodes, spoken, kept)
        exchange_id = self._exchange(pen, record, spoken, at)
        row = {
            "id": record.turn_id,
            "exchange_id": exchange_id,
            "session_id": record.session_id,
            "agent": record.agent,
            "kind": record.kind,
            "outcome": TurnOutcome.OPEN,
            "dialect": record.dialect,
            "upstream": record.upstream,
            "model": record.model,
            "request_node": tip,
            "system_id": self._system(request, kept),
            "settings_id": self._settings(request, kept),
            "generation": record.generation,
            "retry_of": self._retried(pen, record, tip),
            "input_tokens": _estimated(request.messages) if request else 0,
            "usage_estimated": True,
            "begun_at": at,
        }
        pen.messages(kept)
        if not pen.turn(row):
            return Learnt()  # told twice: a scribe died between commit and answer
        depth = len(record.nodes) if len(spoken) == len(record.nodes) else 0
        self._open[record.turn_id] = OpenTurn(tip, record.session_id, exchange_id, record.kind, depth)
        if len(self._open) > _OPEN_TURNS:
            self._open.popitem(last=False)
        if record.kind != TurnKind.MAIN:
            return Learnt()
        return _link_back(pen, record, spoken)

    def _grow(self, pen: Pen, nodes: Sequence[bytes], spoken: Sequence[Body], kept: list[Body]) -> None:
        """Write the nodes of a path that are not known to be there, and collect their messages."""
        rows, parent = [], None
        for depth, (node, message) in enumerate(zip(nodes, spoken, strict=True), start=1):
            if node not in self._known and node not in self._fresh:
                message_id = self._keep(canonical(message), message, str(message.get("role", "")), kept)
                rows.append({"id": node, "parent": parent, "message_id": message_id, "depth": depth})
                self._fresh.add(node)
            parent = node
        pen.nodes(rows)

    def _keep(self, form: bytes, message: Body, role: str, kept: list[Body]) -> bytes:
        """Keep a message once, redacted; its id is a keyed hash of its canonical form."""
        message_id = hashlib.blake2b(form, digest_size=16, key=self._key, person=b"message").digest()
        if message_id not in self._known and message_id not in self._fresh:
            redacted, count = redact_json(message)
            body = msgspec.json.encode(redacted)
            kept.append(
                {"id": message_id, "role": role, "body": body, "size": len(form), "redactions": count}
            )
            self._fresh.add(message_id)
        return message_id

    def _system(self, request: ChatRequest | None, kept: list[Body]) -> bytes | None:
        text = request.system_text if request else ""
        return (
            self._keep(text.encode(), {"role": "system", "content": text}, "system", kept) if text else None
        )

    def _settings(self, request: ChatRequest | None, kept: list[Body]) -> bytes | None:
        """The request less its messages; known again by its raw bytes, for tools can be long."""
        if request is None:
            return None
        fields = {name: raw for name, raw in request.fields.items() if name != "messages"}
        form = msgspec.json.encode(fields)
        return self._keep(form, msgspec.json.decode(form), "settings", kept)

    def _exchange(self, pen: Pen, record: TurnBegun, spoken: Sequence[Body], at: datetime) -> str | None:
        """The exchange that the turn belongs to: a side turn belongs to one but never opens one."""
        if record.opening < 0:
            return None
        opening = record.nodes[record.opening]
        found = pen.exchange_at(record.session_id, opening)
        if found is not None or record.kind != TurnKind.MAIN:
            return found
        lineage = [tag(node) for node, each in zip(record.nodes, spoken, strict=False) if is_persons(each)]
        if tag(opening) not in lineage:
            lineage.append(tag(opening))
        made = new_id(at)
        pen.exchange(
            {
                "id": made,
                "session_id": record.session_id,
                "agent": record.agent,
                "opening": opening,
                "lineage": "/".join(lineage),
                "generation": record.generation,
                "started_at": at,
            }
        )
        return made

    def _retried(self, pen: Pen, record: TurnBegun, tip: bytes) -> str | None:
        if not record.nodes or record.kind != TurnKind.MAIN:
            return None
        return pen.earlier(tip, record.session_id, record.turn_id)

    def _end(self, db: Db, pen: Pen, record: TurnEnded) -> Learnt:
        begun = self._open.pop(record.turn_id, None) or pen.open_turn(record.turn_id)
        if begun is None:
            raise ValueError("a turn ended whose beginning was dropped")
        answer = _answer(record)
        outcome, error = _outcome(record, answer)
        values: Body = {
            "outcome": outcome,
            "error": redact_text(error)[0],  # an upstream likes to quote the key that it refuses
            "finish_reason": answer.finish_reason if answer else "",
            "status": record.status,
            "truncated": record.truncated,
            "first_byte_at": _moment(record.first_byte_at) if record.first_byte_at else None,
            "ended_at": _moment(record.at),
        }
        learnt = Learnt(ended=[record.turn_id])
        if answer is not None:
            values |= _tokens(answer)
            if outcome == TurnOutcome.OK and answer.message:
                values["answer_node"] = answer_node(self._key, begun.request_node, answer.message)
                self._answered(pen, begun, values["answer_node"], answer.message)
                pen.end_turn(record.turn_id, values)
                learnt.add(_link_forward(db, pen, record, begun, values["answer_node"]))
                return learnt
        pen.end_turn(record.turn_id, values)
        return learnt

    def _answered(self, pen: Pen, begun: OpenTurn, node: bytes, message: Body) -> None:
        kept: list[Body] = []
        message_id = self._keep(canonical_answer(message), message, "assistant", kept)
        pen.messages(kept)
        parent = begun.request_node if begun.depth else None
        pen.nodes([{"id": node, "parent": parent, "message_id": message_id, "depth": begun.depth + 1}])
        self._fresh.add(node)


def _link_back(pen: Pen, record: TurnBegun, spoken: Sequence[Body]) -> Learnt:
    """This request is the next state of the turn whose answer is the deepest one on its path.

    Answers before the one that the person's last message replies to have had their next state long ago.
    """
    first = max(record.opening - 1, 0)
    answers = record.nodes[first:-1]
    if not answers:
        return Learnt()
    waiting = {each.answer_node: each for each in pen.without_next_state(answers, record.turn_id)}
    for place in range(len(record.nodes) - 2, first - 1, -1):
        answered = waiting.get(record.nodes[place])
        if answered is not None:
            following = spoken[place + 1] if place + 1 < len(spoken) else {}
            return _linked(pen, answered, record.turn_id, following, _moment(record.at))
    return Learnt()


def _link_forward(db: Db, pen: Pen, record: TurnEnded, begun: OpenTurn, node: bytes) -> Learnt:
    """The next request was recorded before this answer: rare, but a fast client can do it."""
    if begun.kind != TurnKind.MAIN:
        return Learnt()
    for later, tip in pen.later(begun.session_id, record.turn_id):
        below = turns.path(db, tip, above=node)
        if below and below[0].parent == node:
            answered = Answered(record.turn_id, node, begun.exchange_id)
            first = turns.body(db, below[0].message_id)
            return _linked(pen, answered, later, first, _moment(record.at))
    return Learnt()


def _linked(pen: Pen, answered: Answered, following: str, first: Body, at: datetime) -> Learnt:
    origin = "person" if is_persons(first) else "tool"
    pen.link(answered.turn_id, following, origin)
    if origin != "person" or answered.exchange_id is None:
        return Learnt()
    pen.due(answered.turn_id, at)
    return Learnt(judgeable=[answered.turn_id])


def _request(body: bytes) -> ChatRequest | None:
    try:
        return parse_request(body)
    except WireError:
        return None  # it was forwarded all the same; the turn is kept without its text


def _answer(record: TurnEnded) -> Answer | None:
    if not record.body:
        return None
    try:
        body = decoded(record.body, record.content_encoding, _DECODED_LIMIT)
        return assemble_answer(body, record.content_type)
    except WireError:
        return None


def _outcome(record: TurnEnded, answer: Answer | None) -> tuple[TurnOutcome, str]:
    """What the wire says, corrected by what the answer itself says: an error inside a 200 is a failure."""
    outcome = TurnOutcome(record.outcome)
    if outcome is TurnOutcome.GONE and answer is not None and answer.complete and not answer.error:
        return (
            TurnOutcome.OK,
            "",
        )  # clients hang up at the last event, without waiting for the end of the body
    if outcome is not TurnOutcome.OK:
        return outcome, record.error or (answer.error if answer else "")
    if answer is None:
        return TurnOutcome.FAILED, record.error or "the answer could not be read"
    if answer.error:
        return TurnOutcome.FAILED, answer.error
    if not answer.complete and not record.truncated:
        return TurnOutcome.CUT, "the stream ended before the answer did"
    return TurnOutcome.OK, ""


def _tokens(answer: Answer) -> Body:
    if answer.usage is None:  # the estimate made when the turn began stands
        return {"output_tokens": _estimated([answer.message]) if answer.message else 0}
    return {
        "input_tokens": answer.usage.input,
        "cached_tokens": answer.usage.cached,
        "output_tokens": answer.usage.output,
        "usage_estimated": False,
    }


def _estimated(messages: Sequence[Body]) -> int:
    return sum(len(text) for message in messages for text in texts_of(message)) // _CHARACTERS_A_TOKEN


def _dropped(record: Dropped) -> Body:
    at = _moment(record.at)
    reason = "the pipe to the store was full; the agent was not kept waiting"
    return {
        "id": new_id(at),
        "kind": "dropped",
        "subject": "turns",
        "reason": reason,
        "count": record.count,
        "at": at,
    }


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
