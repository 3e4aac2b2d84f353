"""Why each skill was or was not chosen for a request: the look-up told at length, for people.

It decides nothing. What is injected comes from `skills.live`, which this asks the same question.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from metaclaw_tray.skills.live import LiveSkill, Snapshot, fitting_in
from metaclaw_tray.skills.retrieval import NO_HINTS, Explanation, Hints, Weight


class Outcome(StrEnum):
    """What became of a skill."""

    CHOSEN = "chosen"
    ON_PATH = "on the path"
    NO_SLOT = "no slot"
    NO_TOKENS = "no tokens"
    OUTDONE = "outdone"
    BELOW_FLOOR = "below the floor"
    NOTHING_SHARED = "nothing shared"
    NOT_SHOWN = "not shown"
    OTHER_AGENT = "not for this agent"


@dataclass(frozen=True)
class Reason:
    """One skill's outcome, in words and figures."""

    name: str
    outcome: Outcome
    why: str  # a sentence for the person
    score: float = 0.0
    terms: tuple[tuple[str, float], ...] = ()  # words by which it was found, and what each gave
    phrase: bool = False  # a whole trigger phrase was said


@dataclass(frozen=True)
class Account:
    """A look-up, explained. `asked` is what was looked at of the message."""

    asked: str
    floor: float
    reasons: tuple[Reason, ...]  # those with the highest scores first


def account(
    snapshot: Snapshot,
    query: str,
    exclude: frozenset[str],
    slots: int,
    tokens: int,
    hints: Hints = NO_HINTS,
    agent: str | None = None,
) -> Account:
    """Why each active skill is or is not chosen for these words, under the limits that `LiveLibrary.choose`
    has: names on the path already, slots and tokens left, hints of what was said before, and the agent; where
    none is named, all skills are for whoever asks."""
    explained = snapshot.index.explain(query, hints)
    hidden = frozenset() if agent is None else snapshot.scopes.hidden(agent)
    fitting, _, _ = fitting_in(snapshot, query, exclude | hidden, slots, tokens, hints=hints)
    chosen = {skill.name for skill in fitting}
    reasons = []
    for weight in explained.weights:
        if weight.name in hidden:
            outcome, why = Outcome.OTHER_AGENT, _for_others(snapshot, weight.name)
            reasons.append(Reason(weight.name, outcome, why, weight.score, weight.terms, weight.phrase))
            continue
        outcome, why = _outcome(weight, explained, snapshot.skills[weight.name], exclude, chosen, slots)
        reasons.append(Reason(weight.name, outcome, why, weight.score, weight.terms, weight.phrase))
    found = {weight.name for weight in explained.weights}
    for name in sorted(snapshot.skills.keys() - found):
        reasons.append(Reason(name, Outcome.NOTHING_SHARED, "shares no word with what was asked"))
    for name, why in sorted(snapshot.left_out.items()):
        reasons.append(Reason(name, Outcome.NOT_SHOWN, why))
    return Account(explained.asked, explained.floor, tuple(reasons))


def _for_others(snapshot: Snapshot, name: str) -> str:
    return f"is for {', '.join(sorted(snapshot.scopes.scoped[name]))} only"


def _outcome(
    weight: Weight,
    explained: Explanation,
    skill: LiveSkill,
    exclude: frozenset[str],
    chosen: set[str],
    slots: int,
) -> tuple[Outcome, str]:
    if weight.name in chosen:
        said = "a whole trigger phrase was said" if weight.phrase else "its words were said"
        if weight.meant:
            said = (
                f"{said}, and what was said before means it"
                if weight.terms
                else "what was said before means it"
            )
        return Outcome.CHOSEN, f"{said}; {weight.score:.2f} is above the floor of {explained.floor:.2f}"
    if weight.score < explained.floor:
        return Outcome.BELOW_FLOOR, f"{weight.score:.2f} is below the floor of {explained.floor:.2f}"
    if weight.score < explained.beside:
        return Outcome.OUTDONE, f"another fits so much better that {explained.beside:.2f} was needed"
    if weight.name in exclude:
        return Outcome.ON_PATH, "stands in this conversation already"
    if len(chosen) >= slots:
        return Outcome.NO_SLOT, f"others came first, and there was room for {max(slots, 0)}"
    return Outcome.NO_TOKENS, f"takes about {skill.tokens} tokens, more than were left"
