"""Turning records into rows: the scribe's work, less its process.

Everything here happens inside the transaction it is given.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec
from msgspec import Raw
from sqlmodel import Session as Db

from metaclaw_tray.ids import new_id
from metaclaw_tray.prices import Tokens, cost
from metaclaw_tray.redact import redact_text
from metaclaw_tray.store import turns
from metaclaw_tray.store.forgetting import times_forgotten
from metaclaw_tray.store.keeping import Body, Keeper
from metaclaw_tray.store.reading import Spoken, read_request
from metaclaw_tray.store.records import (
    BlockInjected,
    Dropped,
    SessionEnded,
    ThreadKnown,
    ToScribe,
    TurnBegun,
    TurnEnded,
)
from metaclaw_tray.store.tables import TurnKind, TurnOutcome, tag
from metaclaw_tray.store.writing import Answered, OpenTurn, Pen
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer import Answer
from metaclaw_tray.wire.coding import decoded
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.said import is_persons, texts_of
from metaclaw_tray.wire.tree import Reader, answer_id, node, root_of

_OPEN_TURNS = 4096
_DECODED_LIMIT = 64 * 1024 * 1024  # bytes of an answer without its content encoding
_REFUSED = 400  # an HTTP status from here on: nothing was done, and nothing is charged
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
        self._keeper = Keeper(key)
        self._reader = Reader(key)
        self._open: OrderedDict[str, OpenTurn] = OrderedDict()
        self._forgotten = 0

    def commit(self) -> None:
        """What was written since the last call is on the disk now."""
        self._keeper.commit()

    def forget_uncommitted(self) -> None:
        """What was written since the last commit may have been undone."""
        self._keeper.forget_uncommitted()
        self._open.clear()

    def notice_forgetting(self, db: Db) -> None:
        """Ask, inside the transaction, whether rows were taken out since the last time: then what is
        remembered of them is worth nothing, and a conversation that goes on is written whole again."""
        times = times_forgotten(db)
        if times != self._forgotten:
            self._keeper.forget_all()
            self._forgotten = times

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
            case ThreadKnown():
                pen.thread(msgspec.structs.asdict(record) | {"at": _moment(record.at)})
            case SessionEnded():
                pen.end_session(record.session_id, record.reason, _moment(record.at))
            case Dropped():
                pen.notice(_dropped(record))
            case _:
                raise ValueError(f"{type(record).__name__} is nothing to store")
        return Learnt()

    def _begin(self, pen: Pen, record: TurnBegun) -> Learnt:
        at = _moment(record.at)
        spoken = read_request(self._reader, record.dialect, record.body, record.root, record.message_ids)
        system, settings = _instructions(spoken)
        tip = record.nodes[-1] if record.nodes else record.root
        pen.session(record.session_id, record.agent, record.nodes[0] if record.nodes else record.root, at)
        kept: list[Body] = []
        depth = self._grow(pen, record, spoken, kept)
        exchange_id = self._exchange(pen, record, at)
        estimated = (len(system) + (spoken.size if spoken else 0)) // _CHARACTERS_A_TOKEN
        row = {
            "id": record.turn_id,
            "exchange_id": exchange_id,
            "session_id": record.session_id,
            "agent": record.agent,
            "kind": record.kind,
            "outcome": TurnOutcome.OPEN,
            "dialect": record.dialect,
            "upstream": record.upstream,
            "model": redact_text(record.model)[0],
            "request_node": tip,
            "system_id": self._system(system, kept),
            "settings_id": self._settings(settings, kept),
            "generation": record.generation,
            "retry_of": self._retried(pen, record, tip),
            "input_tokens": estimated,
            "usage_estimated": True,
            "begun_at": at,
        }
        pen.messages(kept)
        if not pen.turn(row):
            return Learnt()  # told twice: a scribe died between commit and answer
        self._open[record.turn_id] = OpenTurn(
            tip, record.session_id, exchange_id, record.kind, record.dialect, depth, estimated
        )
        if len(self._open) > _OPEN_TURNS:
            self._open.popitem(last=False)
        if record.kind != TurnKind.MAIN:
            return Learnt()
        return self._link_back(pen, record, spoken)

    def _grow(self, pen: Pen, record: TurnBegun, spoken: Spoken | None, kept: list[Body]) -> int:
        """Write the nodes of a path that are not known to be there, and collect their messages; how deep the
        path is, or 0 where its messages could not be read."""
        parent, above = None, 0
        if record.root != root_of(self._key, record.agent):
            parent, above = record.root, pen.depth(record.root)
        if spoken is None:
            return above
        rows = []
        for place, (each, made) in enumerate(zip(record.nodes, record.message_ids, strict=True)):
            if not self._keeper.has(each):
                if not self._keeper.has(made):
                    self._keeper.keep(made, spoken.at(place), kept)
                depth = above + place + 1
                rows.append({"id": each, "parent": parent, "message_id": made, "depth": depth})
                self._keeper.add(each)
            parent = each
        pen.nodes(rows)
        return above + len(spoken)

    def _system(self, system: str, kept: list[Body]) -> bytes | None:
        if not system:
            return None
        form = system.encode("utf-8", "backslashreplace")
        return self._keeper.by_form(form, lambda: {"role": "system", "content": system}, "system", kept)

    def _settings(self, settings: dict[str, Raw], kept: list[Body]) -> bytes | None:
        """The request less its messages; known again by its raw bytes, for tools can be long."""
        if not settings:
            return None
        form = msgspec.json.encode(settings)
        return self._keeper.by_form(form, lambda: msgspec.json.decode(form), "settings", kept)

    def _exchange(self, pen: Pen, record: TurnBegun, at: datetime) -> str | None:
        """The exchange that the turn belongs to: a side turn belongs to one but never opens one."""
        if not record.openings:
            return None
        opening = record.openings[-1]
        found = pen.exchange_at(record.session_id, opening)
        if found is not None or record.kind != TurnKind.MAIN:
            return found
        made = new_id(at)
        pen.exchange(
            {
                "id": made,
                "session_id": record.session_id,
                "agent": record.agent,
                "opening": opening,
                "lineage": "/".join(tag(each) for each in record.openings),
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
        answer = _answer(record, begun.dialect)
        outcome, error = _outcome(record, answer)
        values: Body = {
            "outcome": outcome,
            "error": redact_text(error)[0],  # an upstream likes to quote the key that it refuses
            "finish_reason": redact_text(answer.finish_reason)[0] if answer else "",
            "status": record.status,
            "truncated": record.truncated,
            "upstream": record.upstream or None,
            "model": record.model or None,
            "first_byte_at": _moment(record.first_byte_at) if record.first_byte_at else None,
            "ended_at": _moment(record.at),
        }
        learnt = Learnt(ended=[record.turn_id])
        tokens = _tokens(record, begun, outcome, answer)
        values |= _counts(tokens)
        values["usage_estimated"] = answer is None or answer.usage is None
        values["cost_usd"] = cost(
            record.tariff, (record.model, answer.model if answer else ""), tokens, values["ended_at"]
        )
        if answer is not None and outcome == TurnOutcome.OK and answer.message:
            values["answer_node"] = self._answered(pen, begun, answer.message)
            pen.end_turn(record.turn_id, values)
            learnt.add(_link_forward(db, pen, record, begun, values["answer_node"]))
            return learnt
        pen.end_turn(record.turn_id, values)
        return learnt

    def _answered(self, pen: Pen, begun: OpenTurn, message: Body) -> bytes:
        """Write the answer's message and its node; the node."""
        kept: list[Body] = []
        made = answer_id(self._key, message)
        self._keeper.keep(made, message, kept)
        pen.messages(kept)
        answer = node(self._key, begun.request_node, made)
        parent = begun.request_node if begun.depth else None
        pen.nodes([{"id": answer, "parent": parent, "message_id": made, "depth": begun.depth + 1}])
        self._keeper.add(answer)
        return answer

    def _link_back(self, pen: Pen, record: TurnBegun, spoken: Spoken | None) -> Learnt:
        """This request is the next state of the turn whose answer is the deepest one on its path.

        Answers before the one that the person's last message replies to have had their next state long ago.
        """
        path, opening = list(record.nodes), record.opening
        kept = record.root != root_of(self._key, record.agent)
        if kept:  # it goes on with an answer that the upstream keeps
            path, opening = [record.root, *path], opening + 1
        first = max(opening - 1, 0)
        while first > kept and spoken is not None and spoken.at(first - kept).get("role") == "tool":
            first -= 1  # the person spoke while a tool was at work: the answer stands before its result
        if len(path) - first < 2:
            return Learnt()
        waiting = {each.answer_node: each for each in pen.without_next_state(path[first:-1], record.turn_id)}
        for place in range(len(path) - 2, first - 1, -1):
            answered = waiting.get(path[place])
            if answered is not None:
                by_person = record.opening >= 0 and opening > place
                return _linked(pen, answered, record.turn_id, by_person, _moment(record.at))
        return Learnt()


def _link_forward(db: Db, pen: Pen, record: TurnEnded, begun: OpenTurn, node: bytes) -> Learnt:
    """The next request was recorded before this answer: rare, but a fast client can do it."""
    if begun.kind != TurnKind.MAIN:
        return Learnt()
    for later, tip in pen.later(begun.session_id, record.turn_id):
        below = turns.path(db, tip, above=node)
        if below and below[0].parent == node:
            answered = Answered(record.turn_id, node, begun.exchange_id)
            by_person = any(is_persons(turns.body(db, each.message_id)) for each in below)
            return _linked(pen, answered, later, by_person, _moment(record.at))
    return Learnt()


def _linked(pen: Pen, answered: Answered, following: str, by_person: bool, at: datetime) -> Learnt:
    pen.link(answered.turn_id, following, "person" if by_person else "tool")
    if not by_person or answered.exchange_id is None:
        return Learnt()
    pen.due(answered.turn_id, at)
    return Learnt(judgeable=[answered.turn_id])


def _instructions(spoken: Spoken | None) -> tuple[str, dict[str, Raw]]:
    """The system text and the settings of a request; empty where they cannot be read."""
    if spoken is None:
        return "", {}
    try:
        return spoken.system, spoken.settings
    except WireError:
        return "", {}


def _answer(record: TurnEnded, dialect: str) -> Answer | None:
    if not record.body:
        return None
    try:
        body = decoded(record.body, record.content_encoding, _DECODED_LIMIT, whole=False)
    except WireError:
        return None
    return DIALECTS[dialect].assemble(body, record.content_type)


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
    if record.truncated:  # what is kept of it stops in the middle; the client got it all
        return TurnOutcome.OK, ""
    if answer is None:
        return TurnOutcome.FAILED, record.error or "the answer could not be read"
    if answer.error:
        return TurnOutcome.FAILED, answer.error
    if not answer.complete:
        return TurnOutcome.CUT, "the stream ended before the answer did"
    return TurnOutcome.OK, ""


def _tokens(record: TurnEnded, begun: OpenTurn, outcome: TurnOutcome, answer: Answer | None) -> Tokens:
    """What the upstream counted; what is estimated, where it did not; nothing, where it refused."""
    if answer is not None and answer.usage is not None:
        told = answer.usage
        return Tokens(
            told.input, told.cached, told.output, told.cache_write, told.cache_write_hour, told.reasoning
        )
    if outcome is TurnOutcome.FAILED and not 0 < record.status < _REFUSED:
        return Tokens()
    said = [answer.message] if answer is not None and answer.message else []
    return Tokens(input=begun.input_tokens, output=_estimated(said))


def _counts(tokens: Tokens) -> Body:
    return {
        "input_tokens": tokens.input,
        "cached_tokens": tokens.cached,
        "output_tokens": tokens.output,
        "cache_write_tokens": tokens.cache_write,
        "cache_write_hour_tokens": tokens.cache_write_hour,
        "reasoning_tokens": tokens.reasoning,
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
