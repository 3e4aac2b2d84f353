"""What of an exchange that went wrong evolver and gate may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metaclaw_tray.learning.evidence import said_next
from metaclaw_tray.learning.judge import answer_of, request_of
from metaclaw_tray.learning.origin import FOREIGN, Origin, Span, spans_of, spans_of_latest, words_from
from metaclaw_tray.store.turns import Conversation

_KEPT = 8000  # characters of each part of an exchange that are replayed


@dataclass(frozen=True)
class Support:
    """One exchange that teaches, as evolver and gate may see it."""

    exchange_id: str
    request: str
    answer: str
    said: str  # the person's words about the answer
    system: str = ""
    accepted: str = ""  # the answer that the person took, where one followed
    spans: tuple[Span, ...] = ()  # all that was said, and whose words it is
    asked: str = ""  # of the request what the person said themselves, where it is not all of it
    material: tuple[Span, ...] = ()  # the rest of the request: handed over, or brought by a tool
    skills: tuple[str, ...] = ()  # "name@version" of those that stood in front of the request


def support_of(
    exchange_id: str,
    told: Conversation,
    accepted: dict[str, Any] | None,
    note: str,
    skills: tuple[str, ...] = (),
) -> Support:
    """What of an exchange may be shown. `note` is what the person said with a thumb."""
    latest = spans_of_latest(told.request)
    material = tuple(span for span in latest if span.origin in FOREIGN)
    return Support(
        exchange_id=exchange_id,
        request=_cut(request_of(told.request)),
        answer=_cut(answer_of(told.answer)),
        said="\n".join(each for each in (said_next(told.next_state), note) if each),
        system=_cut(told.system),
        accepted=_cut(answer_of(accepted)),
        spans=spans_of(told, accepted, note),
        asked=_cut(words_from(latest, Origin.PERSON)) if material else "",
        material=material,
        skills=skills,
    )


def _cut(text: str) -> str:
    """The head of a text that is too long to be asked again and again."""
    return text if len(text) <= _KEPT else text[:_KEPT]
