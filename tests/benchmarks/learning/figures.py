"""From the journal to figures. Pure, so a run that did not end tells what it has."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from benchmarks.learning.journal import Journal
from benchmarks.learning.options import ORDINARY_NAME
from benchmarks.learning.records import Answered, Calls, Identity, Judged, Learnt, Offer, Replay, Taught
from benchmarks.learning.rules import Rule
from metaclaw_tray.learning.intervals import Share

OTHERS_NAME = "others"


class Counted(Struct, frozen=True):
    """Answers that were right, of how many, with what they took on average."""

    right: int
    of: int
    low: float  # of the interval of 95 %
    high: float
    carried: int  # requests with a skill that was learnt from this rule; for the others: with any
    carried_right: int  # of these: right
    input_tokens: float
    output_tokens: float
    seconds: float


class RuleFigures(Struct, frozen=True):
    """What became of one rule."""

    name: str
    says: str
    lessons: int
    corrections: int  # lessons in which something was wrong
    before: Counted | None
    with_skill: Counted | None  # None where nothing was approved
    withheld: Counted | None
    learnt: bool  # whether learning had its pass
    offers: list[Offer]
    notes: list[str]


class Agreement(Struct, frozen=True):
    """How often the judge agreed with the code."""

    agreed: int
    scored: int
    unscored: int
    missed: int  # wrong answers that it held for right
    false_failures: int  # right answers that it held for wrong


class Marks(Struct, frozen=True):
    """How often the gate's mark of a pair of answers was the code's: better, alike, worse."""

    agreed: int
    scored: int
    unscored: int
    better: int  # pairs of which only the answer with the skill is right
    seen: int  # of these: marked a win
    worse: int  # pairs of which only the answer without the skill is right
    noticed: int  # of these: marked a loss


class Harm(Struct, frozen=True):
    """The requests of other kinds, before and with all that was learnt."""

    before: Counted
    after: Counted | None  # None where they were not asked again
    lost: int  # right before, wrong now
    won: int
    lost_requests: list[str]


class Outcome(Struct, frozen=True):
    """All that a run found."""

    identity: Identity | None
    rules: list[RuleFigures]
    strays: list[Offer]  # proposals that no rule's sessions taught
    harm: Harm | None
    judge: Agreement
    gate: Marks
    calls: list[Calls]
    minutes: dict[str, float]  # by part of the run
    complaints: list[str]  # what makes a run wrong, not poor


def figures(journal: Journal, rules: Sequence[Rule]) -> Outcome:
    """What the journal holds of these rules, added up."""
    names = [ORDINARY_NAME, *(rule.name for rule in rules)]
    passes = {name: learnt for name in names if (learnt := journal.get(f"learn/{name}", Learnt))}
    offers = [offer for each in passes.values() for offer in each.offers]
    each_rule = (_rule(journal, rule, offers, passes.get(rule.name)) for rule in rules)
    found = [each for each in each_rule if each is not None]
    return Outcome(
        identity=journal.get("identity", Identity),
        rules=found,
        strays=[offer for offer in offers if offer.rule not in names[1:]],
        harm=_harm(journal),
        judge=agreement([each for one in passes.values() for each in one.judged]),
        gate=marks([each for offer in offers for each in offer.replays]),
        calls=list(passes.values())[-1].calls if passes else [],
        minutes={name: seconds / 60 for name, seconds in _seconds(journal, names, passes).items()},
        complaints=_complaints(found),
    )


def _rule(journal: Journal, rule: Rule, offers: Sequence[Offer], learnt: Learnt | None) -> RuleFigures | None:
    name = rule.name
    taught = list(journal.under(f"teach/{name}", Taught))
    before = list(journal.under(f"before/{name}", Answered))
    if not taught and not before:
        return None
    own = [offer for offer in offers if offer.rule == name]
    skills = {offer.skill for offer in own if offer.approved}
    return RuleFigures(
        name=name,
        says=rule.says,
        lessons=len(taught),
        corrections=sum(not each.said[0].right for each in taught),
        before=counted(before, skills),
        with_skill=counted(list(journal.under(f"with/{name}", Answered)), skills),
        withheld=counted(list(journal.under(f"withheld/{name}", Answered)), skills),
        learnt=learnt is not None,
        offers=own,
        notes=learnt.notes if learnt else [],
    )


def counted(answers: Sequence[Answered], skills: set[str] | None) -> Counted | None:
    """Add answers up; None where there are none. `skills` are those that count as carried; None: all."""
    if not answers:
        return None
    share = Share(sum(each.right for each in answers), len(answers))
    low, high = share.interval
    carried = [each for each in answers if _carries(each, skills)]
    return Counted(
        right=share.right,
        of=share.of,
        low=low,
        high=high,
        carried=len(carried),
        carried_right=sum(each.right for each in carried),
        input_tokens=sum(each.input_tokens for each in answers) / share.of,
        output_tokens=sum(each.output_tokens for each in answers) / share.of,
        seconds=sum(each.seconds for each in answers) / share.of,
    )


def _carries(answered: Answered, skills: set[str] | None) -> bool:
    return any(skills is None or each.partition("@")[0] in skills for each in answered.skills)


def _harm(journal: Journal) -> Harm | None:
    asked = list(journal.under(f"before/{OTHERS_NAME}", Answered))
    before, known = counted(asked, None), {each.request: each for each in asked}
    if before is None:
        return None
    again = list(journal.under(f"with/{OTHERS_NAME}", Answered))
    pairs = [(known[each.request], each) for each in again if each.request in known]
    lost = [now.request for was, now in pairs if was.right and not now.right]
    won = sum(now.right and not was.right for was, now in pairs)
    return Harm(before, counted(again, None), len(lost), won, lost)


def agreement(judged: Sequence[Judged]) -> Agreement:
    """A verdict of -1 says wrong, the others say right; what was not scored counts apart."""
    pairs = [(each.right, each.verdict != -1) for each in judged if each.verdict is not None]
    return Agreement(
        agreed=sum(right == held for right, held in pairs),
        scored=len(pairs),
        unscored=len(judged) - len(pairs),
        missed=sum(held and not right for right, held in pairs),
        false_failures=sum(right and not held for right, held in pairs),
    )


def marks(replays: Sequence[Replay]) -> Marks:
    """The gate's marks beside the code's."""
    pairs = [(_mark(each), each.mark) for each in replays if each.mark != "unscored"]
    return Marks(
        agreed=sum(code == gate for code, gate in pairs),
        scored=len(pairs),
        unscored=len(replays) - len(pairs),
        better=sum(code == "win" for code, _ in pairs),
        seen=sum(code == gate == "win" for code, gate in pairs),
        worse=sum(code == "loss" for code, _ in pairs),
        noticed=sum(code == gate == "loss" for code, gate in pairs),
    )


def _mark(replay: Replay) -> str:
    if replay.with_right == replay.without_right:
        return "tie"
    return "win" if replay.with_right else "loss"


def _seconds(journal: Journal, names: Sequence[str], passes: dict[str, Learnt]) -> dict[str, float]:
    def asked(part: str) -> float:
        return sum(
            each.seconds
            for name in (*names, OTHERS_NAME)
            for each in journal.under(f"{part}/{name}", Answered)
        )

    return {
        "before": asked("before"),
        "teaching": sum(each.seconds for name in names for each in journal.under(f"teach/{name}", Taught)),
        "learning": sum(each.seconds for each in passes.values()),
        "with": asked("with"),
        "withheld": asked("withheld"),
    }


def _complaints(rules: Sequence[RuleFigures]) -> list[str]:
    found = []
    for rule in rules:
        if rule.withheld and rule.withheld.carried:
            found.append(f"{rule.name}: a skill was put into a session for which skills are off")
        found += [f"{rule.name}: {offer.trouble}" for offer in rule.offers if offer.trouble]
    return found
