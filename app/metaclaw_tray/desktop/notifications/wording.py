"""Notifications in words, with what can be pressed on them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QLocale, QObject

from metaclaw_tray.admin.api import Notification, TrainingNews
from metaclaw_tray.desktop.tray.wording import Words, name_in_words

_NAMED = 3  # skills that are named; the rest is counted


@dataclass(frozen=True)
class Button:
    """A thing to press: a page to open (`page:skills`), or `autostart:on`."""

    does: str
    text: str


@dataclass(frozen=True)
class Told:
    """A notification as it is shown."""

    title: str
    text: str
    buttons: tuple[Button, ...]
    click: str  # what a click on the whole does, as of a button
    hint: str  # where to do it, said where the server has no buttons
    urgent: bool = False


class Wording(QObject):
    """Holds no state: an object so that `tr` finds its context."""

    def __init__(self, words: Words) -> None:
        super().__init__(words)
        self._words = words

    def told(self, what: Notification, now: datetime) -> Told:
        """The words for it."""
        match what.kind:
            case "proposal":
                return self._proposal(what)
            case "training":
                assert what.training is not None
                return self._training(what.training, now)
            case "trouble":
                return self._trouble(what)
            case "autostart":
                return self._autostart(what)

    def _proposal(self, what: Notification) -> Told:
        hint = self.tr("The menu of the tray icon has it under Review.")
        if len(what.proposals) > 1:
            names = [name_in_words(each.skill) for each in what.proposals]
            text = ", ".join(names[:_NAMED])
            if len(names) > _NAMED:
                text += " " + self.tr("and %n more", "", len(names) - _NAMED)
            title = self.tr("%n thing(s) to review", "", len(names))
            review = Button("page:skills", self.tr("Review"))
            return Told(title, text, (review,), review.does, hint)
        (made,) = what.proposals
        title = {
            "create": self.tr("A new skill: {name}"),
            "retire": self.tr("A skill to retire: {name}"),
        }.get(made.op, self.tr("A changed skill: {name}"))
        card = f"page:skills/{made.id}"
        buttons = (Button(card, self.tr("Approve…")), Button("page:skills", self.tr("Review")))
        return Told(title.format(name=name_in_words(made.skill)), self._words.why(made), buttons, card, hint)

    def _training(self, news: TrainingNews, now: datetime) -> Told:
        details = Button("page:training", self.tr("Details"))
        hint = self.tr("The window has it under Training.")
        where = self._during(news, now)
        if not news.ended:
            return Told(self.tr("Training has begun"), where, (details,), details.does, hint)
        for_how_long = self.tr("Trained for %n minute(s)", "", round(news.minutes))
        parts = [f"{for_how_long} {where}".strip()]
        if news.score_before is not None and news.score_after is not None:
            locale = QLocale()
            before, after = (locale.toString(each, "f", 2) for each in (news.score_before, news.score_after))
            parts.append(self.tr("held-out score {before} → {after}").format(before=before, after=after))
        over = self.tr("Training pauses") if news.more_to_do else self.tr("Training is done")
        title = {
            "failed": self.tr("Training failed"),
            "stopped": self.tr("Training was stopped"),
        }.get(news.outcome, over)
        return Told(title, " · ".join(parts), (details,), details.does, hint)

    def _during(self, news: TrainingNews, now: datetime) -> str:
        """The window that it ran in: "during a meeting (14:00 to 15:00)"."""
        kinds = {
            "meeting": self.tr("during a meeting"),
            "idle": self.tr("while you were away"),
            "sleep": self.tr("in the night"),
            "asked": self.tr("because you asked"),
        }
        text = kinds.get(news.window, news.window)
        if news.title:
            text = self.tr("during “{title}”").format(title=news.title)
        if news.window_from is not None and news.window_until is not None:
            begin, end = (self._words.moment(each, now) for each in (news.window_from, news.window_until))
            text += " " + self.tr("({begin} to {end})").format(begin=begin, end=end)
        return text

    def _trouble(self, what: Notification) -> Told:
        look = Button("page:today", self.tr("Look"))
        title = self.tr("MetaClaw Tray needs a hand")
        text = "\n".join(what.sentences[:_NAMED])
        return Told(title, text, (look,), look.does, self.tr("The window says more."), urgent=True)

    def _autostart(self, what: Notification) -> Told:
        title = self.tr("{agent} talks through MetaClaw Tray").format(agent=what.agent)
        text = self.tr("Start it when you log in, so that {agent} always finds it?").format(agent=what.agent)
        buttons = (
            Button("autostart:on", self.tr("Start at log-in")),
            Button("", self.tr("Not now")),
        )
        hint = self.tr("The settings have it under Start at log-in.")
        return Told(title, text, buttons, "page:settings", hint)
