"""Turning records into rows: the scribe's work, less its process.

Everything here happens inside the transaction it is given.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec
from msgspec import Raw
from sqlmodel import Session as Db

from metaclaw_tray.ids import new_id
from metaclaw_tray.prices import cost
from metaclaw_tray.redact import redact_text
from metaclaw_tray.store.columns import moment
from metaclaw_tray.store.ending import CHARACTERS_A_TOKEN, counts, outcome_of, read_answer, tokens_of
from metaclaw_tray.store.forgetting import times_forgotten
from metaclaw_tray.store.keeping import Body, Keeper
from metaclaw_tray.store.linking import link_back, link_forward
from metaclaw_tray.store.reading import Spoken, read_request
from metaclaw_tray.store.records import (
    ArmDecided,
    BlockInjected,
    Dropped,
    SessionEnded,
    SkillWithheld,
    ThreadKnown,
    ToScribe,
    TurnBegun,
    TurnEnded,
)
from metaclaw_tray.store.remembering import Remembered
from metaclaw_tray.store.tables import TurnKind, TurnOutcome, tag
from metaclaw_tray.store.writing import OpenTurn, Pen
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.tree import Reader, answer_id, answer_node, root_of

_REMEMBERED = 4096  # open turns, exchanges, and sessions


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
        self._open: Remembered[str, OpenTurn] = Remembered(_REMEMBERED)
        self._exchanges: Remembered[tuple[str, bytes], str] = Remembered(_REMEMBERED)
        self._newest: Remembered[str, str] = Remembered(_REMEMBERED)  # main turn of a session
        self._forgotten = 0

    def commit(self) -> None:
        """What was written since the last call is on the disk now."""
        for each in (self._keeper, self._open, self._exchanges, self._newest):
            each.commit()

    def forget_uncommitted(self) -> None:
        """What was written since the last commit may have been undone."""
        for each in (self._keeper, self._open, self._exchanges, self._newest):
            each.forget_uncommitted()

    def notice_forgetting(self, db: Db) -> None:
        """Ask, inside the transaction, whether rows were taken out since the last time: then what is
        remembered of them is worth nothing, and a conversation that goes on is written whole again."""
        times = times_forgotten(db)
        if times != self._forgotten:
            self._keeper.forget_all()
            for each in (self._open, self._exchanges, self._newest):
                each.clear()
            self._forgotten = times

    def apply(self, db: Db, *records: ToScribe) -> Learnt:
        """Write records. Raises ValueError (WireError among them) where one holds nothing storable."""
        pen, learnt = Pen(db.connection()), Learnt()
        for record in records:
            learnt.add(self._write(db, pen, record))
        return learnt

    def _write(self, db: Db, pen: Pen, record: ToScribe) -> Learnt:
        match record:
            case TurnBegun():
                return self._begin(pen, record)
            case TurnEnded():
                return self._end(db, pen, record)
            case BlockInjected():
                pen.injection(msgspec.structs.asdict(record) | {"at": _moment(record.at)})
            case ArmDecided():
                pen.arm(msgspec.structs.asdict(record) | {"at": _moment(record.at)})
            case SkillWithheld():
                row = msgspec.structs.asdict(record) | {"at": _moment(record.at)}
                del row["instead"]  # how the trial began says that
                pen.withheld(row)
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
        depth, grown = self._grow(pen, record, spoken, kept)
        exchange_id = self._exchange(pen, record, at)
        estimated = (len(system) + (spoken.size if spoken else 0)) // CHARACTERS_A_TOKEN
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
            "retry_of": None if grown else self._retried(pen, record, tip),
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
        if record.kind != TurnKind.MAIN:
            return Learnt()
        self._newest[record.session_id] = record.turn_id
        resumed = record.root != root_of(self._key, record.agent)
        judgeable = link_back(pen, record, spoken, at, resumed=resumed)
        return Learnt(judgeable=[judgeable] if judgeable else [])

    def _grow(self, pen: Pen, record: TurnBegun, spoken: Spoken | None, kept: list[Body]) -> tuple[int, bool]:
        """Write the nodes of a path that are not known to be there, and collect their messages; how deep the
        path is, or 0 where its messages could not be read, and whether nobody has been at its end before."""
        parent, above = None, 0
        if record.root != root_of(self._key, record.agent):
            parent, above = record.root, pen.depth(record.root)
        if spoken is None:
            return above, False
        rows: list[Body] = []
        there = pen.there([each for each in record.nodes if not self._keeper.has(each)])
        for each in there:  # in the words that it was first said in
            self._keeper.add(each)
        for place, (each, made) in enumerate(zip(record.nodes, record.message_ids, strict=True)):
            if not self._keeper.has(each):
                if not self._keeper.has(made):
                    self._keeper.keep(made, spoken.at(place), kept)
                depth = above + place + 1
                rows.append({"id": each, "parent": parent, "message_id": made, "depth": depth})
                self._keeper.add(each)
            parent = each
        pen.nodes(rows)
        return above + len(spoken), bool(rows) and rows[-1]["id"] == record.nodes[-1]

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
        place = (record.session_id, record.openings[-1])
        found = self._exchanges.get(place)
        if found is None and record.kind == TurnKind.MAIN:
            found = self._opened(pen, record, at)
        if found is None:
            found = pen.exchange_at(*place)
        if found is not None:
            self._exchanges[place] = found
        return found

    def _opened(self, pen: Pen, record: TurnBegun, at: datetime) -> str | None:
        """The exchange that this turn opens; None where it was opened before."""
        made = new_id(at)
        row = {
            "id": made,
            "session_id": record.session_id,
            "agent": record.agent,
            "opening": record.openings[-1],
            "lineage": "/".join(tag(each) for each in record.openings),
            "generation": record.generation,
            "started_at": at,
        }
        return made if pen.exchange(row) else None

    def _retried(self, pen: Pen, record: TurnBegun, tip: bytes) -> str | None:
        if not record.nodes or record.kind != TurnKind.MAIN:
            return None
        return pen.earlier(tip, record.session_id, record.turn_id)

    def _end(self, db: Db, pen: Pen, record: TurnEnded) -> Learnt:
        begun = self._open.pop(record.turn_id, None) or pen.open_turn(record.turn_id)
        if begun is None:
            raise ValueError("a turn ended whose beginning was dropped")
        answer = read_answer(record, begun.dialect)
        outcome, error = outcome_of(record, answer)
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
        tokens = tokens_of(record, begun.input_tokens, outcome, answer)
        values |= counts(tokens)
        values["usage_estimated"] = answer is None or answer.usage is None
        values["cost_usd"] = cost(
            record.tariff, (record.model, answer.model if answer else ""), tokens, values["ended_at"]
        )
        if answer is not None and outcome == TurnOutcome.OK and answer.message:
            values["answer_node"] = self._answered(pen, begun, answer.message)
            pen.end_turn(record.turn_id, values)
            if self._newest.get(begun.session_id) != record.turn_id:
                at = _moment(record.at)
                judgeable = link_forward(db, pen, record.turn_id, begun, values["answer_node"], at)
                learnt.judgeable += [judgeable] if judgeable else []
            return learnt
        pen.end_turn(record.turn_id, values)
        return learnt

    def _answered(self, pen: Pen, begun: OpenTurn, message: Body) -> bytes:
        """Write the answer's message and its node; the node."""
        kept: list[Body] = []
        made, answer = answer_id(self._key, message), answer_node(self._key, begun.request_node, message)
        parent = begun.request_node if begun.depth else None
        if pen.answer({"id": answer, "parent": parent, "message_id": made, "depth": begun.depth + 1}):
            self._keeper.keep(made, message, kept)
            pen.messages(kept)
        self._keeper.add(answer)
        return answer


def _instructions(spoken: Spoken | None) -> tuple[str, dict[str, Raw]]:
    """The system text and the settings of a request; empty where they cannot be read."""
    if spoken is None:
        return "", {}
    try:
        return spoken.system, spoken.settings
    except WireError:
        return "", {}


def _dropped(record: Dropped) -> Body:
    at = _moment(record.at)
    reason = "the pipe to the store was full; the agent was not kept waiting"
    return {
        "id": f"dropped.{moment(at)}",  # the same one when it is told again
        "kind": "dropped",
        "subject": "turns",
        "reason": reason,
        "count": record.count,
        "at": at,
    }


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
