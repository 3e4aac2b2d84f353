"""Where the words of a conversation come from.

A person hands things over with a question: a page, a mail, a log, a quotation. A tool brings what stands on
the web or in a file. None of that is the person speaking, whatever it says, and a note may teach only what
they asked for. So each conversation is split here into spans that know their origin. Nothing is asked of a
model: what decides who spoke must not be open to persuasion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from metaclaw_tray.learning.handing import adopts, split_message
from metaclaw_tray.store.turns import Conversation
from metaclaw_tray.wire.said import is_persons, is_system, persons_text, text_of

Message = dict[str, Any]


class Origin(StrEnum):
    """Whose words they are."""

    DEMAND = "demand"  # the person's, about an answer: what they want otherwise
    PERSON = "person"  # the person's, in a request
    ACCEPTED = "accepted"  # the model's, in an answer that the person took
    MODEL = "model"
    CALL = "call"  # what the model gave to a tool: it may have it from anywhere
    ADOPTED = "adopted"  # handed over by the person, who said to follow it
    PASTED = "pasted"  # handed over or quoted by the person
    TOOL = "tool"
    WEB = "web"  # a tool's, from the web or a mailbox
    CLIENT = "client"  # what the agent program put in the person's name
    SYSTEM = "system"  # the agent program's instructions


FOREIGN = (Origin.WEB, Origin.TOOL, Origin.CLIENT, Origin.PASTED, Origin.ADOPTED, Origin.CALL)
"""Origins whose words give nobody here an order, the farthest first."""


@dataclass(frozen=True)
class Span:
    """A piece of a conversation, and whose words it is."""

    origin: Origin
    text: str


_KEPT = 12_000  # characters of one span from elsewhere, half from each end: it is read, not shown
_ALL = 200_000  # characters of all spans, the newest first
_WEB = re.compile(
    r"web|fetch|brows|search|url|http|scrap|crawl|navigat|page|curl|wget|mail|inbox|slack|discord|telegram|tweet|rss",
    re.I,
)
_HTML = re.compile(r"<!doctype html|<html\b|<body\b|https?://", re.I)


def spans_of(told: Conversation, accepted: Message | None = None, note: str = "") -> tuple[Span, ...]:
    """All that was said up to what the person said next, in spans. `note` came with a thumb: it is theirs."""
    found: list[Span] = []
    if told.system:
        found.append(_span(Origin.SYSTEM, told.system))
    found += _of_messages(told.request, Origin.PERSON)
    if told.answer is not None:
        found += _of_model(told.answer, Origin.MODEL)
    found += _of_messages(told.next_state, Origin.DEMAND)
    if accepted is not None:
        found += _of_model(accepted, Origin.ACCEPTED)
    if note:
        found += _of_person(note, Origin.DEMAND)
    return tuple(_newest([each for each in found if each.text.strip()]))


def spans_of_latest(request: Sequence[Message]) -> tuple[Span, ...]:
    """What the person asked last, with what came after it, in spans."""
    start = max((place for place, message in enumerate(request) if is_persons(message)), default=0)
    return tuple(each for each in _of_messages(request[start:], Origin.PERSON) if each.text.strip())


def words_from(spans: Sequence[Span], *origins: Origin) -> str:
    """What comes from these origins."""
    return "\n".join(span.text for span in spans if span.origin in origins)


def _newest(spans: Sequence[Span]) -> list[Span]:
    """The newest spans, as many as are read; what the person said about the answer stands at the end."""
    room = _ALL
    kept: list[Span] = []
    for span in reversed(spans):
        room -= len(span.text)
        if room < 0:
            break
        kept.append(span)
    return kept[::-1]


def _of_messages(messages: Sequence[Message], persons: Origin) -> Iterator[Span]:
    calls: dict[str, str] = {}
    for message in messages:
        if message.get("role") == "assistant":
            calls.update(_calls(message))
            yield from _of_model(message, Origin.MODEL)
        elif is_system(message):
            yield _span(Origin.SYSTEM, text_of(message))
        elif message.get("role") == "user":
            words = persons_text(message) if is_persons(message) else ""
            yield _span(Origin.CLIENT, _without(text_of(message), words))
            yield from _of_person(words, persons)
        else:
            called = calls.get(str(message.get("tool_call_id")), str(message.get("name") or ""))
            text = text_of(message)
            web = bool(_WEB.search(called) or _HTML.search(text[:2000]))
            yield _span(Origin.WEB if web else Origin.TOOL, text)


def _of_person(text: str, origin: Origin) -> Iterator[Span]:
    own, handed = split_message(text)
    shown = Origin.ADOPTED if adopts(own) else Origin.PASTED
    yield from (Span(origin, each) for each in own)
    yield from (_span(shown, each) for each in handed)


def _of_model(message: Message, origin: Origin) -> Iterator[Span]:
    yield _span(origin, text_of(message))
    for called in _calls(message).values():
        yield _span(Origin.CALL, called)


def _calls(message: Message) -> dict[str, str]:
    """The calls in an answer by their ids: the tool's name and what it was given."""
    calls = message.get("tool_calls")
    found = {}
    for place, call in enumerate(calls if isinstance(calls, list) else []):
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            found[str(call.get("id", place))] = f"{function.get('name')} {function.get('arguments')}"
    return found


def _without(text: str, words: str) -> str:
    """What a client put around the person's words."""
    kept = set(words.split("\n"))
    return "\n".join(line for line in text.split("\n") if line.strip() and line not in kept)


def _span(origin: Origin, text: str) -> Span:
    half = _KEPT // 2
    return Span(origin, text if len(text) <= _KEPT else f"{text[:half]}\n{text[-half:]}")
