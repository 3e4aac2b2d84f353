"""A day in sentences, in the person's language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from metaclaw_tray.admin.api import Day, DayChange, DayFault, NextWindow
from metaclaw_tray.desktop.charts.day_band import clock
from metaclaw_tray.desktop.charts.painting import number
from metaclaw_tray.desktop.named import titled

_LONG = re.compile(r"\S{28}(?=\S)")
_NAMED = 4  # skills or agents that are named in a sentence

translate = QCoreApplication.translate


def money(usd: float) -> str:
    """An amount as the person writes it; a little is not nothing."""
    if 0 < usd < 0.005:
        return translate("Today", "under 0.01 USD")
    return translate("Today", "{amount} USD").format(amount=number(usd, 2))


def breakable(words: str) -> str:
    """The same on one line, with places to break in words that are longer than a line may be."""
    return _LONG.sub("\\g<0>\u200b", " ".join(words.split()))


def long_date(said: str) -> str:
    """A day, with its name."""
    of = date.fromisoformat(said)
    return str(QLocale().toString(QDate(of.year, of.month, of.day), QLocale.FormatType.LongFormat))


def day_title(said: str) -> str:
    """Yesterday, or the date."""
    return translate("Today", "Yesterday") if is_yesterday(said) else long_date(said)


def today() -> date:
    """By the clock on the wall."""
    return datetime.now().astimezone().date()


def is_yesterday(said: str) -> bool:
    return date.fromisoformat(said) == today() - timedelta(days=1)


def listed(words: Sequence[str]) -> str:
    """ "a, b and c"; what is too much for a sentence is counted."""
    shown = list(words[:_NAMED])
    if len(words) > len(shown):
        shown.append(translate("Today", "%n more", "", len(words) - len(shown)))
    return str(QLocale().createSeparatedList(shown))


def happened(day: Day) -> list[str]:
    """What happened: who asked, how it went, what came of it; a line of sentences each."""
    if not day.exchanges:
        quiet = translate("Today", "Nobody has asked anything yet today.")
        return [quiet if day.now is not None else translate("Today", "Nobody asked anything that day.")]
    learnt = Counter(each.what for each in day.changes)
    proposed, approved = learnt["proposed"], learnt["approved"]
    went = [
        *([_judged(day)] if day.judged else []),
        *_counted(translate("Today", "You put %n answer(s) right.", "", day.corrected), day.corrected),
        *_counted(translate("Today", "You were pleased with %n.", "", day.praised), day.praised),
    ]
    came = [
        *_counted(translate("Today", "%n proposal(s) came of what was learnt.", "", proposed), proposed),
        *_counted(translate("Today", "%n skill(s) came into use.", "", approved), approved),
    ]
    return [" ".join(line) for line in ([_asked(day), _carried(day)], went, came) if line]


def _counted(sentence: str, count: int) -> list[str]:
    return [sentence] if count else []


def _asked(day: Day) -> str:
    by = [
        translate("Today", "{count} with {agent}").format(count=number(each.exchanges, 0), agent=each.agent)
        for each in day.agents
    ]
    if len(by) == 1:
        said = translate("Today", "%n exchange(s) with {agent}.", "", day.exchanges)
        return said.format(agent=day.agents[0].agent)
    return translate("Today", "%n exchange(s): {agents}.", "", day.exchanges).format(agents=listed(by))


def _carried(day: Day) -> str:
    if not day.carried:
        return translate("Today", "No skill fitted any of them.")
    names = listed([translate("Today", "“{skill}”").format(skill=titled(each.skill)) for each in day.notes])
    return translate("Today", "%n of them had a skill to go by: {skills}.", "", day.carried).format(
        skills=names
    )


def _judged(day: Day) -> str:
    said = translate("Today", "%n answer(s) were judged", "", day.judged)
    parts = []
    if day.good:
        parts.append(translate("Today", "%n helped", "", day.good))
    if day.bad:
        parts.append(translate("Today", "%n did not", "", day.bad))
    return f"{said}: {listed(parts)}." if parts else f"{said}."


def change(each: DayChange) -> str:
    """What learning came to, or what the person decided: one line."""
    name = titled(each.skill)
    known = {
        "proposed": _proposed(each.op),
        "approved": translate("Today", "Approved: {name}"),
        "rejected": translate("Today", "Rejected: {name}"),
        "refused": translate("Today", "Turned down by a check: {name}"),
        "nothing": translate("Today", "Looked into, nothing to learn: {name}"),
        "failed": translate("Today", "Could not be looked into: {name}"),
    }
    return known[each.what].format(name=name)


def _proposed(op: str) -> str:
    return {
        "update": translate("Today", "A change is proposed: {name}"),
        "retire": translate("Today", "To be retired, it is proposed: {name}"),
        "outside": translate("Today", "Edited outside: {name}"),
    }.get(op, translate("Today", "A new skill is proposed: {name}"))


def fault(each: DayFault) -> str:
    """What went wrong, and how often."""
    known = {
        "failed": translate("Today", "%n answer(s) failed at the model's side", "", each.count),
        "cut": translate("Today", "%n answer(s) were cut in the middle", "", each.count),
        "gone": translate("Today", "%n time(s) the agent left before the answer was there", "", each.count),
        "lost": translate("Today", "%n answer(s) were under way when the app ended", "", each.count),
        "dropped": translate("Today", "%n record(s) were not kept: the app was too busy", "", each.count),
        "unscored": translate("Today", "%n answer(s) could not be judged", "", each.count),
        "waiting": translate("Today", "Learning had to wait, %n time(s)", "", each.count),
        "refused": translate("Today", "%n thing(s) were turned down", "", each.count),
        "outside_change": translate("Today", "%n skill file(s) were changed outside the app", "", each.count),
    }
    return known.get(each.kind, translate("Today", "%n fault(s)", "", each.count))


def purpose(key: str) -> str:
    """What learning called its model for."""
    return {
        "judge": translate("Today", "Judging answers"),
        "evolver": translate("Today", "Writing skills"),
        "gate": translate("Today", "Measuring skills"),
        "train": translate("Today", "Training"),
    }.get(key, titled(key))


def training(day: Day) -> str:
    """Whether it trains, why not, and when it may."""
    if day.training == "none":
        return translate("Today", "No training is set up. Skills are learnt all the same.")
    said = [translate("Today", "Training may run now.")] if day.training == "on" else []
    if day.training == "off" and day.why_not_training:
        said.append(translate("Today", "No training now: {why}").format(why=_sentence(day.why_not_training)))
    if day.next_window is not None:
        said.append(next_window(day.next_window))
    return " ".join(said)


def next_window(window: NextWindow) -> str:
    """When training may run next, and why."""
    said = translate("Today", "Next window: {time}").format(time=clock(window.at))
    if window.until is not None:
        said = translate("Today", "Next window: {time} to {until}").format(
            time=clock(window.at), until=clock(window.until)
        )
    return _sentence(f"{said}, {window_kind(window.kind)}")


def window_kind(kind: str) -> str:
    """What makes a window."""
    return {
        "meeting": translate("Today", "a meeting"),
        "idle": translate("Today", "you are likely to be away"),
        "sleep": translate("Today", "your sleep hours"),
        "asked": translate("Today", "you asked for it"),
    }.get(kind, kind)


def _sentence(words: str) -> str:
    return words if words.endswith((".", "!", "?", "…")) else f"{words}."
