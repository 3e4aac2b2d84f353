"""What the scripted model says when it is asked to judge, to write a skill, or to answer with one.

Only for tests in which the model's cleverness is not the matter. A person in these tests corrects by a
sentence that begins with "Always" or "Never". An answer follows such a rule by quoting it after "As asked:",
which it does wherever the rule stands in front of it, so that a skill visibly helps and a judge can see it.
"""

from __future__ import annotations

import re
from typing import Any

_RULE = re.compile(r"\b(?:Always|Never)\b[^.!?\n\"\\]*[.!?]?")
_FOLLOWED = "As asked:"
_LONGEST_NAME = 60


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
    rule = standing_rule("\n".join(content_text(message) for message in messages))
    last = content_text(messages[-1]) if messages else ""
    said = re.sub(_RULE, "…", last)[-60:]
    followed = f" {_FOLLOWED} {rule}" if rule else ""
    return f"You said: {said}. That is noted and will be seen to before the day is over.{followed}"


def answer_schema(schema: dict[str, Any], messages: list[dict[str, Any]]) -> Any:
    """A value that fits the schema: its properties are filled by what their names say."""
    user = [content_text(message) for message in messages if message.get("role") == "user"]
    return _Filler("\n".join(user), schema.get("$defs", {})).value("", schema)


class _Filler:
    """Fills one schema from what one request shows."""

    def __init__(self, shown: str, definitions: dict[str, Any]) -> None:
        self._definitions = definitions
        self._rule = standing_rule(shown)
        followed = bool(self._rule) and f"{_FOLLOWED} {self._rule}" in shown
        self._score = -1 if self._rule and not followed else 1

    def value(self, name: str, schema: dict[str, Any]) -> Any:
        if "$ref" in schema:
            return self.value(name, self._definitions[schema["$ref"].rpartition("/")[2]])
        for choices in (schema.get("anyOf"), schema.get("oneOf")):
            if choices:
                return self.value(name, next((c for c in choices if c.get("type") != "null"), choices[0]))
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._one_of(schema["enum"])
        return self._of_type(name, schema)

    def _of_type(self, name: str, schema: dict[str, Any]) -> Any:
        kind = schema.get("type")
        if kind == "object":
            return {key: self.value(key, inner) for key, inner in schema.get("properties", {}).items()}
        if kind == "array":
            return [
                self._numbered(self.value(name, schema["items"]), number)
                for number in range(schema.get("minItems", 1))
            ]
        if kind in ("integer", "number"):
            return self._score
        if kind == "boolean":
            return bool(self._rule)
        return self._text(name)[: schema.get("maxLength", 4000)]

    def _one_of(self, choices: list[Any]) -> Any:
        """A score where scores are offered, else the choice that makes something of a rule."""
        for score in (self._score, str(self._score), f"{self._score:+d}"):
            if score in choices:
                return score
        wanted = ("create", "update", "yes", "bad", "instruction") if self._rule else ("none", "no", "good")
        return next((choice for choice in choices if str(choice).lower() in wanted), choices[0])

    def _text(self, name: str) -> str:
        if not self._rule:
            return "" if "instruction" in name else "Nothing stands out here."
        if name in ("name", "skill", "kind", "slug"):
            return _slug(self._rule)
        if "description" in name:
            return f"What the person wants: {self._rule} Use it for requests of this kind."
        if name in ("reason", "why", "note"):
            return "The person corrected the answer and gave a rule."
        return self._rule

    def _numbered(self, value: Any, number: int) -> Any:
        return f"{value} ({number + 1})" if number and isinstance(value, str) else value


def _slug(rule: str) -> str:
    """A skill's name from the rule's last words, which are what it is about."""
    words = re.findall(r"[a-z0-9]+", rule.lower())
    return "-".join(words[-4:])[:_LONGEST_NAME].strip("-")
