"""What columns are made of: moments in UTC, JSON, and what came after the first version."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, Column, text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import BigInteger, TypeDecorator
from sqlmodel import Field


def moment(value: datetime) -> int:
    """An aware moment as it is kept: whole microseconds since 1970."""
    if value.tzinfo is None:
        raise ValueError("a naive time reached the store")
    return round(value.timestamp() * 1_000_000)


class UtcTime(TypeDecorator[datetime]):
    """An aware moment, kept as whole microseconds since 1970 so that order and equality are exact."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        return None if value is None else moment(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else datetime.fromtimestamp(value / 1_000_000, UTC)


def time_column(*, nullable: bool = False, index: bool = False) -> Any:
    return Field(default=None, sa_column=Column(UtcTime, nullable=nullable, index=index))


def json_column() -> Any:
    return Field(default=None, sa_column=Column(JSON, nullable=False))


def added(default: int | bool | str) -> Any:
    """A column that came after the first version: rows that were there have the default."""
    said = f"'{default}'" if isinstance(default, str) else str(int(default))
    return Field(default=default, sa_column_kwargs={"server_default": text(said)})


def added_json(default: str) -> Any:
    """The same for JSON."""
    made: Callable[[], Any] = dict if default == "{}" else list
    return Field(
        default_factory=made, sa_column=Column(JSON, nullable=False, server_default=text(f"'{default}'"))
    )
