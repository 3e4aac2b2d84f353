"""What the scripted model says when it is asked to judge, to write a skill, or to answer with one.

Only for tests in which the model's cleverness is not the matter. A person in these tests corrects by a
sentence that begins with "Always" or "Never"; everything else follows from it.
"""

from __future__ import annotations

import re
from typing import Any

_RULE = re.compile(r"\b(?:Always|Never)\b[^.!?\n\"\\]*[.!?]?")


def standing_rule(text: str) -> str:
    """The last sentence that begins with "Always" or "Never", or nothing."""
    rules = _RULE.findall(text)
    return rules[-1].strip() if rules else ""


def content_text(message: dict[str, Any]) -> str:
    """The text of one message, whether it is a string or a list of parts."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def chat_answer(messages: list[dict[str, Any]]) -> str:
    """A few sentences that depend on the messages alone."""
    last = content_text(messages[-1]) if messages else ""
    return f"You said: {last[:80]}. That is noted and will be seen to before the day is over."


def answer_schema(schema: dict[str, Any], messages: list[dict[str, Any]]) -> Any:
    """A value that fits the schema."""
    raise NotImplementedError
