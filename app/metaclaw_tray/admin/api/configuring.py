"""What can be set, and what the settings in force mean for the person's privacy."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Row, Verb

SettingValue = str | int | float | bool | list[str] | dict[str, str] | None


class SettingRow(Row, frozen=True):
    """A setting: what it is, what it may be, what a change of it asks for."""

    key: str
    kind: Literal["switch", "whole", "number", "text", "choice", "upstream", "hour", "list", "map"]
    value: SettingValue
    default: SettingValue
    description: str
    choices: list[str] = field(default_factory=list)
    unit: str = ""  # s, min, days, MB, USD, tokens
    minimum: float | None = None
    maximum: float | None = None
    optional: bool = False  # whether it can be none
    restart: bool = False  # whether a change counts from the next start only
    consent: bool = False  # whether a change takes a person's yes


class ListConfig(Verb[list[SettingRow]], frozen=True, tag="config.list"):
    """Each setting there is, in the order of their declaration."""


class HostRow(Row, frozen=True):
    """A place that something is sent to, by the settings in force."""

    host: str  # with its port where it is an unusual one; "" for the embedded model
    here: bool  # on this machine: nothing leaves it
    purpose: Literal["agents", "fallback", "learning", "model", "calendar"]
    upstream: str = ""
    agents: list[str] = field(default_factory=list)  # whose requests go there
    credential: str = ""  # key, pass-through, none
    model: str = ""  # that is asked for, or fetched
    calendar: str = ""  # that is read there
    on: bool = True  # whether it happens now; False where something has to be switched on or asked for first


class FileRow(Row, frozen=True):
    """A place where something of the person's lies on this machine."""

    what: Literal["settings", "record", "skills", "keys", "logs", "models"]
    path: str  # or the name of the keyring
    bytes: int | None = None  # None where it is not known


class Privacy(Row, frozen=True):
    hosts: list[HostRow]
    files: list[FileRow]


class ShowPrivacy(Verb[Privacy], frozen=True, tag="privacy.show"):
    """What leaves this machine, host by host, and where what stays lies."""
