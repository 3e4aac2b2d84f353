"""Small things that several tabs of the detail are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import Scroller, button, clear, column, label, row
from metaclaw_tray.desktop.unhidden import unhidden

_SHORT = 700  # characters of a quoted text that are shown at once


class Leaf(Scroller):
    """A tab that is a column of things, made anew for each subject. `put` takes them."""

    def __init__(self) -> None:
        self._inner = QWidget()
        self._column: QVBoxLayout = column(gap=theme.GAP)
        self._column.setContentsMargins(0, theme.GAP, theme.GAP_S, theme.GAP)
        self._inner.setLayout(self._column)
        super().__init__(self._inner)

    def put(self, *things: QWidget) -> None:
        """Show these instead of what is there."""
        clear(self._column)
        for each in things:
            self._column.addWidget(each)
        self._column.addStretch(1)


class Quote(QFrame):
    """What somebody said: whose words, then the text; a long one in short, with the rest behind a button.

    `kind` says how it counts: plain, bad (went wrong), good, person.
    """

    def __init__(self, whose: str, text: str, kind: str = "plain", *, mark: str = "") -> None:
        super().__init__()
        self.setProperty("kind", f"quote-{kind}")
        text = unhidden(text)
        self._text = text
        self._shown = label(text if len(text) <= _SHORT else f"{text[:_SHORT].rstrip()} …")
        self._shown.setAccessibleName(whose)
        head = row(label(whose, "muted", size=theme.SMALL, wrap=False), gap=theme.GAP_S)
        if mark:
            head.addWidget(label(mark, "chip-bad" if kind == "bad" else "chip-good", size=theme.SMALL))
        head.addStretch(1)
        inner = column(head, self._shown, gap=4)
        inner.setContentsMargins(12, 8, 12, 8)
        if len(text) > _SHORT:
            self._more = button(self.tr("Show all of it"), self._show_all, "link")
            inner.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        inner.addStretch(1)
        self.setLayout(inner)

    def _show_all(self) -> None:
        self._shown.setText(self._text)
        self._more.hide()


class Fold(QWidget):
    """One line that opens: what is under it is made when it is first asked for."""

    def __init__(self, title: str, mark: QWidget | None, content: Callable[[], QWidget]) -> None:
        super().__init__()
        self._content = content
        self._inner: QWidget | None = None
        self._title = title
        self._head = button("", self._turn, "fold")
        self._head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._head.setToolTip(title)
        self._head.setAccessibleName(title)
        line = row(self._head, gap=theme.GAP_S)
        line.setStretch(0, 1)
        if mark is not None:
            line.addWidget(mark)
        self._body = column(line, gap=theme.GAP_S)
        self.setLayout(self._body)
        self._write()

    def _turn(self) -> None:
        if self._inner is None:
            self._inner = self._content()
            self._body.addWidget(self._inner)
        else:
            self._inner.setVisible(self._inner.isHidden())
        self._write()

    def _write(self) -> None:
        is_open = self._inner is not None and not self._inner.isHidden()
        flat = self._title.replace("\n", " ")
        self._head.setText(f"{'▾' if is_open else '▸'}  {flat[:160]}")


class Choice(QWidget):
    """A few ways to see the same, one of them chosen."""

    chosen = Signal(int)

    def __init__(self, ways: Sequence[str]) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        line = row(gap=2)
        for number, way in enumerate(ways):
            made = QPushButton(way)
            made.setProperty("kind", "choice")
            made.setCheckable(True)
            made.setChecked(number == 0)
            made.setAutoDefault(False)
            self._group.addButton(made, number)
            line.addWidget(made)
        self._group.idClicked.connect(self.chosen)
        self.setLayout(line)

    def choose(self, number: int) -> None:
        self._group.button(number).setChecked(True)


class ShareBar(QWidget):
    """A share with its uncertainty: a dot where it was found, a band where it may well lie."""

    def __init__(self, value: float, low: float, high: float, words: str, colour: str = "accent") -> None:
        super().__init__()
        self._value, self._low, self._high, self._colour = value, low, high, colour
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 Qt's own name
        return QSize(160, 18)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 Qt's own name
        now = theme.colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        middle, left, width = self.height() / 2, 6.0, self.width() - 12.0
        painter.setBrush(QColor(now.raised))
        painter.drawRoundedRect(QRectF(left, middle - 3, width, 6), 3, 3)
        colour = QColor(getattr(now, self._colour))
        band = QColor(colour)
        band.setAlphaF(0.32)
        painter.setBrush(band)
        start, end = left + width * self._low, left + width * self._high
        painter.drawRoundedRect(QRectF(start, middle - 3, max(6.0, end - start), 6), 3, 3)
        painter.setBrush(colour)
        painter.setPen(QPen(QColor(now.surface), 2))
        painter.drawEllipse(QPointF(left + width * self._value, middle), 6, 6)
        painter.end()
