"""What a verdict, the tools, and the person's words or thumb say about an exchange.

Every piece knows whose word it is. Only the person's can ever become a rule; a tool's or a page's are facts
about what happened.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from metaclaw_tray.learning.outcomes import Outcome, outcomes
from metaclaw_tray.learning.trajectory import opening_of
from metaclaw_tray.skills.query import asking
from metaclaw_tray.skills.words import terms, weight
from metaclaw_tray.store.learning import Piece, Ruling
from metaclaw_tray.store.turns import Conversation
from metaclaw_tray.wire.said import is_persons, persons_text

PERSON, MODEL, TOOL, WEB, PROGRAM = "person", "model", "tool", "web", "program"

_SAME_REQUEST = 0.7  # share of the weight of all terms that two requests for the same have in common
_FEW_TERMS = 3  # with fewer telling words than this nothing is said of sameness: "go on", "yes"
_WEB = re.compile(r"web|fetch|brows|url|http|search|crawl|navigat|page", re.I)


def said_next(next_state: Sequence[dict[str, Any]]) -> str:
    """What the person said to an answer; empty where the next state holds no words of theirs."""
    return "\n".join(persons_text(message) for message in next_state if is_persons(message)).strip()


def pieces_of(ruling: Ruling, told: Conversation) -> list[Piece]:
    """The evidence in a verdict, in the words it was given for, and in what tools came back with."""
    said = said_next(told.next_state)
    pieces = []
    if ruling.score is not None:
        pieces.append(Piece("verdict", ruling.score, MODEL, ruling.reason))
    if said:
        pieces += _heard(ruling, said)
        if is_repeated(_task(told), said):
            pieces.append(Piece("repetition", -1, PERSON, said))
    if ruling.instruction:
        pieces.append(Piece("instruction", -1, PERSON, ruling.instruction))
    if ruling.score is None and not ruling.votes and "cut off" in ruling.reason:
        pieces.append(Piece("cut", 0, MODEL, ruling.reason))
    return pieces + pieces_of_tools(told)


def pieces_of_tools(told: Conversation) -> list[Piece]:
    """What the tools of the exchange came back with, as far as it went wrong. What a later call put right is
    no failure, and what the surroundings are to blame for speaks against nobody."""
    steps = told.request[opening_of(told.request) + 1 :]
    answer = [told.answer] if told.answer else []
    return [_piece(each) for each in outcomes([*steps, *answer, *told.next_state]) if each.failed]


def pieces_of_thumb(up: bool, note: str) -> list[Piece]:
    """The evidence that lies in a thumb. A note with it is the person's own words, as good as a reply."""
    value = 1 if up else -1
    pieces = [Piece("feedback", value, PERSON, note)]
    if note:
        pieces.append(Piece("thanks" if up else "correction", value, PERSON, note))
    return pieces


def is_repeated(request: str, said: str) -> bool:
    """Whether the person asks for the same again, in the same or nearly the same words."""
    one, other = (frozenset(terms(asking(text))) for text in (request, said))
    if min(len(one), len(other)) < _FEW_TERMS:
        return False
    together = sum(map(weight, one | other))
    return sum(map(weight, one & other)) >= _SAME_REQUEST * together


def origin_of_tool(name: str) -> str:
    """Whose word a tool's result is: a page's, where the tool is one that reads pages."""
    return WEB if _WEB.search(name) else TOOL


def _heard(ruling: Ruling, said: str) -> list[Piece]:
    """What the person's message says for or against the answer; a next task says neither."""
    if ruling.heard in ("correction", "rule") or (not ruling.heard and ruling.score == -1):
        return [Piece("correction", -1, PERSON, said)]
    if ruling.heard == "thanks" or (not ruling.heard and ruling.score == 1):
        return [Piece("thanks", 1, PERSON, said)]
    return []


def _piece(outcome: Outcome) -> Piece:
    origin = origin_of_tool(outcome.tool)
    if outcome.surroundings is not None:
        return Piece("transient", 0, origin, f"{outcome.surroundings}: {outcome.text}")
    if outcome.repaired:
        return Piece("tool_repaired", 0, origin, outcome.text)
    return Piece("tool_error", -1, origin, outcome.text)


def _task(told: Conversation) -> str:
    request = told.request[opening_of(told.request) :]
    return persons_text(request[0]) if request else ""
