"""What a screen reader finds in a window, without one: names, roles, and what the Tab key reaches."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QScrollArea,
    QTabBar,
    QTabWidget,
    QTextEdit,
    QWidget,
)

_CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QTextEdit,
)
_MOST = 400  # presses of the Tab key


def controls(window: QWidget) -> Iterator[QWidget]:
    """All that can be used or holds the focus, and is seen; not the parts that Qt makes it of."""
    for each in window.findChildren(QWidget):
        if not each.isVisibleTo(window) or each.window() is not window or _is_part(each):
            continue
        if isinstance(each, _CONTROLS) or each.focusPolicy() & Qt.FocusPolicy.TabFocus:
            yield each


def unnamed(window: QWidget) -> list[str]:
    """Controls that a screen reader would read without a name, or as nothing in particular."""
    found = []
    for each in controls(window):
        read = QAccessible.queryAccessibleInterface(each)
        role, name = read.role(), read.text(QAccessible.Text.Name).strip()
        told = read.text(QAccessible.Text.Description).strip()  # a drawing of ours has no role but says all
        if not name or (role in (QAccessible.Role.NoRole, QAccessible.Role.Client) and not told):
            found.append(f"{type(each).__name__} in {_path(each)} ({role.name})")
    return found


def unreached(window: QWidget) -> list[str]:
    """Controls that take the focus by the Tab key, and that it never comes to."""
    wanted = {
        each
        for each in controls(window)
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isEnabledTo(window)
    }
    reached: set[QWidget] = set()
    first = next(iter(wanted), None)
    if first is not None:
        first.setFocus()
    for _ in range(_MOST):
        now = window.focusWidget()
        if now is None:
            break
        reached |= {now, *_parents(now)}
        window.focusNextChild()
        if window.focusWidget() is first:
            break
    return [f"{type(each).__name__} in {_path(each)}" for each in wanted if not _came_to(each, reached)]


def _came_to(widget: QWidget, reached: set[QWidget]) -> bool:
    """Of buttons of which one is chosen the Tab key takes that one, and the arrow keys the others."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    alike = group.buttons() if group is not None and group.exclusive() else [widget]
    if isinstance(widget, QAbstractButton) and widget.autoExclusive():
        alike = widget.parentWidget().findChildren(QAbstractButton)
    return not reached.isdisjoint(alike)


def _is_part(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    inside = isinstance(parent, (QAbstractSpinBox, QComboBox, QLineEdit, QTabBar))
    around = isinstance(widget, (QTabWidget, QScrollArea)) and not isinstance(widget, _CONTROLS)
    return inside or around or widget.objectName().startswith("qt_")


def _parents(widget: QWidget) -> Iterator[QWidget]:
    above = widget.parentWidget()
    while above is not None:
        yield above
        above = above.parentWidget()


def _path(widget: QWidget) -> str:
    return " < ".join(type(each).__name__ for each in list(_parents(widget))[:3])
