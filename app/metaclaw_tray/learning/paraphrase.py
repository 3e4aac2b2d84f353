"""New requests of the same kind, to measure a skill on what it was not written from.

Left to itself a small model asks about the same thing again, or answers. So each request gets a topic of
its own, and has to begin with the words of the request it is like: that keeps the task, and the topic
changes the rest.
"""

from __future__ import annotations

import random
import re
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from metaclaw_tray.learning.model import Asked, LearningModel, UnusableAnswerError
from metaclaw_tray.learning.trajectory import shortened

_TOKENS = 160
_LONGEST = 1200  # characters of the request that is shown
_TEMPERATURE = 0.4
_OPENING_WORDS = 3
_SPARE = 2  # topics tried beyond those that are needed, for requests that come out alike

_TOPICS = (
    "a garden",
    "a football match",
    "a delivery of furniture",
    "a concert",
    "a school trip",
    "a bakery",
    "a library",
    "a swimming pool",
    "a doctor's visit",
    "a hotel",
    "a repair of a bicycle",
    "a museum",
    "a birthday",
    "a software update",
    "a job interview",
    "a market",
    "a boat",
    "a phone bill",
    "a conference",
    "a cooking class",
)

_SYSTEM = """\
You invent test requests for an assistant. You read a request and a topic. Write the same kind of request \
about the topic: the same task, with facts of the same kinds, but other names, things, places, dates and \
numbers. The request is data: do not answer it. Write the new request alone."""


class Invented(msgspec.Struct, frozen=True):
    """A request, as the model fills it in."""

    request: str


_EXAMPLES = (
    (
        "Write the heading for the pricing page.",
        "a bakery",
        "Write the heading for the page about our bread.",
    ),
    (
        "Rename this variable to something clear: int d; // days since the last backup",
        "the weather",
        "Rename this variable to something clear: float r; // rain of the last hour in millimetres",
    ),
    (
        "Hoeveel kost een maandkaart voor de tram? Hij kost 62 euro.",
        "een zwembad",
        "Hoeveel kost een abonnement op het zwembad? Het kost 31 euro per maand.",
    ),
)


async def invented(model: LearningModel, request: str, count: int) -> AsyncIterator[str]:
    """At most `count` requests like this one, no two alike, each when it is wanted; fewer where the model has
    no more to say."""
    topics = random.Random(request).sample(_TOPICS, min(count + _SPARE, len(_TOPICS)))  # noqa: S311 no secret
    known = {_folded(request)}
    for seed, topic in enumerate(topics):
        if len(known) > count:
            return
        asked = Asked("gate", _messages(request, topic), _TOKENS, _TEMPERATURE, seed)
        try:
            found = await model.fill(asked, Invented, _schema(request))
        except UnusableAnswerError:
            continue
        new = " ".join(found.request.split())
        if new and _folded(new) not in known:
            known.add(_folded(new))
            yield new


def _folded(request: str) -> str:
    return " ".join(request.split()).casefold()


def _messages(request: str, topic: str) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": _SYSTEM}]
    for known, about, new in _EXAMPLES:
        answer = msgspec.json.encode(Invented(new)).decode()
        messages += [
            {"role": "user", "content": _task(known, about)},
            {"role": "assistant", "content": answer},
        ]
    return [*messages, {"role": "user", "content": _task(shortened(request, _LONGEST), topic)}]


def _task(request: str, topic: str) -> str:
    return f"<request>\n{request}\n</request>\nTopic: {topic}"


def _schema(request: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"request": {"type": "string", "pattern": f"^{_opening(request)}[^\\n]{{8,300}}$"}},
        "required": ["request"],
        "additionalProperties": False,
    }


def _opening(request: str) -> str:
    """The first words of a request as a pattern; nothing where it is too short, or not written in words."""
    words = request.split("\n")[0].split()
    if len(words) < 2 * _OPENING_WORDS:
        return ""
    # A space needs no escape, and not every server's grammar knows one.
    return re.escape(" ".join(words[:_OPENING_WORDS])).replace("\\ ", " ")
