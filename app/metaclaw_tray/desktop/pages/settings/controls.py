"""A control for each kind of setting: it shows a value, and gives the text that a change of it is said by."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QLocale, QSignalBlocker, Qt, QTime, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QLineEdit, QSpinBox, QTimeEdit, QWidget

from metaclaw_tray.admin.api import SettingRow
from metaclaw_tray.admin.api.configuring import SettingValue
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.narrow import Choices
from metaclaw_tray.desktop.pages.settings import words
from metaclaw_tray.desktop.parts import row as beside
from metaclaw_tray.desktop.parts import spaced
from metaclaw_tray.desktop.switch import Switch

_NUMBER, _TIME, _TEXT, _CHOICE = 132, 96, 190, 240  # pixels; a narrow window has to hold them too
_INSET = 8  # beside the text of a number: its own frame leaves none
_NO_MOST = 1_000_000
_DECIMALS = 2


class Control(QWidget):
    """`changed` gives the value as a person would type it on the command line."""

    changed = Signal(str)

    def show_value(self, value: SettingValue) -> None:
        """Show this value; tells of no change."""
        raise NotImplementedError


def control_for(row: SettingRow) -> Control:
    """The control for this setting."""
    name = words.title(row.key)
    if row.key == "window.language":
        return _Choice(name, [(each, words.language(each)) for each in row.choices])
    match row.kind:
        case "switch":
            return _Switch(name)
        case "whole" | "number":
            return _Number(row, name)
        case "choice":
            return _Choice(name, [(each, words.choice(row.key, each)) for each in row.choices])
        case "upstream":
            return _Upstream(name, row.choices)
        case "hour":
            return _Hour(name)
        case _:
            return _Text(name, row.description)


class _Switch(Control):
    def __init__(self, name: str) -> None:
        super().__init__()
        self._switch = Switch(name)
        self._switch.clicked.connect(lambda on: self.changed.emit("true" if on else "false"))
        self.setFocusProxy(self._switch)
        self.setLayout(beside(self._switch, gap=0))

    def show_value(self, value: SettingValue) -> None:
        self._switch.setChecked(value is True)


class _Number(Control):
    """A whole number or one with decimals, and its unit. It tells of a change when left, or by Enter."""

    def __init__(self, row: SettingRow, name: str) -> None:
        super().__init__()
        self._unit, self._whole = row.unit, row.kind == "whole"
        self._box: QSpinBox | QDoubleSpinBox = _Whole() if self._whole else _Decimal(money=row.unit == "USD")
        least, most = row.minimum or 0.0, row.maximum if row.maximum is not None else _NO_MOST
        if isinstance(self._box, QDoubleSpinBox):
            self._box.setDecimals(_DECIMALS)
            self._box.setRange(least, most)
            self._box.setSingleStep(0.5 if row.unit == "USD" else 1.0)
        else:
            self._box.setRange(int(least), int(most))
            self._box.setGroupSeparatorShown(row.key != "server.port")
        self._box.setAccessibleName(name)
        self._box.setFixedWidth(_NUMBER)
        self._box.setKeyboardTracking(False)
        self._box.valueChanged.connect(self._tell)
        self.setFocusProxy(self._box)
        self.setLayout(beside(self._box, gap=0))

    def show_value(self, value: SettingValue) -> None:
        number = float(value) if isinstance(value, int | float) else 0.0
        with QSignalBlocker(self._box):
            if isinstance(self._box, QSpinBox):
                self._box.setValue(int(number))
            else:
                self._box.setValue(number)
        self._box.setSuffix(_suffix(self._unit, number))

    def _tell(self, number: float) -> None:
        self._box.setSuffix(_suffix(self._unit, number))
        self.changed.emit(str(int(number)) if self._whole else f"{number:.{_DECIMALS}f}")


class _Choice(Control):
    """One of several, each with its value and its name."""

    def __init__(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._box = _Combo()
        for value, shown in choices:
            self._box.addItem(shown, value)
        self._box.setAccessibleName(name)
        self._box.activated.connect(lambda _index: self.changed.emit(str(self._box.currentData())))
        self.setFocusProxy(self._box)
        self.setLayout(beside(self._box, gap=0))

    def show_value(self, value: SettingValue) -> None:
        at = self._box.findData(value)
        if at < 0 and isinstance(value, str) and value:  # somebody typed it into the file
            self._box.addItem(value, value)
            at = self._box.count() - 1
        self._box.setCurrentIndex(max(0, at))


class _Upstream(_Choice):
    def __init__(self, name: str, names: Sequence[str]) -> None:
        super().__init__(name, [("", ""), *((each, each) for each in names)])
        self._box.setItemText(0, self.tr("None"))


class _Hour(Control):
    """A time of day, or none."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._on = QCheckBox()
        self._on.setAccessibleName(name)
        self._time = _Time()
        self._time.setAccessibleName(name)
        self._time.setDisplayFormat(QLocale().timeFormat(QLocale.FormatType.ShortFormat))
        self._time.setKeyboardTracking(False)
        self._time.setFixedWidth(_TIME)
        self._on.clicked.connect(lambda _on: self._tell())
        self._time.timeChanged.connect(lambda _time: self._tell())
        self.setLayout(beside(self._on, self._time, gap=theme.GAP_S))

    def show_value(self, value: SettingValue) -> None:
        text = value if isinstance(value, str) else ""
        with QSignalBlocker(self._time):
            if text:
                self._time.setTime(QTime.fromString(text, "HH:mm"))
        self._on.setChecked(bool(text))
        self._time.setEnabled(bool(text))

    def _tell(self) -> None:
        self._time.setEnabled(self._on.isChecked())
        self.changed.emit(self._time.time().toString("HH:mm") if self._on.isChecked() else "")


class _Text(Control):
    """A text, or a list with commas."""

    def __init__(self, name: str, hint: str) -> None:
        super().__init__()
        self._line = QLineEdit()
        self._line.setAccessibleName(name)
        self._line.setToolTip(hint)
        self._line.setMinimumWidth(_TEXT)
        self._line.editingFinished.connect(self._tell)
        self._shown = ""
        self.setFocusProxy(self._line)
        self.setLayout(beside(self._line, gap=0))

    def show_value(self, value: SettingValue) -> None:
        self._shown = as_text(value)
        self._line.setText(self._shown)

    def _tell(self) -> None:
        if self._line.text() != self._shown:
            self._shown = self._line.text()
            self.changed.emit(self._shown)


def as_text(value: SettingValue) -> str:
    """A value as a person would type it."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case list():
            return ",".join(value)
        case dict():
            return ",".join(f"{name}={item}" for name, item in value.items())
        case _:
            return str(value)


def _suffix(unit: str, number: float) -> str:
    shown = words.unit(unit, number)
    return f" {shown}" if shown else ""


def _unfocused(widget: QWidget, event: QWheelEvent, scroll: Callable[[QWheelEvent], None]) -> None:
    """The wheel scrolls the page, and changes a value only in a control that has the focus."""
    if widget.hasFocus():
        scroll(event)
    else:
        event.ignore()


class _Whole(QSpinBox):
    def __init__(self) -> None:
        super().__init__()
        spaced(self).setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 Qt's own name
        _unfocused(self, event, super().wheelEvent)


class _Decimal(QDoubleSpinBox):
    """Money with its cents; any other number without zeros behind its point."""

    def __init__(self, *, money: bool) -> None:
        super().__init__()
        self._money = money
        spaced(self).setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def textFromValue(self, value: float) -> str:  # noqa: N802 Qt's own name
        if not self._money and value.is_integer():
            return self.locale().toString(int(value))
        return super().textFromValue(value)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 Qt's own name
        _unfocused(self, event, super().wheelEvent)


class _Combo(Choices):
    def __init__(self) -> None:
        super().__init__(hold=_CHOICE)


class _Time(QTimeEdit):
    def __init__(self) -> None:
        super().__init__()
        spaced(self).setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 Qt's own name
        _unfocused(self, event, super().wheelEvent)
