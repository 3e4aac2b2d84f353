"""Parts that are installed later, after a yes."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from metaclaw_tray.admin.api.base import Consented, Row, Said, Verb


class ExtraRow(Row, frozen=True):
    """A part that can be installed later."""

    name: str
    title: str
    about: str
    state: Literal["missing", "here", "older", "environment"]  # older: made for earlier pins, and used
    packages: list[str] = field(default_factory=list)  # as "numpy 2.4.6"
    bytes: int = 0  # to download
    bytes_installed: int = 0  # about, once it is here
    folder: str = ""  # where it lies; empty where it is not the app's own
    plan: list[str] = field(
        default_factory=list
    )  # what adding it means, in sentences; empty where it is here
    why_not: str = ""  # why it cannot be added here


class ListExtras(Verb[list[ExtraRow]], frozen=True, tag="extras.list"):
    """Nobody is asked but pip for its settings."""


class AddExtra(Consented[Said], frozen=True, kw_only=True, tag="extras.add"):
    """Install it, after a yes to its `plan`. Each step begins with how far it is, as in `37 %: …`; nothing
    of it is left when nobody waits for the rest."""

    name: str


class RemoveExtra(Verb[Said], frozen=True, kw_only=True, tag="extras.remove"):
    """Take away what `extras.add` has brought, after a plain yes."""

    name: str
    yes: bool = False
