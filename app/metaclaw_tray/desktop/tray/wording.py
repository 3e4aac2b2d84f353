"""What the tray says, in a few plain words: the status line, times, names."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale, QObject

from metaclaw_tray.admin.api import OpenProposal, Tray
from metaclaw_tray.desktop.tray.state import State, state_of
from metaclaw_tray.desktop.unhidden import unhidden

_TITLE = 48  # letters of a title in a menu
_LINE = 72  # and of a reason


class Words(QObject):
    """Holds no state: an object so that `tr` finds its context."""

    def status(self, tray: Tray, now: datetime) -> str:
        """How things are, on one line."""
        parts = [self.tr("%n exchange(s) today", "", tray.exchanges_today)]
        if not any(each.chosen for each in tray.models):
            parts.append(self.tr("no model chosen yet"))
        if tray.observe_only:
            parts.append(self.tr("observe only"))
        parts.append(self.learning(tray, now))
        if tray.training.state == "running":
            parts.append(self.tr("training now"))
        elif tray.training.next_at is not None:
            parts.append(self.next_window(tray.training.next_at, tray.training.next_why, now))
        return " · ".join(each for each in parts if each)

    def learning(self, tray: Tray, now: datetime) -> str:
        """What learning does, where it is worth a word."""
        if tray.paused_until is not None:
            return self.tr("learning rests until {time}").format(time=self.moment(tray.paused_until, now))
        if tray.paused:
            return self.tr("learning rests")
        if tray.learning:
            return self.tr("learning now")
        return self.tr("learning waits") if tray.why_not_learning else ""

    def next_window(self, at: datetime, why: str, now: datetime) -> str:
        """When training may begin: "next window 14:00, meeting"."""
        time = self.moment(at, now)
        if not why:
            return self.tr("next window {time}").format(time=time)
        return self.tr("next window {time}, {why}").format(time=time, why=self.window(why))

    def window(self, kind: str) -> str:
        """What a training window is."""
        known = {
            "meeting": self.tr("meeting"),
            "idle": self.tr("you are away"),
            "sleep": self.tr("night"),
            "asked": self.tr("you asked"),
        }
        return known.get(kind, kind)

    def moment(self, at: datetime, now: datetime) -> str:
        """A time of this day, or a day and a time, by the person's clock and language."""
        locale, there, here = QLocale(), local(at), local(now)
        time = str(locale.toString(there.time(), QLocale.FormatType.ShortFormat))
        days = here.date().daysTo(there.date())
        if not days:
            return time
        if 0 < days < 7:
            return f"{locale.dayName(there.date().dayOfWeek(), QLocale.FormatType.ShortFormat)} {time}"
        return f"{locale.toString(there.date(), QLocale.FormatType.ShortFormat)} {time}"

    def title(self, made: OpenProposal) -> str:
        """A proposal's title: what would change, and its name in words."""
        name = shortened(name_in_words(made.skill), _TITLE)
        match made.op:
            case "update":
                return self.tr("Change: {name}").format(name=name)
            case "retire":
                return self.tr("Retire: {name}").format(name=name)
            case "outside":
                return self.tr("Changed outside: {name}").format(name=name)
            case _:
                return name

    def why(self, made: OpenProposal) -> str:
        """Why it is proposed, on one line."""
        return shortened(unhidden(" ".join(made.why.split())), _LINE)

    def hint(self, tray: Tray, now: datetime) -> str:
        """What the icon says to who points at it, or hears it read."""
        state, status = state_of(tray), self.status(tray, now)
        if state is State.TROUBLE:
            return self.tr("%n thing(s) to look at", "", len(tray.trouble)) + f" · {status}"
        if tray.proposals:
            return self.tr("%n thing(s) to review", "", len(tray.proposals)) + f" · {status}"
        return status


def local(moment: datetime) -> QDateTime:
    """A moment by the clock on the wall."""
    return QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))


def name_in_words(skill: str) -> str:
    """A skill's name as a title: "ask-before-deleting" is "Ask before deleting"."""
    words = skill.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def shortened(text: str, letters: int) -> str:
    """A text of at most so many letters."""
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "…"
