"""By what an answer is graded: a short rubric for each kind of turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from metaclaw_tray.wire.said import text_of

_CHANGES = re.compile(
    r"(?:write|edit|create|apply|patch|replace|update|insert|delete|move|rename|str_replace|save)", re.I
)
_CODE = re.compile(r"^[ \t]*(?:```|~~~)", re.M)
_LONG = 900  # characters from which an answer is a piece of writing rather than a reply


class Rubric(StrEnum):
    """The kinds of turns that are graded in different ways."""

    REPLY = "reply"
    WRITING = "writing"
    CODE = "code"
    TOOLS = "tools"
    CHANGES = "changes"

    @property
    def words(self) -> str:
        """What the judge is told of it."""
        return _WORDS[self]


_WORDS = {
    Rubric.REPLY: "A reply is good if it answers what was asked, in the form the person asked for.",
    Rubric.WRITING: "A text is good if it is what the person ordered: kind, length, form, language and tone.",
    Rubric.CODE: "Code is good if it does what was asked and no more, in the way the person asked for.",
    Rubric.TOOLS: "An answer by tools is good if the task was done in the end. A call that failed and was "
    "then put right is no fault.",
    Rubric.CHANGES: "A change of files is good if it is what was asked, and nothing else was touched. A "
    "call that failed and was then put right is no fault.",
}


def rubric_of(steps: Sequence[dict[str, Any]], answer: dict[str, Any] | None) -> Rubric:
    """The rubric for an exchange: its messages after the person's, and the answer."""
    called = [name for message in (*steps, *([answer] if answer else [])) for name in _called(message)]
    if any(_CHANGES.search(name) for name in called):
        return Rubric.CHANGES
    if called:
        return Rubric.TOOLS
    said = text_of(answer) if answer else ""
    if _CODE.search(said):
        return Rubric.CODE
    return Rubric.WRITING if len(said) > _LONG else Rubric.REPLY


def _called(message: dict[str, Any]) -> list[str]:
    calls = message.get("tool_calls")
    found = []
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            found.append(str(function.get("name") or ""))
    return found
