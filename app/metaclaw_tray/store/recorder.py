"""Turning records into rows: the scribe's work, less its process.

Everything here happens inside the transaction it is given. Messages, nodes and sessions that are known to be
committed are remembered, so that a conversation of fifty turns is not looked up fifty times.
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
from sqlmodel import col, select

from metaclaw_tray.ids import new_id
from metaclaw_tray.redact import redact_json
from metaclaw_tray.store import turns
from metaclaw_tray.store.records import (
    BlockInjected,
    Dropped,
    SessionEnded,
    ToScribe,
    TurnBegun,
    TurnEnded,
)
from metaclaw_tray.store.tables import (
    Exchange,
    Injection,
    Message,
    Node,
    Notice,
    Session,
    Turn,
    TurnKind,
    TurnOutcome,
    tag,
)
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer import Answer, assemble_answer
from metaclaw_tray.wire.canonical import canonical, canonical_answer
from metaclaw_tray.wire.chat import ChatRequest, is_persons, is_system, parse_request
from metaclaw_tray.wire.coding import decoded
from metaclaw_tray.wire.tree import answer_node, root_of

_REMEMBERED = 50_000  # committed message and node ids, 16 bytes each
_LOOKED_BACK = 50  # turns of a session searched for one that a late answer links to
_DECODED_LIMIT = 64 * 1024 * 1024  # bytes of an answer without its content encoding
_CHARACTERS_A_TOKEN = 4  # the usual rough estimate where the upstream sends no usage


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

    def apply(self, db: Db, record: ToScribe) -> Learnt:
        """Write one record. Raises ValueError (WireError among them) where it holds nothing storable."""
        match record:
            case TurnBegun():
                return self._begin(db, record)
            case TurnEnded():
                return self._end(db, record)
            case BlockInjected():
                db.merge(
                    Injection(
                        anchor=record.anchor,
                        session_id=record.session_id,
                        block=record.block,
                        skills=record.skills,
                        tokens=record.tokens,
                        generation=record.generation,
                        at=_moment(record.at),
                    )
                )
            case SessionEnded():
                turns.end_session(db, record.session_id, record.reason, _moment(record.at))
            case Dropped():
                at = _moment(record.at)
                reason = "the pipe to the store was full; the agent was not kept waiting"
                db.add(
                    Notice(
                        id=new_id(at),
                        kind="dropped",
                        subject="turns",
                        reason=reason,
                        count=record.count,
                        at=at,
                    )
                )
            case _:
                raise ValueError(f"{type(record).__name__} is nothing to store")
        return Learnt()

    def _begin(self, db: Db, record: TurnBegun) -> Learnt:
        at = _moment(record.at)
        request = _request(record.body)
        spoken = [message for message in request.messages if not is_system(message)] if request else []
        tip = record.nodes[-1] if record.nodes else root_of(self._key, record.agent)
        self._see_session(db, record, at)
        if len(spoken) == len(record.nodes):
            self._grow(db, record.nodes, spoken)
        exchange = self._exchange(db, record, spoken, at)
        if db.get(Turn, record.turn_id) is not None:
            return Learnt()  # told twice: a scribe died between commit and answer
        turn = Turn(
            id=record.turn_id,
            exchange_id=exchange.id if exchange else None,
            session_id=record.session_id,
            agent=record.agent,
            kind=record.kind,
            outcome=TurnOutcome.OPEN,
            dialect=record.dialect,
            upstream=record.upstream,
            model=record.model,
            request_node=tip,
            answer_node=None,
            system_id=self._system(db, request),
            settings_id=self._settings(db, request),
            generation=record.generation,
            retry_of=_earlier(db, record, tip),
            begun_at=at,
        )
        db.add(turn)
        db.flush()
        if record.kind != TurnKind.MAIN or not record.nodes:
            return Learnt()
        return self._link_back(db, turn, record, spoken)

    def _see_session(self, db: Db, record: TurnBegun, at: datetime) -> None:
        session = db.get(Session, record.session_id)
        if session is None:
            root = record.nodes[0] if record.nodes else root_of(self._key, record.agent)
            session = Session(id=record.session_id, agent=record.agent, root=root, started_at=at, last_at=at)
        session.last_at = max(session.last_at, at)
        session.ended_at, session.end_reason = None, None  # a client may come back to a session that was over
        db.add(session)
        db.flush()

    def _grow(self, db: Db, nodes: Sequence[bytes], spoken: Sequence[dict[str, Any]]) -> None:
        """Write the nodes of a path that are not there yet, with their messages."""
        missing = self._missing(db, nodes)
        parent = None
        for depth, (node, message) in enumerate(zip(nodes, spoken, strict=True), start=1):
            if node in missing:
                message_id = self._store(db, canonical(message), message, str(message.get("role", "")))
                db.add(Node(id=node, parent=parent, message_id=message_id, depth=depth))
                self._fresh.add(node)
                missing.discard(node)
            parent = node
        db.flush()

    def _missing(self, db: Db, nodes: Sequence[bytes]) -> set[bytes]:
        doubtful = [node for node in nodes if node not in self._known]
        there: set[bytes] = set()
        for start in range(0, len(doubtful), 500):
            there.update(db.exec(select(Node.id).where(col(Node.id).in_(doubtful[start : start + 500]))))
        self._fresh |= there
        return set(doubtful) - there

    def _store(self, db: Db, form: bytes, message: dict[str, Any], role: str) -> bytes:
        """Keep a message once, redacted; its id is a keyed hash of its canonical form."""
        message_id = hashlib.blake2b(form, digest_size=16, key=self._key, person=b"message").digest()
        if message_id not in self._known and db.get(Message, message_id) is None:
            redacted, count = redact_json(message)
            body = msgspec.json.encode(redacted)
            db.add(Message(id=message_id, role=role, body=body, size=len(form), redactions=count))
        self._fresh.add(message_id)
        return message_id

    def _system(self, db: Db, request: ChatRequest | None) -> bytes | None:
        text = request.system_text if request else ""
        return self._store(db, text.encode(), {"role": "system", "content": text}, "system") if text else None

    def _settings(self, db: Db, request: ChatRequest | None) -> bytes | None:
        if request is None:
            return None
        kept = {key: msgspec.json.decode(raw) for key, raw in request.fields.items() if key != "messages"}
        return self._store(db, msgspec.json.encode(kept, order="deterministic"), kept, "settings")

    def _exchange(
        self, db: Db, record: TurnBegun, spoken: Sequence[dict[str, Any]], at: datetime
    ) -> Exchange | None:
        """The exchange that the turn belongs to: a side turn belongs to one but never opens one."""
        if record.opening < 0:
            return None
        opening = record.nodes[record.opening]
        found = db.exec(
            select(Exchange).where(Exchange.session_id == record.session_id, Exchange.opening == opening)
        ).first()
        if found is not None or record.kind != TurnKind.MAIN:
            return found
        lineage = [
            tag(node) for node, message in zip(record.nodes, spoken, strict=False) if is_persons(message)
        ]
        if tag(opening) not in lineage:
            lineage.append(tag(opening))
        made = Exchange(
            id=new_id(at),
            session_id=record.session_id,
            agent=record.agent,
            opening=opening,
            lineage="/".join(lineage),
            generation=record.generation,
            started_at=at,
        )
        db.add(made)
        db.flush()
        return made

    def _link_back(self, db: Db, turn: Turn, record: TurnBegun, spoken: Sequence[dict[str, Any]]) -> Learnt:
        """This request is the next state of the turn whose answer is the deepest one on its path."""
        for place in range(len(record.nodes) - 2, -1, -1):
            answered = db.exec(
                select(Turn)
                .where(
                    Turn.answer_node == record.nodes[place],
                    col(Turn.next_turn_id).is_(None),
                    Turn.kind == TurnKind.MAIN,
                    Turn.id != turn.id,
                )
                .order_by(col(Turn.id).desc())
            ).first()
            if answered is not None:
                return _linked(db, answered, turn, spoken[place + 1] if place + 1 < len(spoken) else {})
            if place < record.opening - 1:
                break  # older answers have had their next state long ago
        return Learnt()

    def _end(self, db: Db, record: TurnEnded) -> Learnt:
        turn = db.get(Turn, record.turn_id)
        if turn is None:
            raise ValueError("a turn ended whose beginning was dropped")
        answer = _answer(record)
        turn.outcome, turn.error = _outcome(record, answer)
        turn.status, turn.truncated = record.status, record.truncated
        turn.first_byte_at = _moment(record.first_byte_at) if record.first_byte_at else None
        turn.ended_at = _moment(record.at)
        learnt = Learnt(ended=[turn.id])
        if answer is not None:
            turn.finish_reason = answer.finish_reason
            _count_tokens(db, turn, answer)
            if turn.outcome == TurnOutcome.OK and answer.message:
                learnt.add(self._add_answer(db, turn, answer.message))
        db.add(turn)
        db.flush()
        return learnt

    def _add_answer(self, db: Db, turn: Turn, message: dict[str, Any]) -> Learnt:
        node = answer_node(self._key, turn.request_node, message)
        turn.answer_node = node
        if db.get(Node, node) is None:
            message_id = self._store(db, canonical_answer(message), message, "assistant")
            above = db.get(Node, turn.request_node)
            parent = turn.request_node if above else None
            db.add(Node(id=node, parent=parent, message_id=message_id, depth=above.depth + 1 if above else 1))
            self._fresh.add(node)
            return Learnt()
        return self._link_forward(db, turn, node)

    def _link_forward(self, db: Db, turn: Turn, node: bytes) -> Learnt:
        """The next request was recorded before this answer: rare, but a fast client can do it."""
        if turn.kind != TurnKind.MAIN:
            return Learnt()
        later = db.exec(
            select(Turn)
            .where(Turn.session_id == turn.session_id, Turn.id > turn.id, Turn.kind == TurnKind.MAIN)
            .order_by(col(Turn.id))
            .limit(_LOOKED_BACK)
        )
        for candidate in list(later):
            below = turns.path(db, candidate.request_node, above=node)
            reaches_it = bool(below) and below[0].parent == node
            if reaches_it:
                return _linked(db, turn, candidate, turns.body(db, below[0].message_id))
        return Learnt()


def _linked(db: Db, answered: Turn, following: Turn, first: dict[str, Any]) -> Learnt:
    answered.next_turn_id = following.id
    answered.next_origin = "person" if is_persons(first) else "tool"
    db.add(answered)
    judgeable = answered.next_origin == "person" and answered.exchange_id is not None
    return Learnt(judgeable=[answered.id]) if judgeable else Learnt()


def _earlier(db: Db, record: TurnBegun, tip: bytes) -> str | None:
    """The turn that this one retries: the same path again, in the same session."""
    if not record.nodes or record.kind != TurnKind.MAIN:
        return None
    return db.exec(
        select(Turn.id)
        .where(Turn.request_node == tip, Turn.session_id == record.session_id, Turn.kind == TurnKind.MAIN)
        .order_by(col(Turn.id).desc())
    ).first()


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
    if outcome is not TurnOutcome.OK:
        return outcome, record.error or (answer.error if answer else "")
    if answer is None:
        return TurnOutcome.FAILED, record.error or "the answer could not be read"
    if answer.error:
        return TurnOutcome.FAILED, answer.error
    if not answer.complete and not record.truncated:
        return TurnOutcome.CUT, "the stream ended before the answer did"
    return TurnOutcome.OK, ""


def _count_tokens(db: Db, turn: Turn, answer: Answer) -> None:
    if answer.usage is not None:
        turn.input_tokens = answer.usage.input
        turn.cached_tokens = answer.usage.cached
        turn.output_tokens = answer.usage.output
        return
    turn.usage_estimated = True
    sent = sum(
        len(str(each.get("content", ""))) for each in turns.messages(db, turns.path(db, turn.request_node))
    )
    turn.input_tokens = sent // _CHARACTERS_A_TOKEN
    turn.output_tokens = len(str((answer.message or {}).get("content") or "")) // _CHARACTERS_A_TOKEN


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
