"""The window of the first steps: what is done at the left, one step at the right."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QLabel, QStackedWidget, QWidget

from metaclaw_tray.admin.api import FirstRun, KeepFirstRun
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge
from metaclaw_tray.desktop.firstrun.agent import AgentStep
from metaclaw_tray.desktop.firstrun.allowed import AllowedStep
from metaclaw_tray.desktop.firstrun.model import ModelStep
from metaclaw_tray.desktop.firstrun.step import Step
from metaclaw_tray.desktop.firstrun.trying import TryingStep
from metaclaw_tray.desktop.parts import Scroller, button, column, heading, label, row, set_kind

_SIZE = QSize(900, 660)
_SIDE = 220


class FirstSteps(QDialog):
    """Opens where it was left; closing it keeps the place."""

    def __init__(self, parent: QWidget | None, bridge: Bridge, at: int = 0) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._over = False
        self.setWindowTitle(self.tr("First steps"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.resize(_SIZE)
        self.steps: list[Step] = [
            ModelStep(bridge),
            AgentStep(bridge),
            AllowedStep(bridge),
            TryingStep(bridge),
        ]
        self._stack = QStackedWidget()
        self._marks: list[QLabel] = []
        for step in self.steps:
            inner = QWidget()
            around = column(step)
            around.setContentsMargins(theme.GAP_XL, theme.GAP_XL, theme.GAP_L, theme.GAP)
            inner.setLayout(around)
            self._stack.addWidget(Scroller(inner))
            step.changed.connect(self._paint)
        self._skip = button(self.tr("Not now"), self.skip, "link")
        self._back = button(self.tr("Back"), lambda: self.turn(self.at - 1))
        self._next = button("", self._forward, "primary")
        foot = row(self._skip, None, self._back, self._next)
        foot.setContentsMargins(theme.GAP_XL, theme.GAP, theme.GAP_L, theme.GAP_L)
        right = column(self._stack, foot, gap=0)
        right.setStretch(0, 1)
        whole = row(self._side(), right, gap=0)
        whole.setStretch(1, 1)
        self.setLayout(whole)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.finished.connect(lambda _result: self._keep())
        self.turn(at)

    @property
    def at(self) -> int:
        """The step that is open, from 0."""
        return self._stack.currentIndex()

    def turn(self, at: int) -> None:
        """Open a step."""
        self._stack.setCurrentIndex(min(max(0, at), len(self.steps) - 1))
        self.steps[self.at].enter()
        self._keep()
        self._paint()

    def skip(self) -> None:
        """Do without; Settings opens them again."""
        self._over = True
        self._bridge.ask(KeepFirstRun(state="skipped", step=self.at), _kept, owner=self)
        self.reject()

    def _forward(self) -> None:
        if self.at < len(self.steps) - 1:
            self.turn(self.at + 1)
            return
        self._over = True
        self._bridge.ask(KeepFirstRun(state="done", step=self.at), _kept, owner=self)
        self.accept()

    def _keep(self) -> None:
        if not self._over:
            self._bridge.ask(KeepFirstRun(state="begun", step=self.at), _kept, owner=self)

    def _side(self) -> QWidget:
        made = QWidget()
        made.setProperty("kind", "side")
        made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        made.setFixedWidth(_SIDE)
        inner = column(heading("MetaClaw Tray"), gap=theme.GAP)
        inner.addSpacing(theme.GAP)
        for _ in self.steps:
            mark = label()
            self._marks.append(mark)
            inner.addWidget(mark)
        inner.addStretch(1)
        words = self.tr("Everything here can be changed later, in Settings.")
        inner.addWidget(label(words, "muted", size=theme.SMALL))
        inner.setContentsMargins(theme.GAP_L, theme.GAP_XL, theme.GAP, theme.GAP_L)
        made.setLayout(inner)
        return made

    def _paint(self) -> None:
        """Which step is open, which are done, and what the buttons do."""
        for number, (mark, step) in enumerate(zip(self._marks, self.steps, strict=True)):
            here = number == self.at
            done = step.done and number < self.at
            mark.setText(f"{'✓' if done else number + 1}   {step.title()}")
            set_kind(mark, "" if here else "good" if done else "muted")
            theme.scale(mark, 1.0, QFont.Weight.DemiBold if here else QFont.Weight.Normal)
            words = self.tr("{title}, done") if done else self.tr("{title}, open now") if here else "{title}"
            mark.setAccessibleName(words.format(title=step.title()))
        last = self.at == len(self.steps) - 1
        self._back.setVisible(self.at > 0)
        self._skip.setVisible(not last)
        set_kind(self._next, "primary" if last or self.steps[self.at].done else "")
        if last:
            self._next.setText(self.tr("Finish"))
        else:
            self._next.setText(self.tr("Next") if self.steps[self.at].done else self.tr("Go on without"))


def _kept(_found: FirstRun) -> None:
    """Nothing more to do."""
