"""The ladder: numbered steps from an empty file to the present schema.

The version is kept in SQLite's own `user_version` as major * 1000 + minor. A minor step only adds, so an
older program may still open the file; a major step does not, so an older program refuses it. Before an older
file takes its first step, a copy of it is made beside it.
"""

from __future__ import annotations

import contextlib
import glob
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path

from metaclaw_tray.errors import StoreError
from metaclaw_tray.store.columns import moment
from metaclaw_tray.store.membership import KEPT_AS_SPANS
from metaclaw_tray.store.phrasing import EARLIER, OF_SUPPORT
from metaclaw_tray.store.tables_calendars import CALENDARS
from metaclaw_tray.store.tables_schedule import WINDOWS
from metaclaw_tray.store.tables_search import SEARCH, SPOKEN

_APPLICATION_ID = 0x4D435459  # "MCTY", so that `file` and doctor know the file
_COPIED_AT = "%Y%m%dT%H%M%SZ"  # in the name of a copy


@dataclass(frozen=True)
class Step:
    """One rung: what brings a file to `major.minor`."""

    major: int
    minor: int
    name: str
    run: Callable[[sqlite3.Connection, datetime], None]  # inside the transaction, at this moment

    @property
    def number(self) -> int:
        return self.major * 1000 + self.minor


def _initial(connection: sqlite3.Connection, now: datetime) -> None:
    script(connection, files("metaclaw_tray.store").joinpath("schema.sql").read_text(encoding="utf-8"))
    connection.execute("INSERT INTO meta (key, value) VALUES ('node_key', ?)", (os.urandom(32),))
    connection.execute(
        "INSERT INTO generation (number, why, at) VALUES (0, 'the empty library', ?)", (moment(now),)
    )


def _indexes_of_forgetting(connection: sqlite3.Connection, now: datetime) -> None:  # noqa: ARG001
    """What a turn leaves behind is found from the other side: who else needs this message, this answer?"""
    connection.execute("CREATE INDEX ix_node_message_id ON node (message_id)")
    connection.execute("CREATE INDEX ix_turn_system_id ON turn (system_id)")
    connection.execute("CREATE INDEX ix_turn_settings_id ON turn (settings_id)")
    connection.execute("CREATE INDEX turn_followed ON turn (next_turn_id) WHERE next_turn_id IS NOT NULL")


def _dialects(connection: sqlite3.Connection, now: datetime) -> None:  # noqa: ARG001
    """What came with more dialects: threads that an upstream keeps, more kinds of tokens, long parts."""
    script(
        connection,
        """
        CREATE TABLE thread (
            response_id VARCHAR NOT NULL,
            agent VARCHAR NOT NULL,
            session_id VARCHAR NOT NULL,
            tip BLOB NOT NULL,
            openings BLOB NOT NULL,
            headed BOOLEAN NOT NULL,
            at BIGINT NOT NULL,
            PRIMARY KEY (response_id, agent)
        );
        CREATE INDEX ix_thread_session_id ON thread (session_id);
        CREATE INDEX ix_thread_at ON thread (at);
        ALTER TABLE message ADD COLUMN cuts INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE session ADD COLUMN observe_only BOOLEAN NOT NULL DEFAULT 0;
        CREATE INDEX session_observed ON session (id) WHERE observe_only = 1;
        ALTER TABLE turn ADD COLUMN cache_write_tokens INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE turn ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;
        """,
    )


def _costs(connection: sqlite3.Connection, now: datetime) -> None:  # noqa: ARG001
    """What turns cost, added up by day as they end. What a turn that is told twice counted at first is taken
    out before, so it counts once."""
    script(
        connection,
        """
        ALTER TABLE turn ADD COLUMN cache_write_hour_tokens INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE turn ADD COLUMN cost_usd FLOAT;
        ALTER TABLE spend ADD COLUMN upstream VARCHAR NOT NULL DEFAULT '';
        ALTER TABLE spend ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE spend ADD COLUMN cache_write_tokens INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE spend ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE day_cost (
            day INTEGER NOT NULL,
            agent VARCHAR NOT NULL,
            upstream VARCHAR NOT NULL,
            model VARCHAR NOT NULL,
            kind VARCHAR NOT NULL,
            priced BOOLEAN NOT NULL,
            turns INTEGER NOT NULL,
            estimated INTEGER NOT NULL,
            input_tokens INTEGER NOT NULL,
            cached_tokens INTEGER NOT NULL,
            cache_write_tokens INTEGER NOT NULL,
            cache_write_hour_tokens INTEGER NOT NULL,
            output_tokens INTEGER NOT NULL,
            reasoning_tokens INTEGER NOT NULL,
            usd FLOAT NOT NULL,
            PRIMARY KEY (day, agent, upstream, model, kind, priced)
        ) WITHOUT ROWID;
        CREATE TRIGGER turn_counts_again BEFORE UPDATE OF outcome ON turn WHEN OLD.outcome <> 'open'
        BEGIN
            UPDATE day_cost SET
                turns = turns - 1,
                estimated = estimated - OLD.usage_estimated,
                input_tokens = input_tokens - OLD.input_tokens,
                cached_tokens = cached_tokens - OLD.cached_tokens,
                cache_write_tokens = cache_write_tokens - OLD.cache_write_tokens,
                cache_write_hour_tokens = cache_write_hour_tokens - OLD.cache_write_hour_tokens,
                output_tokens = output_tokens - OLD.output_tokens,
                reasoning_tokens = reasoning_tokens - OLD.reasoning_tokens,
                usd = usd - coalesce(OLD.cost_usd, 0)
            WHERE day = OLD.begun_at / 86400000000 AND agent = OLD.agent AND upstream = OLD.upstream
                AND model = OLD.model AND kind = OLD.kind AND priced = (OLD.cost_usd IS NOT NULL);
        END;
        CREATE TRIGGER turn_counts AFTER UPDATE OF outcome ON turn WHEN NEW.outcome <> 'open'
        BEGIN
            INSERT INTO day_cost VALUES (
                NEW.begun_at / 86400000000, NEW.agent, NEW.upstream, NEW.model, NEW.kind,
                NEW.cost_usd IS NOT NULL, 1, NEW.usage_estimated, NEW.input_tokens, NEW.cached_tokens,
                NEW.cache_write_tokens, NEW.cache_write_hour_tokens, NEW.output_tokens,
                NEW.reasoning_tokens, coalesce(NEW.cost_usd, 0))
            ON CONFLICT DO UPDATE SET
                turns = turns + 1,
                estimated = estimated + excluded.estimated,
                input_tokens = input_tokens + excluded.input_tokens,
                cached_tokens = cached_tokens + excluded.cached_tokens,
                cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens,
                cache_write_hour_tokens = cache_write_hour_tokens + excluded.cache_write_hour_tokens,
                output_tokens = output_tokens + excluded.output_tokens,
                reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens,
                usd = usd + excluded.usd;
        END;
        INSERT INTO day_cost
            SELECT begun_at / 86400000000, agent, upstream, model, kind, 0, count(*), sum(usage_estimated),
                sum(input_tokens), sum(cached_tokens), sum(cache_write_tokens), 0, sum(output_tokens),
                sum(reasoning_tokens), 0
            FROM turn WHERE outcome <> 'open' GROUP BY 1, 2, 3, 4, 5;
        """,
    )


def _measuring(connection: sqlite3.Connection, now: datetime) -> None:  # noqa: ARG001
    """What came with measuring: transient faults, taint, days of offers, trials, kept answers and evals."""
    script(
        connection,
        """
        ALTER TABLE verdict ADD COLUMN transient BOOLEAN NOT NULL DEFAULT 0;
        ALTER TABLE verdict ADD COLUMN guilty_turn_id VARCHAR;
        ALTER TABLE verdict ADD COLUMN rubric VARCHAR NOT NULL DEFAULT '';
        ALTER TABLE skill ADD COLUMN agents JSON NOT NULL DEFAULT '[]';
        ALTER TABLE skill ADD COLUMN origin VARCHAR NOT NULL DEFAULT '';
        ALTER TABLE proposal ADD COLUMN taint VARCHAR NOT NULL DEFAULT '';
        ALTER TABLE proposal ADD COLUMN offered_at BIGINT;
        ALTER TABLE proposal ADD COLUMN snoozed_until BIGINT;
        ALTER TABLE proposal ADD COLUMN merges JSON NOT NULL DEFAULT '[]';
        UPDATE proposal SET offered_at = created_at;
        ALTER TABLE gateresult ADD COLUMN outcome VARCHAR NOT NULL DEFAULT '';
        ALTER TABLE gateresult ADD COLUMN model VARCHAR NOT NULL DEFAULT '';
        ALTER TABLE gateresult ADD COLUMN judge VARCHAR NOT NULL DEFAULT '';
        ALTER TABLE gateresult ADD COLUMN figures JSON NOT NULL DEFAULT '{}';
        CREATE TABLE kept_answer (
            "key" BLOB NOT NULL,
            purpose VARCHAR NOT NULL,
            body BLOB NOT NULL,
            at BIGINT NOT NULL,
            PRIMARY KEY ("key")
        );
        CREATE INDEX ix_kept_answer_at ON kept_answer (at);
        CREATE TABLE trial (
            id VARCHAR NOT NULL,
            skill VARCHAR NOT NULL,
            version INTEGER NOT NULL,
            proposal_id VARCHAR NOT NULL,
            sessions INTEGER NOT NULL,
            state VARCHAR NOT NULL,
            reason VARCHAR NOT NULL,
            ledger_id VARCHAR NOT NULL,
            started_at BIGINT NOT NULL,
            ended_at BIGINT,
            PRIMARY KEY (id)
        );
        CREATE INDEX ix_trial_skill ON trial (skill);
        CREATE INDEX ix_trial_state ON trial (state);
        CREATE INDEX ix_trial_started_at ON trial (started_at);
        CREATE TABLE trial_session (
            trial_id VARCHAR NOT NULL,
            session_id VARCHAR NOT NULL,
            arm VARCHAR NOT NULL,
            at BIGINT NOT NULL,
            PRIMARY KEY (trial_id, session_id),
            FOREIGN KEY(trial_id) REFERENCES trial (id)
        );
        CREATE TABLE withheld (
            anchor BLOB NOT NULL,
            session_id VARCHAR NOT NULL,
            skill VARCHAR NOT NULL,
            version INTEGER NOT NULL,
            trial_id VARCHAR NOT NULL,
            at BIGINT NOT NULL,
            PRIMARY KEY (anchor, session_id, skill)
        );
        CREATE INDEX withheld_skill ON withheld (skill, at);
        CREATE INDEX ix_withheld_at ON withheld (at);
        CREATE TABLE skill_eval (
            skill VARCHAR NOT NULL,
            version INTEGER NOT NULL,
            body JSON NOT NULL,
            at BIGINT NOT NULL,
            PRIMARY KEY (skill, version)
        );
        CREATE TABLE measurement (
            id VARCHAR NOT NULL,
            skill VARCHAR NOT NULL,
            version INTEGER NOT NULL,
            proposal_id VARCHAR NOT NULL,
            model VARCHAR NOT NULL,
            judge VARCHAR NOT NULL,
            outcome VARCHAR NOT NULL,
            reason VARCHAR NOT NULL,
            figures JSON NOT NULL,
            at BIGINT NOT NULL,
            PRIMARY KEY (id)
        );
        CREATE INDEX ix_measurement_skill ON measurement (skill);
        CREATE INDEX ix_measurement_at ON measurement (at);
        """,
    )


def _spans(connection: sqlite3.Connection, now: datetime) -> None:  # noqa: ARG001
    script(connection, KEPT_AS_SPANS)


def _notifications(connection: sqlite3.Connection, now: datetime) -> None:  # noqa: ARG001
    """What the person was told outside the window, so that nothing is told twice."""
    script(
        connection,
        """
        CREATE TABLE notification (
            "key" VARCHAR NOT NULL,
            kind VARCHAR NOT NULL,
            facts JSON NOT NULL,
            at BIGINT NOT NULL,
            shown_at BIGINT,
            batch VARCHAR NOT NULL,
            PRIMARY KEY ("key")
        );
        CREATE INDEX ix_notification_shown_at ON notification (shown_at);
        """,
    )


def _search(connection: sqlite3.Connection, now: datetime) -> None:  # noqa: ARG001
    connection.execute(SPOKEN)
    script(connection, SEARCH)


def _support_of_proposals(connection: sqlite3.Connection, now: datetime) -> None:  # noqa: ARG001
    script(connection, EARLIER)
    script(connection, OF_SUPPORT)


def _windows(connection: sqlite3.Connection, now: datetime) -> None:  # noqa: ARG001
    script(connection, WINDOWS)


def _calendars(connection: sqlite3.Connection, now: datetime) -> None:  # noqa: ARG001
    script(connection, CALENDARS)


STEPS: tuple[Step, ...] = (
    Step(1, 0, "the first tables", _initial),
    Step(1, 1, "indexes of forgetting", _indexes_of_forgetting),
    Step(1, 2, "dialects", _dialects),
    Step(1, 3, "costs", _costs),
    Step(1, 4, "measuring", _measuring),
    Step(1, 5, "spans of generations", _spans),
    Step(1, 6, "notifications", _notifications),
    Step(1, 7, "search", _search),
    Step(1, 8, "proposals are made of support", _support_of_proposals),
    Step(1, 9, "windows of training", _windows),
    Step(1, 10, "calendars", _calendars),
)


def script(connection: sqlite3.Connection, sql: str) -> None:
    """Run statements one by one inside the open transaction (`executescript` would commit it first)."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


def climb(path: Path, now: datetime, steps: tuple[Step, ...] = STEPS) -> None:
    """Bring the file to the newest version, one transaction a step.

    Raises StoreError where the file was written by a newer major version or by another program.
    """
    with closing(sqlite3.connect(path, timeout=20, isolation_level=None)) as connection:
        if _version(connection) == 0 and _is_foreign(connection):
            raise StoreError(
                "Not our database",
                f"{path} holds another program's tables.",
                "Move it away, or set METACLAW_TRAY_HOME to another folder.",
            )
        newest = steps[-1]
        current = _version(connection)
        if current // 1000 > newest.major:
            raise StoreError(
                "The database is from a newer version",
                f"{path} has schema {current // 1000}.{current % 1000}, this program knows "
                f"{newest.major}.{newest.minor}.",
                "Update MetaClaw Tray, or put back the copy made beside the file before its update.",
            )
        connection.execute("PRAGMA journal_mode=WAL")
        missing = [step for step in steps if current < step.number]
        if not missing:
            return
        copy = _copy_before(path, missing[0], now)
        try:
            if current:  # a file that is being made holds nothing to lose
                _copy(connection, copy)
            for step in missing:
                _take(connection, step, now)
        except BaseException:
            if _version(connection) == current:  # each new try would leave one more copy of the same
                copy.unlink(missing_ok=True)
            raise


def copies(path: Path) -> dict[Path, datetime]:
    """The copies that were made before steps, with when."""
    found = {}
    for copy in path.parent.glob(f"{glob.escape(path.name)}.before-*"):
        with contextlib.suppress(ValueError):
            found[copy] = datetime.strptime(copy.name.rpartition("-")[2], _COPIED_AT).replace(tzinfo=UTC)
    return found


def copies_since(path: Path, moment: datetime) -> list[Path]:
    """The copies that may hold what was written at that moment: their names know the second only."""
    return [copy for copy, made in copies(path).items() if made + timedelta(seconds=1) > moment]


def _copy_before(path: Path, step: Step, now: datetime) -> Path:
    return path.with_name(f"{path.name}.before-{step.major}.{step.minor}-{now.strftime(_COPIED_AT)}")


def _take(connection: sqlite3.Connection, step: Step, now: datetime) -> None:
    connection.execute("BEGIN EXCLUSIVE")
    try:
        if _version(connection) < step.number:  # another process may have taken it while we waited
            step.run(connection, now)
            connection.execute(f"PRAGMA user_version = {step.number}")
            connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk has ended it already
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _is_foreign(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone())


def _copy(connection: sqlite3.Connection, target: Path) -> None:
    os.close(os.open(target, os.O_RDWR | os.O_CREAT, 0o600))
    with closing(sqlite3.connect(target)) as copy:
        connection.backup(copy)
