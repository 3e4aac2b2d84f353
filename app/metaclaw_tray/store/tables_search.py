"""The tables of full-text search: what is in the index, and what waits to be.

The index itself (`spoken`) is SQLite's FTS5 without a copy of the texts and without the places of words in
them: it tells which turns may hold what is looked for, and the texts themselves are asked then.
"""

from __future__ import annotations

from sqlalchemy import DDL, Column, LargeBinary, event
from sqlmodel import Field, SQLModel

SPOKEN = (
    "CREATE VIRTUAL TABLE spoken USING fts5("
    "text, content='', columnsize=0, detail='none', tokenize='trigram case_sensitive 1')"
)


class Searched(SQLModel, table=True):
    """A turn that is in the index: newer ones have higher numbers."""

    number: int = Field(primary_key=True)  # the row of `spoken`
    turn_id: str = Field(unique=True)
    parts: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # ids of its messages, joined


class SearchDue(SQLModel, table=True):
    """A turn that is to be brought into the index, now or again."""

    __tablename__ = "search_due"
    __table_args__ = ({"sqlite_with_rowid": False},)

    turn_id: str = Field(primary_key=True)


_index = DDL(SPOKEN)  # type: ignore[no-untyped-call]  # SQLAlchemy gives it no types
event.listen(SQLModel.metadata.tables["searched"], "after_create", _index)

SEARCH = """
CREATE TABLE searched (
    number INTEGER NOT NULL,
    turn_id VARCHAR NOT NULL,
    parts BLOB NOT NULL,
    PRIMARY KEY (number),
    UNIQUE (turn_id)
);
CREATE TABLE search_due (
    turn_id VARCHAR NOT NULL,
    PRIMARY KEY (turn_id)
) WITHOUT ROWID;
CREATE INDEX injection_in_session ON injection (session_id, at);
CREATE TRIGGER turn_is_to_be_searched AFTER UPDATE OF outcome ON turn WHEN NEW.outcome <> 'open'
BEGIN
    INSERT OR IGNORE INTO search_due VALUES (NEW.id);
END;
CREATE TRIGGER turn_leaves_the_search AFTER DELETE ON turn
WHEN EXISTS (SELECT 1 FROM searched WHERE turn_id = OLD.id)
BEGIN
    DELETE FROM meta WHERE "key" = 'search';
END;
"""
"""What the step brings beside the index. A program of before, which knows of none, takes turns out without
their words: then the index is made anew."""
