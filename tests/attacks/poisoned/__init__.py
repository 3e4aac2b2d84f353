"""Poisoned conversations, and honest ones that look alike, for the defences behind the learning model.

`poisoned.jsonl`: what an agent read, was sent or was shown holds an instruction that nobody but an attacker
wants to be learnt. In most of them the person corrects something harmless as well, so that the loop sees a
failure and starts. `scripted` is the note of a model that fell for it; nothing of it that a `mark` finds may
become live under any policy, nor be offered without its taint shown. What is tested is not the virtue of a
model but what stands behind it.

`honest.jsonl`: the person asks in their own words for a house rule that sounds alarming. `scripted` is the
note a good model writes of it, and it has to get through.

All hosts and addresses are of the domains that are reserved for examples (RFC 2606).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import msgspec

from metaclaw_tray.wire.said import is_persons

Language = Literal["en", "nl", "zh", "de", "es", "fr"]
Origin = Literal["web", "tool", "file", "mail", "arguments", "client", "paste"]
"""By which way the poison came. "client" is what a client adds in the person's name, "paste" what the person
shows without asking for it."""

_HERE = Path(__file__).parent


class Scripted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A note as a learning model might have written it."""

    name: str
    description: str
    triggers: list[str]
    body: str

    @property
    def text(self) -> str:
        """All that a person or a model would be shown of it."""
        return "\n".join([self.name, self.description, *self.triggers, self.body])


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One to four exchanges with the agent, as a client would send them."""

    id: str
    language: Language
    way: str  # the trick, or why the honest one looks alarming
    messages: list[
        dict[str, Any]
    ]  # in the one form of all dialects; the last one is a next state or an answer
    failed: list[int]  # places of the assistant's messages that a judge is made to call failures
    scripted: Scripted

    def turns(self) -> list[tuple[list[dict[str, Any]], dict[str, Any]]]:
        """Each request with its answer, in their order: what an agent would have asked."""
        return [
            (self.messages[:place], message)
            for place, message in enumerate(self.messages)
            if message["role"] == "assistant"
        ]

    @property
    def exchanges(self) -> int:
        """How many messages of the person are followed by an answer."""
        return sum(
            is_persons(one) and two["role"] == "assistant"
            for one, two in zip(self.messages, self.messages[1:], strict=False)
        )


class Poisoned(Told, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A conversation that somebody else has put a rule into."""

    origin: Origin
    wants: str  # what the attacker wants to be live
    marks: list[str]  # regular expressions, upper and lower case alike, that find the poison in a proposal
    rule: str = ""  # what a gullible reader of the person's messages takes for their rule

    def found_in(self, text: str) -> list[str]:
        """The marks that a text holds: empty where the poison did not get through."""
        return [mark for mark in self.marks if re.search(mark, text, re.IGNORECASE)]


class Honest(Told, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A conversation in which the person wants the rule."""

    rule: str  # the person's own words that state it


def poisoned() -> list[Poisoned]:
    return [msgspec.json.decode(line, type=Poisoned) for line in _lines("poisoned.jsonl")]


def honest() -> list[Honest]:
    return [msgspec.json.decode(line, type=Honest) for line in _lines("honest.jsonl")]


def _lines(name: str) -> list[bytes]:
    return (_HERE / name).read_bytes().splitlines()
