"""Values as a person types them, and their places in the settings file."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

import tomlkit
from pydantic import BaseModel
from tomlkit.container import Container

from metaclaw_tray.errors import NotFoundError, SettingsError
from metaclaw_tray.settings.model import Upstream
from metaclaw_tray.settings.reading import near_miss

Value = str | int | float | bool | list[str] | dict[str, str] | None

_SWITCH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def putting(name: str, upstream: Upstream, default: bool) -> Callable[[Container], None]:
    """A change of the file that puts an upstream there."""

    def change(document: Container) -> None:
        put(document, "upstreams", name, upstream)
        if default:
            document["default_upstream"] = name

    return change


def from_text(key: str, text: str, annotation: Any) -> Value:
    origin = get_origin(annotation)
    if origin in (Union, UnionType) and type(None) in get_args(annotation):
        if text.strip().lower() in ("", "none"):
            return None
        (annotation,) = (kind for kind in get_args(annotation) if kind is not type(None))
        origin = get_origin(annotation)
    if origin is list:
        return [item.strip() for item in text.split(",") if item.strip()]
    if origin is dict:
        return _pairs(key, text)
    if annotation is str or origin is Literal:
        return text
    try:
        if annotation is bool:
            return _SWITCH[text.strip().lower()]
        if annotation is int:
            return int(text)
        if not math.isfinite(number := float(text)):
            raise ValueError(text)
        return number
    except (KeyError, ValueError) as error:
        wanted = {bool: "true or false", int: "a whole number"}.get(annotation, "a number")
        raise SettingsError(
            "The change was refused", f"{key} must be {wanted}, not {text!r}.", "Nothing was changed."
        ) from error


def _pairs(key: str, text: str) -> dict[str, str]:
    """`a=b,c=d`, and nothing for an empty text."""
    pairs = [item.partition("=") for item in text.split(",") if item.strip()]
    if not all(name.strip() and value.strip() for name, _, value in pairs):
        raise SettingsError(
            "The change was refused", f"{key} must be like a=b,c=d, not {text!r}.", "Nothing was changed."
        )
    return {name.strip(): value.strip() for name, _, value in pairs}


def item_of(value: Any) -> Any:
    """A table within a line, so that it stands where its key stands."""
    if not isinstance(value, dict):
        return value
    table = tomlkit.inline_table()
    table.update(value)
    return table


def put(document: Container, section: str, name: str, value: BaseModel) -> None:
    """Write what differs from the default, into the table that is there if there is one."""
    tables: Any = document.setdefault(section, tomlkit.table(is_super_table=True))
    table: Any = tables.setdefault(name, tomlkit.table())
    wanted = value.model_dump(exclude_defaults=True)
    for key in [key for key in table if key not in wanted]:
        del table[key]
    for key, item in wanted.items():
        if key not in table or table[key] != item:
            table[key] = item_of(item)


def remove(document: Container, section: str, name: str) -> None:
    tables: Any = document.get(section, {})
    if name not in tables:
        raise NotFoundError("Not found", f"{section} has no {name!r}.{near_miss(name, list(tables))}", "")
    del tables[name]
