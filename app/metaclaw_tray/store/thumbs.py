"""Taking a thumb back."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.errors import NotFoundError
from metaclaw_tray.store.tables import Due, Evidence, Turn, Verdict

_BY = "person"  # the model of a verdict that is a thumb


def newest_thumb(db: Db, exchange_id: str) -> Evidence | None:
    """The thumb in force."""
    given = select(Evidence).where(Evidence.exchange_id == exchange_id, Evidence.kind == "feedback")
    return db.exec(given.order_by(col(Evidence.at).desc(), col(Evidence.id).desc())).first()


def take_back(db: Db, exchange_id: str, now: datetime) -> None:
    """Remove all thumbs of an exchange with their notes, and the verdicts they were. A turn whose next state
    is the person's own waits for the judge again. Raises NotFoundError where there is no thumb."""
    given = select(Evidence).where(Evidence.exchange_id == exchange_id, Evidence.kind == "feedback")
    thumbs = db.exec(given).all()
    if not thumbs:
        raise NotFoundError("No thumb to take back", "None was given for this exchange.", "")
    moments = {each.at for each in thumbs}
    beside = select(Evidence).where(
        Evidence.exchange_id == exchange_id,
        Evidence.origin == "person",
        col(Evidence.kind).in_(("thanks", "correction")),
        col(Evidence.at).in_(moments),
    )
    for piece in [*thumbs, *db.exec(beside)]:
        db.delete(piece)
    verdicts = select(Verdict).where(Verdict.exchange_id == exchange_id, Verdict.model == _BY)
    for verdict in db.exec(verdicts).all():
        turn = db.get(Turn, verdict.turn_id)
        db.delete(verdict)
        if turn is not None and turn.next_origin == "person" and db.get(Due, turn.id) is None:
            db.add(Due(turn_id=turn.id, at=now))
