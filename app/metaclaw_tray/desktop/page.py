"""What every page of the window is: a title, what it is about in one line, and a body with its states.

A page asks when it is shown and when news of its topics comes; while it is hidden it only notes that it is
stale. It draws on purpose what it has not got: loading, nothing there, failed.
"""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget

from metaclaw_tray.admin.window import Topic
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.parts import Empty, button, column, label, row

_LOADING_MS = 200  # before "loading" is said at all: most answers come sooner


class Page(QWidget):
    """A page. Subclasses set `name`, `symbol`, `topics`, build into `self.body`, and ask in `refresh`."""

    name: ClassVar[str]  # by which it is opened, as in `skills`
    symbol: ClassVar[str]  # of `icons`
    topics: ClassVar[frozenset[Topic]] = frozenset()

    go = Signal(str)  # another page, or one thing of it, is wanted: `settings/models`

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.bridge = bridge
        self._stale = True
        self._title = label(size=theme.TITLE, bold=True)
        self._subtitle = label(kind="muted")
        self.tools: QHBoxLayout = row(gap=theme.GAP_S)
        self.body = QWidget()
        self._blank = QWidget()
        self._states = QStackedLayout()
        self._states.addWidget(self._blank)
        self._states.addWidget(self.body)
        head = row(column(self._title, self._subtitle, gap=2), self.tools, gap=theme.GAP_L)
        head.setStretch(0, 1)
        outer = column(head, gap=theme.GAP_L)
        outer.addLayout(self._states, 1)
        outer.setContentsMargins(theme.GAP_XL, theme.GAP_L + 4, theme.GAP_XL, theme.GAP_L)
        self.setLayout(outer)
        self._slow = QTimer(self, singleShot=True, interval=_LOADING_MS)
        self._slow.timeout.connect(self._say_loading)

    def title(self) -> str:
        """What the page is called, translated."""
        raise NotImplementedError

    def subtitle(self) -> str:
        """What it is for, in one line; may be empty."""
        return ""

    def refresh(self) -> None:
        """Ask for what the page shows; call `ready` or `failed` when the answer is there."""
        raise NotImplementedError

    def go_to(self, place: str) -> None:
        """Show one thing of the page, named as in `skills/NAME`; nothing by default."""

    def place(self) -> str:
        """What is shown now, for the next start; nothing by default."""
        return ""

    def has_unsaved(self) -> bool:
        """Whether something that the person wrote would be lost if the window ended now."""
        return False

    def news(self, topics: set[Topic]) -> None:
        """Something changed: ask again, now or when the page is shown."""
        if self.topics & topics:
            self._stale = True
            if self.isVisible():
                self._ask()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 Qt's own name
        super().showEvent(event)
        self.retitle()
        if self._stale:
            self._ask()

    def retitle(self) -> None:
        """Say title and subtitle anew: a subtitle may hold figures."""
        self._title.setText(self.title())
        self._subtitle.setText(self.subtitle())
        self._subtitle.setVisible(bool(self.subtitle()))

    def ready(self) -> None:
        """The body shows what is there."""
        self._slow.stop()
        self.retitle()
        self._states.setCurrentWidget(self.body)

    def empty(self, state: Empty) -> None:
        """There is nothing to show: say so instead of the body."""
        self._slow.stop()
        self._put(state)

    def failed(self, problem: Problem) -> None:
        """There was no answer: say why, and offer to try again."""
        self._slow.stop()
        again = button(self.tr("Try again"), self._ask)
        if problem.place.partition("/")[0] not in ("", self.name):
            again = button(self.tr("Take me there"), lambda: self.go.emit(problem.place))
        self._put(Empty("warning", problem.title, problem.words, again))

    def _ask(self) -> None:
        self._stale = False
        if self._states.currentWidget() is not self.body:
            self._slow.start()
        self.refresh()

    def _say_loading(self) -> None:
        self._put(Empty("clock", self.tr("One moment…"), ""))

    def _put(self, state: Empty) -> None:
        current = self._states.currentWidget()
        self._states.addWidget(state)
        self._states.setCurrentWidget(state)
        if isinstance(current, Empty):
            self._states.removeWidget(current)
            current.deleteLater()
