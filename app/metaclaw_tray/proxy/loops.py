"""Requests that come back to where they began, over however many programs of this kind."""

from __future__ import annotations

import secrets
from collections.abc import MutableMapping

from multidict import MultiMapping
from yarl import URL

from metaclaw_tray.settings.addresses import is_nearby

HEADER = "x-metaclaw-hop"
_MOST = 8  # programs of this kind in a row


class Hops:
    """Marks what is sent to hosts nearby, and knows its own mark again.

    Only a host nearby can lead back here, since nothing else may come in; a provider far away is told
    nothing.
    """

    def __init__(self) -> None:
        self._mark = secrets.token_hex(8)

    def refusal(self, headers: MultiMapping[str]) -> str:
        """Why a request goes round in circles; empty where it does not."""
        marks = _marks(headers)
        if self._mark in marks:
            return (
                "The request came back to MetaClaw Tray, which had sent it on: an upstream leads back here. "
                "`metaclaw-tray upstream list` shows their addresses."
            )
        if len(marks) >= _MOST:
            return f"The request has gone through {len(marks)} programs like MetaClaw Tray already."
        return ""

    def mark(self, onward: MutableMapping[str, str], came: MultiMapping[str], url: URL) -> None:
        """Mark a request that is about to go to `url`."""
        if is_nearby(url.host or ""):
            onward[HEADER] = ", ".join([*_marks(came), self._mark])


def _marks(headers: MultiMapping[str]) -> list[str]:
    if HEADER not in headers:
        return []
    return [mark.strip() for line in headers.getall(HEADER) for mark in line.split(",") if mark.strip()]
