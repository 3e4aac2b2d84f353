"""What waits for the person: trouble with its remedy, agreements, proposals, the first steps."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from metaclaw_tray.admin.api import Day, FirstRun, OpenProposal, Tray, Waiting
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.named import titled
from metaclaw_tray.desktop.pages.today.words import breakable
from metaclaw_tray.desktop.parts import Card, button, clear, column, label, row
from metaclaw_tray.desktop.remedies import in_window

_SHOWN = 3  # proposals that are named


class Waits(QWidget):
    """Cards, or nothing. What does not change is left as it stands, so that whoever is on it stays there."""

    open_page = Signal(str)
    agree = Signal()
    first_steps = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._inner = column(gap=theme.GAP)
        self.setLayout(self._inner)
        self._shown: object = None
        self.hide()

    def show_waiting(self, day: Day, tray: Tray | None, steps: FirstRun | None) -> None:
        """Show what there is; nothing hides it all."""
        waiting = day.waiting
        unlearnt = day.now is not None and not day.learning_model
        proposals = tray.proposals if tray is not None else []
        unchosen = tray is not None and not any(each.chosen for each in tray.models)
        left = steps is not None and steps.is_left_open
        begun = left or (steps is not None and steps.needed and steps.state != "done")
        now = (tuple(waiting), tuple(proposals), unchosen, unlearnt, begun, left)
        if now == self._shown:
            return
        self._shown = now
        clear(self._inner)
        if begun:
            self._inner.addWidget(self._steps(begun=left))
        elif unchosen:
            self._inner.addWidget(self._unchosen())
        elif unlearnt:
            self._inner.addWidget(self._unlearnt())
        for each in waiting:
            self._inner.addWidget(self._trouble(each))
        if proposals:
            first = self._inner.count() == len(waiting)  # one button of a view is the main one
            self._inner.addWidget(self._proposals(proposals, "primary" if first else ""))
        self.setVisible(self._inner.count() > 0)

    def _steps(self, *, begun: bool) -> QWidget:
        title = (
            self.tr("The first steps are not done yet.") if begun else self.tr("Nothing can be served yet.")
        )
        text = self.tr("Choose a model and connect an agent; it takes two minutes.")
        go = self.tr("Go on") if begun else self.tr("Begin")
        return _line(title, text, button(go, self.first_steps.emit, "primary"), "note")

    def _unchosen(self) -> QWidget:
        text = self.tr("Agents cannot be answered before one is chosen.")
        go = button(self.tr("Choose a model"), lambda: self.open_page.emit("settings/models"), "primary")
        return _line(self.tr("No model is chosen."), text, go, "note")

    def _unlearnt(self) -> QWidget:
        text = self.tr("Nothing is learnt before one is chosen. It may be the one that answers your agents.")
        go = button(self.tr("Choose a model"), lambda: self.open_page.emit("settings/models"), "primary")
        return _line(self.tr("Learning has no model."), text, go, "note")

    def _trouble(self, each: Waiting) -> QWidget:
        if each.kind == "agreement":
            look = button(self.tr("Look at it…"), self.agree.emit)
            text = self.tr("Not in force yet: {settings}.").format(settings=", ".join(each.keys))
            return _line(self.tr("The settings file was edited by hand."), text, look, "warning")
        said = in_window(each.text)
        go = None
        if said.place and said.place != "today":
            go = button(self.tr("Take me there"), lambda: self.open_page.emit(said.place))
        return _line(self.tr("Something needs a hand."), breakable(said.text), go, "warning")

    def _proposals(self, proposals: Sequence[OpenProposal], kind: str) -> QWidget:
        names = [self.tr("“{name}”").format(name=titled(each.skill)) for each in proposals[:_SHOWN]]
        if len(proposals) > _SHOWN:
            names.append(self.tr("%n more", "", len(proposals) - _SHOWN))
        first = proposals[0].id
        go = button(self.tr("Review"), lambda: self.open_page.emit(f"skills/{first}"), kind)
        title = self.tr("%n proposal(s) wait for your review.", "", len(proposals))
        return _line(title, str(QLocale().createSeparatedList(names)), go, "note")


def _line(title: str, text: str, go: QPushButton | None, kind: str) -> QWidget:
    words = column(label(title, bold=True), label(text), gap=2)
    line = row(words, *([go] if go is not None else []), gap=theme.GAP_L)
    line.setStretch(0, 1)
    made = Card(kind=kind)
    made.body.addLayout(line)
    return made
