"""What kind of value a setting takes: for a control in a window, or for a listing.

All of it is read from the declaration itself. A unit is the word that the setting's name ends in, as in
`timeout_seconds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le
from pydantic.fields import FieldInfo

from metaclaw_tray.settings.reading import SettingLine, is_map

Kind = Literal["switch", "whole", "number", "text", "choice", "upstream", "hour", "list", "map"]

_UNITS = {
    "seconds": "s",
    "minutes": "min",
    "days": "days",
    "mb": "MB",
    "usd": "USD",
    "million": "USD",
    "tokens": "tokens",
    "percent": "%",
}
_HOURS = ("quiet_from", "quiet_until")


@dataclass(frozen=True)
class Declared:
    """A setting's kind, and the limits of its value. `maximum` is None where there is none."""

    kind: Kind
    choices: tuple[str, ...] = ()  # for a choice, or what a list may hold
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    optional: bool = False  # whether it can be none


def declared(line: SettingLine) -> Declared:
    """How the setting is declared."""
    annotation, optional = _without_none(line.field.annotation)
    name = line.key.rsplit(".", 1)[-1]
    least, most = _limits(line.field)
    return Declared(
        kind=_kind(name, annotation),
        choices=_choices(annotation),
        unit=_UNITS.get(name.rsplit("_", 1)[-1], "") if annotation in (int, float) else "",
        minimum=least,
        maximum=most,
        optional=optional,
    )


def _kind(name: str, annotation: Any) -> Kind:
    if annotation is bool:
        return "switch"
    if annotation in (int, float):
        return "whole" if annotation is int else "number"
    if is_map(annotation):
        return "map"
    if get_origin(annotation) is list:
        return "list"
    if get_origin(annotation) is Literal:
        return "choice"
    if name in _HOURS:
        return "hour"
    return "upstream" if name in ("upstream", "default_upstream", "fallback") else "text"


def _choices(annotation: Any) -> tuple[str, ...]:
    if get_origin(annotation) is list:
        return _choices(get_args(annotation)[0])
    return tuple(map(str, get_args(annotation))) if get_origin(annotation) is Literal else ()


def _limits(field: FieldInfo) -> tuple[float | None, float | None]:
    least: float | None = None
    most: float | None = None
    for rule in field.metadata:
        match rule:
            case Ge(ge=int() | float() as limit) | Gt(gt=int() | float() as limit):
                least = float(limit)
            case Le(le=int() | float() as limit):
                most = float(limit)
    return least, most


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) in (Union, UnionType):
        kinds = [each for each in get_args(annotation) if each is not type(None)]
        return kinds[0], len(kinds) < len(get_args(annotation))
    return annotation, False
