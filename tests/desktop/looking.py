"""What a person sees and presses in a part of the window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

_PATIENCE = 500  # looks


def press(inside: QWidget, text: str, at: int = 0) -> None:
    """Press a button; what has just come into a layout is shown a moment later."""
    for _ in range(_PATIENCE):
        found = [each for each in inside.findChildren(QPushButton) if each.text() == text]
        shown = [each for each in found if each.isVisibleTo(inside)]
        if len(shown) > at:
            shown[at].click()
            return
        QTest.qWait(5)
    raise AssertionError(f"there is no button {text!r}")


def said(inside: QWidget) -> str:
    """All that can be read, a line for each label."""
    return "\n".join(each.text() for each in inside.findChildren(QLabel) if each.isVisibleTo(inside))


def twice_pressed(shown: QWidget) -> None:
    """What Qt sends for the second press of a double click, and for letting go."""
    QTest.mouseDClick(shown, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(shown, Qt.MouseButton.LeftButton)
