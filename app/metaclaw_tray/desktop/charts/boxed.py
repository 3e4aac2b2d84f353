"""A chart with its name above it, and the same values as a table for who would rather read them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.chart import Chart
from metaclaw_tray.desktop.parts import button, column, label, row

_MOST_ROWS = 8  # that are seen without scrolling


class BoxedChart(QWidget):
    """Shows the chart, or its table."""

    def __init__(self, chart: Chart, title: str, *, legend: QWidget | None = None) -> None:
        super().__init__()
        self.chart = chart
        self.title: QLabel = label(title, bold=True)
        self._turn = button(self.tr("As a table"), self.turn, "link")
        self.table = QTableWidget()
        self.table.setAccessibleName(title)
        self.table.setProperty("kind", "table")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.hide()
        self._legend = legend
        head = row(self.title, self._turn)
        head.setStretch(0, 1)
        inner = column(head, chart, self.table, gap=theme.GAP_S)
        if legend is not None:
            inner.addWidget(legend)
        inner.addStretch(1)
        self.setLayout(inner)

    @property
    def as_table(self) -> bool:
        """Whether the table is shown."""
        return not self.table.isHidden()

    def turn(self) -> None:
        """From the chart to the table, or back."""
        wanted = not self.as_table
        if wanted:
            self.fill()
        self.chart.setVisible(not wanted)
        if self._legend is not None:
            self._legend.setVisible(not wanted)
        self.table.setVisible(wanted)
        self._turn.setText(self.tr("As a chart") if wanted else self.tr("As a table"))

    def fill(self) -> None:
        """Bring the table up to date with the chart."""
        told = self.chart.table()
        self.table.setColumnCount(len(told.columns))
        self.table.setHorizontalHeaderLabels(list(told.columns))
        self.table.setRowCount(len(told.rows))
        for at, cells in enumerate(told.rows):
            for place, words in enumerate(cells):
                item = QTableWidgetItem(" ".join(words.split("\n")))
                item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(at, place, item)
        head = self.table.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(True)
        high = self.table.fontMetrics().height() + 12
        self.table.verticalHeader().setDefaultSectionSize(high)
        self.table.setFixedHeight(high * (1 + min(_MOST_ROWS, max(1, len(told.rows)))) + 8)
