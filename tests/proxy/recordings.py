"""Wire traffic of real clients, written down small: what they sent, and what the app made of each request.

Requests of one conversation repeat nearly all of what was there before, so every part (an element of the
conversation, the tools, the system text, the other fields) is kept once and named by its number. Texts are
cut to their ends, where clients put their marks, and nothing tells whose machine it was (`slow.real.record`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("recorded")
_LISTS = ("messages", "input")
_FIELDS = ("system", "tools")


@dataclass(frozen=True)
class Recorded:
    """A request, and what it was to the app that it went through."""

    path: str  # below the base URL, with its query
    headers: dict[str, str]  # those in which the client speaks of itself
    body: dict[str, Any]
    kind: str  # main or side; "" for one that only counts
    exchange: int | None = None  # the same number for turns of the same exchange

    @property
    def conversation(self) -> str:
        """The field that holds it."""
        return next(name for name in _LISTS if name in self.body)


def save(name: str, requests: list[Recorded]) -> Path:
    parts: list[Any] = []

    def number(part: Any) -> int:
        if part not in parts:
            parts.append(part)
        return parts.index(part)

    written = []
    for each in requests:
        body: dict[str, Any] = {}
        other = {key: value for key, value in each.body.items() if key not in (*_LISTS, *_FIELDS)}
        for key, value in each.body.items():
            if key in _LISTS:
                body[key] = [number(element) for element in value]
            elif key in _FIELDS:
                body[key] = number(value)
        about = {"path": each.path, "kind": each.kind, "exchange": each.exchange}
        written.append({**about, "headers": number(each.headers), "other": number(other), **body})
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in parts)
    asked = ",\n".join(json.dumps(each) for each in written)
    file = FOLDER / f"{name}.json"
    file.write_text(f'{{"parts": [\n{lines}\n],\n"requests": [\n{asked}\n]}}\n', "utf-8")
    return file


def load(name: str) -> list[Recorded]:
    kept = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    parts = kept["parts"]
    requests = []
    for each in kept["requests"]:
        body = dict(parts[each["other"]])
        for key in _LISTS:
            if key in each:
                body[key] = [parts[place] for place in each[key]]
        for key in _FIELDS:
            if key in each:
                body[key] = parts[each[key]]
        headers = parts[each["headers"]]
        requests.append(Recorded(each["path"], headers, body, each["kind"], each["exchange"]))
    return requests
