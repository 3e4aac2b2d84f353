"""What becomes of a note before it is measured: it is turned away with a reason, or shown with its taint.

A model that has read a poisoned page writes what the page wants. So what it wrote is hostile input here, and
no model is asked about it: it is held against the person's own words and against what no note may ask for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from metaclaw_tray.learning.addressing import speaks_to_the_judge
from metaclaw_tray.learning.backing import Sources, Whose, sentences
from metaclaw_tray.learning.facts import Told, one_off
from metaclaw_tray.learning.forbidden import attempts
from metaclaw_tray.learning.foreign import foreign_things
from metaclaw_tray.learning.language import language_of
from metaclaw_tray.learning.note import Written
from metaclaw_tray.learning.origin import Origin, Span, words_from
from metaclaw_tray.learning.unmask import has_unseen, readings
from metaclaw_tray.learning.wording import without_wrong
from metaclaw_tray.redact import find_secrets

_TAG = re.compile(
    r"<\s*/?\s*(?:records?|request|answer|said|accepted|rule|old|new|next|remark|note|material|system[\w-]*|assistant"
    r"|user|tool[\w-]*|function[\w-]*|instructions?)\b[^>\n]{0,80}>|\[/?inst\]|<\|[\w-]{1,30}\|>"
)
_EXAMPLE = re.compile(r"^\W*(?:example|voorbeeld|beispiel|exemple|ejemplo|例如?|示例)\s*[:：]", re.I)
_QUOTED = 80  # characters of what is quoted in a reason
_SHOWN = {
    Origin.WEB: "a page or a mail",
    Origin.TOOL: "a tool's output",
    Origin.CLIENT: "what the agent's program added",
    Origin.PASTED: "a text that was pasted or quoted",
    Origin.ADOPTED: "a text that was pasted or quoted",
    Origin.CALL: "what the agent gave to a tool",
}
_TAINTS = {Origin.ADOPTED: "pasted", Origin.CALL: "tool"}


@dataclass(frozen=True)
class Finding:
    """What was found in a note: why it is refused, or whose words besides the person's are in it."""

    refusal: str = ""
    taint: str = ""  # web, tool, client or pasted
    may_be_read: bool = True  # a secret, or what cannot be seen, is not even kept for the person
    may_be_mended: bool = False  # the fault is one of form: the model may try again


def examine(written: Written, records: Sequence[Sequence[Span]]) -> Finding:
    """Hold a note against what was said in the records that teach it, and by whom. Takes time: not for the
    loop."""
    sources = Sources([span for record in records for span in record])
    shown = "\n".join([written.title, written.when, *written.triggers, written.body])
    if refusal := _hidden(shown):
        return Finding(refusal, may_be_read=False)
    if refusal := _orders(shown, sources):
        return Finding(refusal)
    finding = _taint(written, sources)
    if finding.refusal:
        return finding
    refusal = _form(written, sources, records)
    return Finding(refusal, finding.taint, may_be_mended=True) if refusal else finding


def _hidden(shown: str) -> str:
    if find_secrets(shown):
        return "the note held what looks like a secret"
    if has_unseen(shown):
        return "it holds characters that cannot be seen"
    if any(_TAG.search(reading) for reading in readings(shown)):
        return "it holds a mark that would end the block it stands in"
    return ""


def _form(written: Written, sources: Sources, records: Sequence[Sequence[Span]]) -> str:
    told, _ = _sentences(written.body)
    if fact := one_off(told, [_told(record) for record in records]):
        return f"“{_brief(fact)}” is a fact of one request, and no rule for others"
    spoken, written_in = language_of(sources.own), language_of(" ".join(told))
    if spoken and written_in and spoken != written_in:
        return "it is not in the language of the conversation"
    return ""


def _told(record: Sequence[Span]) -> Told:
    answered = (Origin.MODEL, Origin.ACCEPTED, Origin.CALL)
    asked = [each for each in Origin if each not in (*answered, Origin.DEMAND)]
    return Told(words_from(record, *asked), words_from(record, *answered), words_from(record, Origin.DEMAND))


def _orders(shown: str, sources: Sources) -> str:
    if speaks_to_the_judge(shown) and not speaks_to_the_judge(sources.own):
        return "it speaks to whoever judges answers"
    for attempt in attempts(shown, sources.own):
        return f"{attempt.why}: “{_brief(attempt.words)}”"
    for thing in foreign_things(shown, sources.own, sources.agents):
        return f"“{_brief(thing)}” does not stand in your own words"
    return ""


def _taint(written: Written, sources: Sources) -> Finding:
    told, example = _sentences(written.body)
    whose = {each: sources.whose(each) for each in told}
    whose |= {each: sources.whose(each, example=True) for each in (*example, written.title)}
    strange = [each for each, who in whose.items() if who in (Whose.ELSEWHERE, Whose.MIXED)]
    unknown = [each for each, who in whose.items() if who is Whose.UNKNOWN and each in told]
    suspect = [*strange, *(unknown if sources.foreign else [])]
    if not suspect:
        return Finding()
    origin = sources.nearest(" ".join(suspect))
    backed = any(whose[each] not in (Whose.ELSEWHERE, Whose.UNKNOWN) for each in told)
    if not backed and origin is not Origin.ADOPTED:
        where = _SHOWN[origin] if origin else "what the model said itself"
        return Finding(refusal=f"nothing of it is in your own words: it comes from {where}")
    if origin is None:
        return Finding()
    return Finding(taint=_TAINTS.get(origin, origin.value))


def _sentences(body: str) -> tuple[Sequence[str], Sequence[str]]:
    """What a note tells to do, and what its example shows as right."""
    told, right = [], []
    for line in body.split("\n"):
        found = _EXAMPLE.match(line)
        if found is None:
            told += sentences(line)
        elif shown := without_wrong(line[found.end() :]).strip():
            right.append(shown)
    return told, right


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED else f"{line[: _QUOTED - 1]}…"
