"""A run as a person reads it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import indent

from benchmarks.learning.figures import Agreement, Counted, Harm, Marks, Outcome, RuleFigures
from benchmarks.learning.records import Offer
from metaclaw_tray.learning.intervals import Share

_HEAD = ("", "before", "with the skill", "withheld", "carried", "tokens in", "tokens out", "seconds")


def told(outcome: Outcome) -> str:
    """The table first, then what was learnt of each rule, then learning itself."""
    identity = outcome.identity
    lines = [f"{identity.model} at {identity.commit}, on {identity.machine}"] if identity else []
    lines += ["", *_table(outcome), ""]
    for rule in outcome.rules:
        lines += [*_learnt(rule), ""]
    for offer in outcome.strays:
        lines += ["taught by no rule:", *_offer(offer), ""]
    lines += _harm(outcome.harm)
    lines += [
        _agreement(outcome.judge),
        _marks(outcome.gate),
        *(
            f"Calls for {each.purpose}: {each.calls}, {each.input_tokens:,} tokens in, "
            f"{each.output_tokens:,} out"
            for each in outcome.calls
        ),
        "Minutes: " + ", ".join(f"{name} {minutes:.1f}" for name, minutes in outcome.minutes.items()),
        *(f"WRONG: {each}" for each in outcome.complaints),
    ]
    return "\n".join(lines)


def _table(outcome: Outcome) -> list[str]:
    rows = [_HEAD, *(_row(rule.name, rule.before, rule.with_skill, rule.withheld) for rule in outcome.rules)]
    if len(outcome.rules) > 1:
        learnt = [rule for rule in outcome.rules if rule.with_skill]
        all_rules = ("all rules", _total(outcome.rules, "before"), *_totals(learnt), "", "", "", "")
        rows.append(all_rules)
    if outcome.harm:
        rows.append(_row("other kinds", outcome.harm.before, outcome.harm.after, None))
    widths = [max(len(row[place]) for row in rows) for place in range(len(_HEAD))]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _row(name: str, before: Counted | None, now: Counted | None, withheld: Counted | None) -> tuple[str, ...]:
    def beside(of: str) -> str:
        """With the skill, and without it in brackets."""
        plain = withheld or before
        if now is None:
            return f"{getattr(plain, of):.0f}" if plain else ""
        return f"{getattr(now, of):.1f} ({getattr(plain, of):.1f})" if plain else f"{getattr(now, of):.1f}"

    return (
        name,
        _share(before),
        _share(now),
        _share(withheld),
        f"{now.carried} of {now.of}, {now.carried_right} right" if now else "",
        beside("input_tokens"),
        beside("output_tokens"),
        beside("seconds"),
    )


def _share(counted: Counted | None) -> str:
    return str(Share(counted.right, counted.of)) if counted else ""


def _totals(learnt: Sequence[RuleFigures]) -> tuple[str, str]:
    return _total(learnt, "with_skill"), _total(learnt, "withheld")


def _total(rules: Sequence[RuleFigures], column: str) -> str:
    found = [each for rule in rules if (each := getattr(rule, column)) is not None]
    return str(Share(sum(each.right for each in found), sum(each.of for each in found))) if found else ""


def _learnt(rule: RuleFigures) -> Iterator[str]:
    yield f"{rule.name}: {rule.says}"
    yield f"  taught in {rule.lessons} sessions, {rule.corrections} of them with a correction"
    for offer in rule.offers:
        yield from _offer(offer)
    if not rule.offers:
        yield "  nothing was proposed" if rule.learnt else "  the run did not come to learning it"
    yield from (f"  not done: {note}" for note in rule.notes)


def _offer(offer: Offer) -> Iterator[str]:
    became = "approved" if offer.approved else offer.state
    yield f"  {offer.op} “{offer.skill}” ({offer.id}): {offer.outcome}, {became}. {offer.reason}".rstrip()
    yield indent(offer.text.strip(), "    | ", lambda _line: True)


def _harm(harm: Harm | None) -> list[str]:
    if harm is None or harm.after is None:
        return []
    good = harm.before.right
    return [
        f"Harm on other kinds: {Share(harm.lost, good)} that were right before are wrong now; {harm.won} of "
        f"{harm.before.of - good} that were wrong are right; {harm.after.carried} of {harm.after.of} carried "
        "a skill",
        *(f"  lost: {request}" for request in harm.lost_requests),
    ]


def _agreement(found: Agreement) -> str:
    return (
        f"The judge agreed with the code on {Share(found.agreed, found.scored)} answers: "
        f"{found.missed} wrong ones held for right, {found.false_failures} right ones held for wrong; "
        f"{found.unscored} not scored"
    )


def _marks(found: Marks) -> str:
    return (
        f"The gate agreed with the code on {Share(found.agreed, found.scored)} pairs: it saw {found.seen} of "
        f"{found.better} that the skill made right, {found.noticed} of {found.worse} that it made wrong; "
        f"{found.unscored} not scored"
    )
