"""Which version of which skill was active, and for which agents, from one generation to another.

A row is a span of generations, so a decision adds what it changes and not a copy of the library. A trigger on
`generation` keeps the spans: a generation begins when the skills' rows say already what holds in it.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, or_
from sqlmodel import Session as Db
from sqlmodel import col, select

from metaclaw_tray.store.tables_library import Membership

# Programs of before read `generationmember`, and write all of it at each generation: they find what they
# expect, and what they write is what the trigger has written.
KEPT_AS_SPANS = """
CREATE TABLE membership (
    name VARCHAR NOT NULL,
    since INTEGER NOT NULL,
    version INTEGER NOT NULL,
    agents JSON NOT NULL,
    until INTEGER,
    PRIMARY KEY (name, since),
    FOREIGN KEY(since) REFERENCES generation (number)
);
INSERT INTO membership (name, since, version, agents, until)
    SELECT name, min(generation), version, '[]',
        nullif(max(generation) + 1, (SELECT max(number) + 1 FROM generation))
    FROM (SELECT *, generation - row_number() OVER (PARTITION BY name, version ORDER BY generation) AS span
          FROM generationmember)
    GROUP BY name, version, span;
DROP TABLE generationmember;
CREATE VIEW generationmember AS
    SELECT generation.number AS generation, membership.name, membership.version
    FROM generation JOIN membership ON membership.since <= generation.number
        AND (membership.until IS NULL OR membership.until > generation.number);
CREATE TRIGGER generationmember_written INSTEAD OF INSERT ON generationmember BEGIN SELECT 1; END;
CREATE TRIGGER generation_begun AFTER INSERT ON generation
BEGIN
    UPDATE membership SET until = NEW.number WHERE until IS NULL AND NOT EXISTS (
        SELECT 1 FROM skill WHERE skill.name = membership.name AND skill.state = 'active'
            AND skill.version = membership.version AND skill.agents = membership.agents);
    INSERT INTO membership (name, since, version, agents)
        SELECT name, NEW.number, version, agents FROM skill WHERE state = 'active' AND NOT EXISTS (
            SELECT 1 FROM membership WHERE membership.name = skill.name AND membership.until IS NULL);
END;
CREATE INDEX membership_open ON membership (name) WHERE until IS NULL;
"""
"""The step of the ladder that keeps spans in place of a copy of the library for each generation."""


def in_generation(number: int) -> ColumnElement[bool]:
    """The spans that hold in a generation."""
    return (col(Membership.since) <= number) & or_(
        col(Membership.until).is_(None), col(Membership.until) > number
    )


def members(db: Db, number: int) -> list[Membership]:
    """The active library of a generation, by name."""
    return list(db.exec(select(Membership).where(in_generation(number)).order_by(Membership.name)))
