"""Things that would make a window wide: boxes with long choices, paths without a place to break."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import label, row
from metaclaw_tray.desktop.steady import Steady

_LEAST = 130  # pixels of a closed box
_LEAST_TEXT = 160  # and of the text beside one
_AROUND = 32  # pixels beside the longest choice


class Choices(Steady):
    """A box that is as wide as its longest choice where there is room, and narrower where there is none, but
    holds the choice that is made; one too long for any line ends in dots. The list shows all of each."""

    def __init__(self, hold: int = 150) -> None:
        """`hold`: up to which width in pixels it holds its choice in any case."""
        super().__init__()
        self._most = hold
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMinimumWidth(_LEAST)
        self.view().installEventFilter(_Widening(self))
        self.currentTextChanged.connect(self._hold)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 Qt's own name
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        room = self.width() - _AROUND - theme.GAP_S
        option.currentText = option.fontMetrics.elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, room
        )
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def _hold(self, text: str) -> None:
        wanted = self.fontMetrics().horizontalAdvance(text) + _AROUND + 2 * theme.GAP_S
        self.setMinimumWidth(min(max(_LEAST, wanted), self._most))
        self.setToolTip(text if wanted > self._most else "")


def beside(text: QLayout, control: QWidget) -> QHBoxLayout:
    """A text with its control at the right: where room is short the control gives way first."""
    words = QWidget()
    words.setLayout(text)
    words.setMinimumWidth(_LEAST_TEXT)
    made = row(words, control, gap=theme.GAP_L)
    made.setStretch(0, 1)
    return made


def path_label(text: str, *, size: float = 1.0) -> QLabel:
    """Muted text with paths or addresses in it, which may break after each part. It is not to be copied
    from: the places to break would come along."""
    made = label(text.replace("/", "/\u200b").replace("-", "-\u200b"), "muted", size=size)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    made.setAccessibleName(text)
    return made


class _Widening(QObject):
    """Widens the list of a box when it opens."""

    def __init__(self, box: QComboBox) -> None:
        super().__init__(box)
        self._box = box

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 Qt's own name
        if event.type() == QEvent.Type.Show:
            view = self._box.view()
            view.setMinimumWidth(max(self._box.width(), view.sizeHintForColumn(0) + _AROUND))
        return super().eventFilter(watched, event)
