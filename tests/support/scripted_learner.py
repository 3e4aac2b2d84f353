"""What the scripted model says when it is asked to judge, to write a skill, or to answer with one.

Only for tests in which the model's cleverness is not the matter. A person in these tests corrects by a
sentence that begins with "Always" or "Never". An answer follows such a rule by quoting it after "As asked:",
which it does wherever the rule stands in front of it, so that a skill visibly helps and a judge can see it.
"""

from __future__ import annotations

import random
import re
from typing import Any

_RULE = re.compile(r"\b(?:Always|Never)\b[^.!?\n\"\\]*[.!?]?")
_SET_ASIDE = re.compile(r"<note .*?</note>|<accepted>.*?</accepted>", re.DOTALL)
_BLOCK = re.compile(r"<metaclaw-notes>.*?</metaclaw-notes>", re.DOTALL)
_FOLLOWED = "As asked:"
_FAULT, _PRAISE = {"create", "corrects", "every_time", "no"}, {"accepts", "result", "yes", "none"}
_LETTERS = "abcdefghilmnoprstu"
_EXAMPLE_WORDS = 16


def standing_rule(text: str, place: int = -1) -> str:
    """The last sentence that begins with "Always" or "Never", or that at another place; or nothing."""
    rules = _RULE.findall(text)
    return rules[place].strip() if rules else ""


def content_text(message: dict[str, Any]) -> str:
    """The text of one message, whether it is a string or a list of parts."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def chat_answer(messages: list[dict[str, Any]]) -> str:
    """A few sentences that depend on the messages alone."""
    last = content_text(messages[-1]) if messages else ""
    said_now = standing_rule(_BLOCK.sub("", last))  # what is said now goes before what a note says
    rule = said_now or standing_rule("\n".join(content_text(message) for message in messages))
    said = re.sub(_RULE, "…", last)[-60:]
    followed = f" {_FOLLOWED} {rule}" if rule else ""
    return f"You said: {said}. That is noted and will be seen to before the day is over.{followed}"


def answer_schema(schema: dict[str, Any], messages: list[dict[str, Any]]) -> dict[str, Any]:
    """An object that fits the schema, filled by what the names of its properties say.

    What counts is the system message and the last one; between them stand examples. Notes that the last one
    shows as known already are passed over, and so is the answer that the person took.
    """
    shown = "\n".join(content_text(m) for m in (*messages[:1], *messages[-1:]))
    # A note is written from the first record: it is that one's remark by which it is measured.
    filler = _Filler(_SET_ASIDE.sub("", shown), place=0 if "triggers" in schema["properties"] else -1)
    return {name: filler.value(name, inner) for name, inner in schema["properties"].items()}


class _Filler:
    """Fills properties from what one request shows."""

    def __init__(self, shown: str, place: int = -1) -> None:
        self._shown = shown
        self._rule = standing_rule(shown, place)
        self._followed = bool(self._rule) and f"{_FOLLOWED} {self._rule}" in shown
        self._score = -1 if self._rule and not self._followed else 1

    def value(self, name: str, schema: dict[str, Any]) -> Any:
        if "enum" in schema:
            return self._one_of(schema["enum"])
        if schema["type"] == "array":
            room = schema["items"].get("maxLength", 400) - len(" 99")
            text = self._text(name)[:room]
            return [f"{text} {number + 1}" for number in range(schema.get("minItems", 1))]
        if schema["type"] == "integer":
            return self._score
        return self._text(name)[: schema.get("maxLength", 4000)]

    def _one_of(self, choices: list[Any]) -> Any:
        """The rule or the score itself where they are offered, else the word that goes with them."""
        if {"A", "B"} <= set(choices):  # of two answers: the one that follows the remark's rule
            asked, _, answers = self._shown.rpartition("<A>")
            wanted = f"{_FOLLOWED} {standing_rule(asked)}"
            follows = [wanted in answer for answer in answers.split("<B>")]
            return {(True, False): "A", (False, True): "B"}.get((follows[0], follows[-1]), "same")
        if self._rule in choices:
            return self._rule
        if self._score in choices:
            return self._score
        words = _FAULT if self._score < 0 else _PRAISE
        return next((choice for choice in choices if choice in words), choices[0])

    def _text(self, name: str) -> str:
        if name == "request":  # no two topics give the same one
            return f"Say something about this: {self._shown.rpartition('Topic: ')[-1]}"
        if not self._rule:
            return "Say something else about this"
        texts = {
            "title": " ".join(re.findall(r"\w+", self._rule)[-6:]),
            "when": f"Use when the person asks for something like this: {self._rule}",
            "triggers": " ".join(re.findall(r"\w+", self._rule)[-3:]),
            "kind": "rule not followed",
            "reason": "The person corrected the answer and gave a rule.",
        }
        return texts.get(name, f"{self._rule}\nExample: {_example(self._rule)}.")


def _example(rule: str) -> str:
    """Words that no other rule's example has, so that no two notes say the same."""
    rng = random.Random(rule)
    return " ".join("".join(rng.choices(_LETTERS, k=6)) for _ in range(_EXAMPLE_WORDS))
