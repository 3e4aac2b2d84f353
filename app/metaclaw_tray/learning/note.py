"""A note as a model fills it in: what becomes a skill."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Written(msgspec.Struct, frozen=True):
    """A note, as the model fills it in; or none, where the records hold nothing for other requests."""

    title: str
    when: str
    triggers: list[str]
    body: str
    op: Literal["none", "create"] = "create"

    @property
    def subject(self) -> str:
        return " ".join([self.title, self.when, *self.triggers])


NOTE: dict[str, Any] = {
    "title": {"type": "string", "minLength": 3, "maxLength": 60},
    "when": {"type": "string", "minLength": 3, "maxLength": 200},
    "triggers": {
        "type": "array",
        "items": {"type": "string", "minLength": 2, "maxLength": 40},
        "minItems": 3,
        "maxItems": 8,
    },
    "body": {"type": "string", "minLength": 10, "maxLength": 500},
}
"""The JSON schema of a note's fields. The body's limit keeps it under the tokens a learnt skill may take."""


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object that has all of these and nothing else."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def shown(note: Written, schema: dict[str, Any]) -> str:
    """A note as a model that is held to this schema would have written it."""
    return msgspec.json.encode({name: getattr(note, name) for name in schema["properties"]}).decode()
