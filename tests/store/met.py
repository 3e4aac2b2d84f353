"""Exchanges that met a skill, written as the scribe writes them, for tests of trials and effects."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import func
from sqlmodel import Session as Db
from sqlmodel import select

from metaclaw_tray.store import learning, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.learning import Ruling
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.records import ArmDecided, BlockInjected, SessionEnded, SkillWithheld
from metaclaw_tray.store.tables import Exchange
from store.conversation import START, Client, agent, person

AT = datetime.fromtimestamp(START, UTC)


class Record:
    """Writes one exchange after the other, from `start` on, each in its own session unless one is named."""

    def __init__(self, store: Store, start: datetime = AT) -> None:
        self.store = store
        self.start = start
        self.key = store.read(turns.node_key)
        self.count = store.read(lambda db: db.exec(select(func.count()).select_from(Exchange)).one())

    def exchange(
        self,
        skill: str = "",
        *,
        score: int | None = None,
        withheld: str = "",
        trial: str = "",
        arm: str = "",
        session: str = "",
        over: bool = True,
        generation: int = 0,
    ) -> str:
        """An exchange that carried `skill` ("name@version"), or from which `withheld` was kept; its id."""
        self.count += 1
        session = session or f"session{self.count:03}"
        client = Client(self.key, session=session)
        begun = client.begin([person(f"question {self.count}")], turn_id=f"turn{self.count:04}")
        begun = type(begun)(
            **{**_fields(begun), "generation": generation, "at": self.start.timestamp() + self.count}
        )
        anchor, at = begun.openings[-1], begun.at
        told = []
        if arm:
            told.append(ArmDecided(trial, session, arm, at))
        if skill:
            told.append(BlockInjected(anchor, session, f"[{skill}]", [skill], 10, generation, at))
        if withheld:
            name, _, version = withheld.partition("@")
            told.append(SkillWithheld(anchor, session, name, int(version), trial, at))
        ended = client.end(begun, agent("answer"), usage={"prompt_tokens": 90, "completion_tokens": 10})
        told += [begun, ended]
        if over:
            told.append(SessionEnded(session, "command", at + 1))
        self.store.write(lambda db: Recorder(self.key).apply(db, *told))
        exchange_id = self.store.read(lambda db: _exchange_of(db, session, anchor))
        if score is not None:
            self.judge(exchange_id, begun.turn_id, score)
        return exchange_id

    def judge(self, exchange_id: str, turn_id: str, score: int | None) -> None:
        ruling = Ruling(score, (), "so it is")
        at = self.start + timedelta(seconds=self.count)
        self.store.write(lambda db: learning.overrule(db, turn_id, exchange_id, ruling, "judge", at))


def _fields(begun: object) -> dict[str, object]:
    return {name: getattr(begun, name) for name in begun.__struct_fields__}  # type: ignore[attr-defined]


def _exchange_of(db: Db, session: str, opening: bytes) -> str:
    wanted = select(Exchange.id).where(Exchange.session_id == session, Exchange.opening == opening)
    return db.exec(wanted).one()
