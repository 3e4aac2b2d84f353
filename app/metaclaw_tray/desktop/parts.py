"""The few things that pages are made of, so that each looks like the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.icons import icon


def label(
    text: str = "", kind: str = "", *, size: float = 1.0, bold: bool = False, wrap: bool = True
) -> QLabel:
    """A text that can be selected and read aloud. `kind` is of the style sheet: muted, good, chip …"""
    made = QLabel(text)
    if kind:
        made.setProperty("kind", kind)
    if size != 1.0 or bold:
        theme.scale(made, size, QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    made.setWordWrap(wrap)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if kind.startswith("chip"):
        made.setWordWrap(False)
        made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        made.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    return made


def heading(text: str) -> QLabel:
    """The heading of a card or a section."""
    return label(text, size=theme.HEADING, bold=True)


def button(
    text: str, pressed: Callable[[], object], kind: str = "", *, symbol: str = "", once: bool = False
) -> QPushButton:
    """A button: `kind` is primary (one in a view), danger, link, or plain. `once`: a double click presses it
    once, and does not press another such button that took its place in between."""
    made = _Button(text, symbol, kind, once=once)
    if kind:
        made.setProperty("kind", kind)
    if kind == "link":
        made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.clicked.connect(lambda _checked=False: pressed())
    made.setAutoDefault(False)
    return made


def spaced(box: N) -> N:
    """A box for a number or a time with room beside its text, which Qt leaves out of the style's reach."""
    box.lineEdit().setTextMargins(theme.GAP_S, 0, theme.GAP_S, 0)
    return box


def rule() -> QFrame:
    """A thin line between two things."""
    made = QFrame()
    made.setProperty("kind", "rule")
    return made


def column(*items: QWidget | QLayout | None, gap: int = theme.GAP, margin: int = 0) -> QVBoxLayout:
    """Things under each other; None is a stretch."""
    return _filled(QVBoxLayout(), items, gap, margin)


def row(*items: QWidget | QLayout | None, gap: int = theme.GAP, margin: int = 0) -> QHBoxLayout:
    """Things beside each other; None is a stretch."""
    return _filled(QHBoxLayout(), items, gap, margin)


class Card(QFrame):
    """A surface with rounded corners. `body` takes what belongs on it."""

    def __init__(self, *items: QWidget | QLayout | None, kind: str = "card", gap: int = theme.GAP) -> None:
        super().__init__()
        self.setProperty("kind", kind)
        self.body = column(*items, gap=gap, margin=16 if kind == "card" else 12)
        self.setLayout(self.body)


class Scroller(QScrollArea):
    """A page that may be taller than the window."""

    def __init__(self, inner: QWidget) -> None:
        super().__init__()
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)


class Empty(QWidget):
    """What a view says when it has nothing to show: why, and what to do about it."""

    def __init__(self, symbol: str, title: str, text: str, action: QPushButton | None = None) -> None:
        super().__init__()
        picture = _Picture(symbol)
        self.title, self.text = heading(title), label(text, "muted")
        for each in (picture, self.title, self.text):
            each.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setMaximumWidth(440)
        around = row(None, self.text, None, gap=0)
        around.setStretch(1, 100)  # as wide as it may be, so that it is as high as it has to be
        inner = column(picture, self.title, around, gap=theme.GAP_S)
        if action is not None:
            inner.addSpacing(theme.GAP_S)
            inner.addWidget(action, 0, Qt.AlignmentFlag.AlignHCenter)
        self.setLayout(column(None, inner, None, margin=theme.GAP_XL))


class _Button(QPushButton):
    """Its symbol follows the theme."""

    def __init__(self, text: str, symbol: str, kind: str, *, once: bool) -> None:
        super().__init__(text)
        self._once = once
        self._symbol, self._on_accent = symbol, kind == "primary"
        self.setIconSize(QSize(16, 16))
        self._paint()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 Qt's own name
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 Qt's own name
        if not self._once:
            super().mouseDoubleClickEvent(event)

    def _paint(self) -> None:
        now = theme.colours()
        if self._symbol:
            self.setIcon(icon(self._symbol, now.on_accent if self._on_accent else now.text))


class _Picture(QLabel):
    """A large symbol, in the colour of what is said below it."""

    def __init__(self, symbol: str) -> None:
        super().__init__()
        self._symbol = symbol
        self._paint()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 Qt's own name
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint()

    def _paint(self) -> None:
        self.setPixmap(icon(self._symbol, theme.colours().muted).pixmap(QSize(40, 40)))


def set_kind(widget: QWidget, kind: str) -> None:
    """Change what a widget is to the style sheet, and have it drawn so."""
    widget.setProperty("kind", kind)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def clear(layout: QLayout) -> None:
    """Take everything out of a layout, for good."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.setParent(None)
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear(inner)


B = TypeVar("B", bound=QBoxLayout)
N = TypeVar("N", bound=QAbstractSpinBox)


def _filled(layout: B, items: Iterable[QWidget | QLayout | None], gap: int, margin: int) -> B:
    layout.setSpacing(gap)
    layout.setContentsMargins(margin, margin, margin, margin)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, QLayout):
            layout.addLayout(item)
        else:
            layout.addWidget(item)
    return layout
