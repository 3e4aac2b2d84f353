"""The requests that a skill is measured on, and where each comes from.

*Source* requests taught the skill: they are shown and do not count. *Held-out* ones are the person's own,
kept aside, of the kind the skill is for; *synthetic* ones are invented beside the sources. These two count.
*Near* ones went well, and the skill would stand in front of them: they show whether it does harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec
from sqlmodel import Session

from metaclaw_tray.learning.alike import Fault, one_fault
from metaclaw_tray.learning.evidence import said_next
from metaclaw_tray.learning.evolver import Draft
from metaclaw_tray.learning.model import Message
from metaclaw_tray.learning.support import Support
from metaclaw_tray.learning.trajectory import answer_of, request_of
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.live import Snapshot, build_snapshot, fitting_in
from metaclaw_tray.skills.tokens import estimate_tokens
from metaclaw_tray.store import corrections, holdout, learning, library, turns
from metaclaw_tray.store.holdout import Candidate
from metaclaw_tray.store.tables import TurnOutcome

HELD_OUT_MOST = 16
NEAR_MOST = 4
SOURCES_SHOWN = 2


class Origin(StrEnum):
    SOURCE = "source"
    HELD_OUT = "held-out"
    SYNTHETIC = "synthetic"
    NEAR = "near"

    @property
    def counts(self) -> bool:
        return self in (Origin.HELD_OUT, Origin.SYNTHETIC)


@dataclass(frozen=True)
class Remark:
    """What the person said about an answer, the answer, and the one that they took instead. Without words it
    is the answer alone that they were content with."""

    said: str = ""
    request: str = ""
    rejected: str = ""
    accepted: str = ""


@dataclass(frozen=True)
class Probe:
    """One request, as it is asked again."""

    origin: Origin
    group: str  # the exchange that it comes from: what comes from one exchange counts as one draw
    request: str  # the person's words, for whoever grades and reads
    messages: tuple[Message, ...]
    remark: Remark  # what an answer is graded by
    tools: tuple[Message, ...] = ()
    exchange: str = ""  # the exchange whose own words these are; a synthetic one has none

    @property
    def tokens(self) -> int:
        """About how many it sends."""
        return estimate_tokens(msgspec.json.encode([self.messages, self.tools]).decode())


@dataclass(frozen=True)
class Chosen:
    """The person's own exchanges that a skill is measured on, and those that were too long to be."""

    held_out: tuple[Probe, ...] = ()
    near: tuple[Probe, ...] = ()
    left_out: int = 0


def remark_of(support: Support) -> Remark:
    return Remark(support.said, support.request, support.answer, support.accepted)


def source_probe(support: Support) -> Probe:
    return _plain(Origin.SOURCE, support, support.request, support.exchange_id)


def synthetic_probe(support: Support, request: str) -> Probe:
    return _plain(Origin.SYNTHETIC, support, request, "")


def _plain(origin: Origin, support: Support, request: str, exchange: str) -> Probe:
    system: list[Message] = [{"role": "system", "content": support.system}] if support.system else []
    messages = (*system, {"role": "user", "content": request})
    return Probe(origin, support.exchange_id, request, messages, remark_of(support), exchange=exchange)


def find(
    session: Session, draft: Draft, faults: Sequence[Fault], remark: Remark, settings: Settings
) -> Chosen:
    """The person's own exchanges to measure this on. Reads only, and takes a while: not for the loop.

    `faults` are the failures that the draft was written for; `remark` serves for held-out exchanges about
    which the person said nothing.
    """
    found = holdout.candidates(session)
    if not found:
        return Chosen()
    retrieval = _Retrieval(session, draft, settings)
    held_out, near, left_out = list[Probe](), list[Probe](), 0
    for each in found:
        good = each.score == 1
        enough = len(near) >= NEAR_MOST if good else len(held_out) >= HELD_OUT_MOST
        if enough or not (retrieval.finds_it(each.words) or (not good and _is_alike(each, faults))):
            continue
        probe = told(session, each.exchange_id, Origin.NEAR if good else Origin.HELD_OUT, remark)
        if probe is None or probe.tokens > settings.learning.replay_tokens:
            left_out += 1
        else:
            (near if good else held_out).append(probe)
    return Chosen(tuple(held_out), tuple(near), left_out)


def told(session: Session, exchange_id: str, origin: Origin, remark: Remark) -> Probe | None:
    """An exchange's first request, asked as it was; None where it cannot be asked again. Where the exchange
    opens with a remark, it is the request that the remark is about."""
    made = turns.turns_of(session, exchange_id)
    first = next((each for each in made if each.outcome == TurnOutcome.OK), None)
    if first is None:
        return None
    asked = corrections.conversation_about(session, first.id)
    system: list[Message] = [{"role": "system", "content": asked.system}] if asked.system else []
    messages = (*system, *asked.request)
    if messages[-1].get("role") != "user" or not all(_is_text(message) for message in messages):
        return None
    last = next((each for each in reversed(made) if each.next_turn_id), made[-1])
    judged = learning.score_of(session, last.id)
    last = corrections.last_corrected(session, last)
    ended = corrections.conversation_about(session, last.id)
    said = "\n".join(
        each for each in (said_next(ended.next_state), learning.note_of(session, exchange_id)) if each
    )
    request = request_of(asked.request)
    if origin is Origin.NEAR:
        remark = Remark(request=request, accepted=answer_of(asked.answer))
    elif said and judged == -1:
        following = last.next_turn_id
        taken = following is not None and learning.score_of(session, following) == 1
        accepted = answer_of(turns.conversation(session, following).answer) if taken and following else ""
        remark = Remark(said, request_of(ended.request), answer_of(ended.answer), accepted)
    settings = turns.body(session, first.settings_id) if first.settings_id else {}
    return Probe(origin, exchange_id, request, messages, remark, tools_of(settings), exchange_id)


def tools_of(settings: dict[str, Any]) -> tuple[Message, ...]:
    """The tools of a request in the form of chat completions, whichever dialect it was in; those that only a
    vendor's own server runs are left out."""
    tools = settings.get("tools")
    found = [_tool(each) for each in tools if isinstance(each, dict)] if isinstance(tools, list) else []
    return tuple(each for each in found if each is not None)


def _tool(tool: dict[str, Any]) -> Message | None:
    function = tool.get("function")
    if isinstance(function, dict):
        return {"type": "function", "function": function}
    schema = tool.get("input_schema", tool.get("parameters"))
    if not isinstance(schema, dict) or not isinstance(tool.get("name"), str):
        return None
    about = {"description": tool["description"]} if isinstance(tool.get("description"), str) else {}
    return {"type": "function", "function": {"name": tool["name"], **about, "parameters": schema}}


@dataclass(frozen=True)
class _Version:
    """A draft as the index takes it."""

    name: str
    version: int
    text: str


class _Retrieval:
    """Finds the draft as the proxy would, with the library that there is beside it."""

    def __init__(self, session: Session, draft: Draft, settings: Settings) -> None:
        generation, active = library.active_library(session)
        others = [each for each in active if each.name != draft.name]
        self._snapshot: Snapshot = build_snapshot(
            generation, [*others, _Version(draft.name, 0, draft.found_by)]
        )
        self._name = draft.name
        self._slots = max(1, settings.injection.per_exchange)
        self._tokens = settings.injection.session_tokens

    def finds_it(self, words: str) -> bool:
        chosen, _, _ = fitting_in(self._snapshot, words, frozenset(), self._slots, self._tokens)
        return any(skill.name == self._name for skill in chosen)


def _is_alike(candidate: Candidate, faults: Sequence[Fault]) -> bool:
    """Whether an exchange went wrong as those that taught did: as at least half of them."""
    if not candidate.kind:
        return False
    failed = Fault(candidate.kind, candidate.said, candidate.words)
    return 2 * sum(one_fault(each, failed) for each in faults) >= max(1, len(faults))


def _is_text(message: Message) -> bool:
    """Whether all of a message is still there and can be sent to a model of words."""
    content = message.get("content")
    if isinstance(content, list):
        return all(isinstance(part, dict) and part.get("type") in (None, "text") for part in content)
    return message.get("role") != "missing"
