"""A run as a person reads it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.outcome import Growth, Memory, Outcome, Steady
from benchmarks.report import DIRECT, LOAD, Figure, Judged, table

_MAIN_MB, _READY_SECONDS = 90.0, 2.0  # goals for the app as a whole
_FULL = 90.0  # percent of a processor
_GROWTH_MB = 1.0  # per 100,000 turns: what a measurement of resident memory cannot tell from nothing
_SATURATED = 50_000  # turns after which every bounded memory of the app is full


def told(outcome: Outcome, targets: Sequence[str]) -> str:
    """Everything, goals last."""
    stored = outcome.stored
    lines = [
        f"Medians of {outcome.rounds} rounds of {outcome.seconds:g} s. "
        f"Load average of the machine: {outcome.machine['load average']}. "
        f"Stored before: {stored['turns']:,.0f} turns, {stored['skills']:,.0f} skills, "
        f"{stored['MB']:.0f} MB.",
        "",
        table(outcome.figures, targets),
        "",
        *_steady(outcome.steady),
        "",
        "Memory, MB (idle → after the steady turns → after all loads)",
        *_memory([outcome.memory_before, outcome.memory_steady, outcome.memory_after]),
        *(_growth(outcome.growth) if outcome.growth else ()),
        f"Ready after {outcome.ready_new:.2f} s on an empty home, "
        f"{outcome.ready_first:.2f} s the first time with what is stored, {outcome.ready_again:.2f} s again",
        "",
        *map(_goal, [*outcome.judged, *_goals_of_the_app(outcome)]),
        *_limited_by_the_load(outcome.figures),
        *(f"not served: {each}" for each in outcome.unserved),
        *(f"WRONG: {each}" for each in outcome.complaints),
    ]
    return "\n".join(lines)


def _steady(loads: Sequence[Steady]) -> list[str]:
    return [
        f"{each.rate:.0f} streamed turns a second for {each.result.seconds:.0f} s, "
        f"{each.dialect}, {each.size}, {each.target}: "
        f"p50 {each.result.whole.p50:.2f} ms, p99 {each.result.whole.p99:.2f} ms, {each.dropped} dropped"
        for each in loads
    ]


def _memory(moments: Sequence[Sequence[Memory]]) -> list[str]:
    known = [{each.role: each.rss for each in moment} for moment in moments]
    return [
        f"  {role:<12}" + " → ".join(f"{rss.get(role, 0.0):.1f}" for rss in known)
        for role in dict.fromkeys(role for rss in known for role in rss)
    ]


def _growth(growth: Growth) -> list[str]:
    slopes = ", ".join(f"{role} {slope:+.2f}" for role, slope in growth.slope.items())
    return [
        f"Memory, MB, over {growth.turns[-1]:,} turns ({growth.dropped} records dropped)",
        *_memory(growth.memory),
        f"  MB per 100,000 turns over the second half: {slopes}",
    ]


def _limited_by_the_load(figures: Sequence[Figure]) -> list[str]:
    """Where client and model had nothing left to give, so that a target may be faster than was seen."""
    return [
        f"limited by the load itself: {figure.cell}, {target}: {value:.0f} % of processor 0"
        for figure in figures
        if figure.name == LOAD
        for target, value in figure.value.items()
        if target != DIRECT and value > _FULL
    ]


def _goals_of_the_app(outcome: Outcome) -> list[Judged]:
    main = max((each.rss for each in outcome.memory_steady if each.role == "main"), default=0.0)
    ready = max(outcome.ready_new, outcome.ready_again)
    found = [
        Judged(f"main process under {_MAIN_MB:g} MB", {"": main}, main < _MAIN_MB),
        Judged(f"ready in under {_READY_SECONDS:g} s", {"": ready}, ready < _READY_SECONDS),
    ]
    growth = outcome.growth
    if growth and growth.turns[-1] >= 2 * _SATURATED:
        what = f"growth under {_GROWTH_MB:g} MB per 100,000 turns"
        grown = max(growth.slope.values())
        found.append(Judged(what, growth.slope, grown < _GROWTH_MB))
    if outcome.steady:
        lost = sum(each.dropped for each in outcome.steady)
        longest = max(each.result.seconds for each in outcome.steady)
        found.append(Judged(f"nothing dropped in {longest:.0f} s at a steady rate", {"": lost}, not lost))
    return found


def _goal(goal: Judged) -> str:
    came = ", ".join(f"{target} {value:.4g}".strip() for target, value in goal.value.items())
    return f"goal: {goal.what}: {came}: {'met' if goal.met else 'MISSED'}"
