"""Calls without their results, and results without their calls.

Clients lose one of the two when they shorten a conversation or are stopped. Their history is theirs: it is
translated as it stands, and the upstream may refuse it. Tests hold that no translation makes an orphan of its
own.
"""

from __future__ import annotations

from collections.abc import Iterable

from metaclaw_tray.wire.said import Message


def orphans(messages: Iterable[Message]) -> list[str]:
    """A line for each orphan in a conversation in the form of chat completions (`wire.dialect`).

    A result belongs behind the message that called, with nothing but results between them.
    """
    found: list[str] = []
    waiting: dict[str, int] = {}  # calls of the last answer without a result, and where they stand
    for index, message in enumerate(messages):
        if message.get("role") == "tool":
            called = str(message.get("tool_call_id"))
            if waiting.pop(called, None) is None:
                found.append(f"messages[{index}]: a result of {called}, which was not called")
            continue
        found += _unanswered(waiting)
        waiting = {
            str(call.get("id")): index for call in message.get("tool_calls") or () if isinstance(call, dict)
        }
    return found + _unanswered(waiting)


def _unanswered(waiting: dict[str, int]) -> list[str]:
    return [f"messages[{index}]: no result of {called}" for called, index in waiting.items()]
