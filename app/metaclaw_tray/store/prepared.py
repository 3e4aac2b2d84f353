"""Statements made once and then handed to SQLite as they are.

The scribe runs a dozen of them for each turn. Built by SQLAlchemy they stay true to the tables; run by its
engine each would cost five times what SQLite itself takes for it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from sqlalchemy import Insert
from sqlalchemy.dialects import sqlite as _sqlite
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.elements import BindParameter
from sqlalchemy.types import TypeDecorator

_DIALECT = _sqlite.dialect(paramstyle="named")
_LIST = "(__[POSTCOMPILE_{}])"

Values = Mapping[str, Any]


class Prepared:
    """One statement as SQLite takes it."""

    def __init__(self, statement: Executable) -> None:
        compiled = statement.compile(dialect=_DIALECT)  # type: ignore[attr-defined]
        self._sql: str = compiled.string
        binds = {name: bind for bind, name in compiled.bind_names.items()}
        converters = {name: _converter(bind) for name, bind in binds.items()}
        self._convert = {name: convert for name, convert in converters.items() if convert is not None}
        self._names = frozenset(binds)
        self._lists = [name for name in binds if _LIST.format(name) in self._sql]
        # What stands in the statement itself, and what an insert may leave out.
        self._defaults = {name: bind.value for name, bind in binds.items() if not bind.required}
        if isinstance(statement, Insert):
            self._defaults |= {column.name: _default(column) for column in statement.table.columns}

    def run(self, connection: sqlite3.Connection, values: Values) -> sqlite3.Cursor:
        """Run it with these values; what an insert leaves out is the column's default."""
        sql, given = self._sql, self._given(values)
        for name in self._lists:
            elements = given.pop(name)
            places = [f"{name}_{place}" for place in range(len(elements))]
            given.update(zip(places, elements, strict=True))
            sql = sql.replace(_LIST.format(name), f"({', '.join(f':{place}' for place in places)})")
        return connection.execute(sql, given)

    def run_many(self, connection: sqlite3.Connection, rows: Iterable[Values]) -> None:
        """Run it once for each row."""
        connection.executemany(self._sql, [self._given(row) for row in rows])

    def _given(self, values: Values) -> dict[str, Any]:
        if unknown := values.keys() - self._names:
            raise ValueError(f"the statement does not ask for {', '.join(sorted(unknown))}")
        given = {**self._defaults, **values}
        for name, convert in self._convert.items():
            given[name] = convert(given[name])
        return given


@lru_cache(maxsize=64)
def prepared(statement: Executable) -> Prepared:
    """A statement of a module, made ready at its first use."""
    return Prepared(statement)


def _default(column: Any) -> Any:
    return column.default.arg if column.default is not None and column.default.is_scalar else None


def _converter(bind: BindParameter[Any]) -> Callable[[Any], Any] | None:
    kind: Any = bind.type
    if not isinstance(kind, TypeDecorator):
        kind = kind.dialect_impl(_DIALECT)
    convert: Callable[[Any], Any] | None = kind.bind_processor(_DIALECT)
    return convert
