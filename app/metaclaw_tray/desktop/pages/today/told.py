"""The lists of the page: what learning came to, what went wrong, what it cost; and the four figures."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QLayout, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from metaclaw_tray.admin.api import Day, DayChange, DayFault
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.day_band import clock
from metaclaw_tray.desktop.charts.painting import number
from metaclaw_tray.desktop.pages.today import words
from metaclaw_tray.desktop.parts import Card, button, clear, column, heading, label, row
from metaclaw_tray.desktop.remedies import in_window

_MOST = 12  # lines of a list
_FULL = 1000  # parts of a bar
_AROUND = 36  # pixels of a card beside what it holds


class Figures(QWidget):
    """Four figures beside each other."""

    def __init__(self) -> None:
        super().__init__()
        self._asked, self._carried, self._judged, self._cost = (_Figure() for _ in range(4))
        line = row(self._asked, self._carried, self._judged, self._cost, gap=theme.GAP)
        for place in range(line.count()):
            line.setStretch(place, 1)
        self.setLayout(line)

    def show_day(self, day: Day) -> None:
        agents = self.tr("with %n agent(s)", "", len(day.agents)) if day.agents else ""
        self._asked.say(number(day.exchanges, 0), self.tr("exchanges"), agents)
        skills = self.tr("%n different skill(s)", "", len(day.notes)) if day.notes else ""
        self._carried.say(number(day.carried, 0), self.tr("had a skill to go by"), skills)
        judged = ""
        if day.judged:
            judged = self.tr("%n judged, {good} helped", "", day.judged).format(good=number(day.good, 0))
        self._judged.say(number(day.corrected, 0), self.tr("put right by you"), judged)
        spent = day.counted_usd if day.counted_usd is not None else day.learning_usd
        of = ""
        if day.counted_usd is not None and day.limit_usd > 0:
            of = self.tr("of at most {limit}").format(limit=words.money(day.limit_usd))
        self._cost.say(words.money(spent), self.tr("learning cost"), of)
        share = spent / day.limit_usd if day.limit_usd > 0 and day.counted_usd is not None else None
        self._cost.fill(share)


class _Figure(Card):
    def __init__(self) -> None:
        self._value = label(size=theme.TITLE, bold=True, wrap=False)
        self._words, self._more = label(), label(kind="muted", size=theme.SMALL)
        self._bar = QProgressBar()
        self._bar.setRange(0, _FULL)
        self._bar.setTextVisible(False)
        self._bar.hide()
        super().__init__(self._value, self._words, self._more, self._bar, None, gap=2)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # all are equally wide
        self.setMinimumWidth(self._value.fontMetrics().horizontalAdvance("00.00 USD") + _AROUND)

    def say(self, value: str, said: str, more: str) -> None:
        self._value.setText(value)
        self._words.setText(said)
        self._more.setText(more)
        self.setAccessibleName(" ".join(each for each in (value, said, more) if each))

    def fill(self, share: float | None) -> None:
        """How much of what is allowed is used; None where nothing limits it."""
        self._bar.setVisible(share is not None)
        if share is not None:
            self._bar.setValue(round(min(1.0, share) * _FULL))
            self._bar.setAccessibleName(
                self.tr("{share} % of today's limit").format(share=round(100 * share))
            )


class Told(QWidget):
    """Lists with a heading each; one without lines is left away."""

    open_page = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._changes = _List(self.tr("What learning came to"))
        self._faults = _List(self.tr("What went wrong"))
        self._costs = _List(self.tr("What learning cost"))
        self.setLayout(column(self._changes, self._faults, self._costs, gap=theme.GAP))

    def show_day(self, day: Day, why_learning_waits: str) -> None:
        self._changes.show_lines(
            (day.changes, why_learning_waits), self._change_lines(day, why_learning_waits)
        )
        self._faults.show_lines(day.faults, [self._fault(each) for each in day.faults])
        self._costs.show_lines(day.costs, [self._cost(day)] if day.costs else [])

    def _change_lines(self, day: Day, waits: str) -> list[QWidget]:
        decided = {each.proposal for each in day.changes if each.what in ("approved", "rejected")}
        lines = [self._change(each, decided) for each in reversed(day.changes[-_MOST:])]
        if len(day.changes) > _MOST:
            lines.append(label(self.tr("%n more earlier", "", len(day.changes) - _MOST), "muted"))
        if waits and day.now is not None and day.learning_model:
            lines.insert(
                0, label(self.tr("Learning waits: {why}").format(why=in_window(waits).text), "muted")
            )
        return lines

    def _change(self, each: DayChange, decided: Collection[str]) -> QWidget:
        time = _time(clock(each.at))
        said = column(label(words.change(each)), gap=1)
        if each.why:
            said.addWidget(label(words.breakable(in_window(each.why).text), "muted", size=theme.SMALL))
        line = row(time, said, gap=theme.GAP)
        if each.proposal and (each.what != "proposed" or each.proposal not in decided):
            place = each.skill if each.what == "approved" else each.proposal
            show = button(self.tr("Show"), lambda: self.open_page.emit(f"skills/{place}"), "link")
            show.setAccessibleName(self.tr("Show {what}").format(what=words.change(each)))
            line.addWidget(show)
        line.setStretch(1, 1)
        return _widget(line)

    def _fault(self, each: DayFault) -> QWidget:
        said = column(label(words.fault(each)), gap=1)
        if each.reason:
            said.addWidget(label(words.breakable(in_window(each.reason).text), "muted", size=theme.SMALL))
        line = row(_time(clock(each.at)), said, gap=theme.GAP)
        line.setStretch(1, 1)
        return _widget(line)

    def _cost(self, day: Day) -> QWidget:
        inner = column(gap=4)
        for each in day.costs:
            calls = self.tr("%n call(s)", "", each.calls)
            line = row(
                label(words.purpose(each.purpose)),
                label(calls, "muted"),
                label(words.money(each.usd), wrap=False),
            )
            line.setStretch(0, 3)
            line.setStretch(1, 2)
            inner.addLayout(line)
        return _widget(inner)


class _List(Card):
    def __init__(self, title: str) -> None:
        self._lines: QVBoxLayout = column(gap=theme.GAP)
        super().__init__(heading(title), self._lines)
        self._of: object = None
        self.hide()

    def show_lines(self, of: object, lines: Sequence[QWidget]) -> None:
        """Show these; what they are made `of` is compared first, so that nothing is made anew for nothing."""
        if of != self._of:
            self._of = of
            clear(self._lines)
            for each in lines:
                self._lines.addWidget(each)
        self.setVisible(self._lines.count() > 0)


def _time(words: str) -> QLabel:
    made = label(words, "muted", size=theme.SMALL, wrap=False)
    made.setMinimumWidth(made.fontMetrics().horizontalAdvance("00:00 PM"))
    made.setAlignment(Qt.AlignmentFlag.AlignTop)
    made.setContentsMargins(0, 2, 0, 0)
    return made


def _widget(layout: QLayout) -> QWidget:
    made = QWidget()
    made.setLayout(layout)
    return made
