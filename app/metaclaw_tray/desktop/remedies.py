"""What the app tells to type, said for a window: the words without the command, and the page that does it.

The app's errors and remarks serve terminals too, and name commands in backticks, as in `metaclaw-tray agents
list`. Nobody in the window is told to type one where there is a page for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMAND = re.compile(r"`metaclaw-tray ?([^`]*)`")
_SENTENCE = re.compile(r"(?:`[^`]*`|[^`.;]|[.;](?!\s|$)|`)+[.;]?\s*")
_ENDS_BEFORE = re.compile(
    r"[,:;(]?\s*(?:or (?:for good )?|and |then |see |by |with )*[,:;(]?\s*$", re.IGNORECASE
)
_LEADS = {  # what says nothing without its command
    "", "see", "run", "try", "fetch it", "give it", "choose", "set it", "add one", "use that one",
    "to take it back", "to end it", "to agree", "for a short form",
}  # fmt: skip

_PLACES = (
    ("config set upstreams.", "settings/models"),
    ("config set embedded.", "settings/models"),
    ("config set learning.upstream", "settings/models"),
    ("config set budget.", "settings/budget"),
    ("config set review.", "settings/learning"),
    ("config set embedder.", "settings/learning"),
    ("config set secrets.", "settings/data"),
    ("config set server.", "settings/program"),
    ("config", "settings"),
    ("secret set upstream", "settings/models"),
    ("secret", "settings/data"),
    ("upstream", "settings/models"),
    ("model", "settings/models"),
    ("agents", "agents"),
    ("extras", "settings/program"),
    ("train", "training"),
    ("adapters", "training"),
    ("schedule", "training"),
    ("calendar", "settings/away"),
    ("learn", "today"),
    ("status", "today"),
    ("notices", "today"),
    ("turns", "conversations"),
    ("sessions", "conversations"),
    ("skills", "skills"),
    ("review", "skills"),
    ("undo", "skills"),
    ("ledger", "skills"),
    ("generations", "skills"),
)
_TYPED = ("doctor", "serve")  # by hand: what no window can do: the app does not run then


@dataclass(frozen=True)
class InWindow:
    """Words, and the page to open; "" for none."""

    text: str
    place: str = ""


def in_window(text: str) -> InWindow:
    """The same for a window. A sentence that is nothing without its command goes; the place stands for it."""
    if not _COMMAND.search(text):
        return InWindow(text)
    places = [_place_of(found[1]) for found in _COMMAND.finditer(text)]
    kept = ""
    for each in _SENTENCE.finditer(text):
        said = _without_command(each[0])
        ends = kept.rstrip()[-1:]
        kept += said[:1].upper() + said[1:] if ends in ("", ".") and kept else said
    kept = kept.strip()
    return InWindow(f"{kept[:-1]}." if kept.endswith(";") else kept, next(filter(None, places), ""))


def _place_of(command: str) -> str:
    return next((place for begins, place in _PLACES if command.startswith(begins)), "")


def _without_command(sentence: str) -> str:
    found = _COMMAND.search(sentence)
    if found is None or found[1] in _TYPED:
        return sentence
    before = _ENDS_BEFORE.sub("", sentence[: found.start()])
    if before.strip().lower() in _LEADS:
        return ""
    return f"{before.rstrip()}. "
