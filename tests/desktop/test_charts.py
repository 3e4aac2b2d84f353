"""Charts on the screen: read by mouse, by keyboard, as a table, and aloud."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.looking import press
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.bar_chart import Bar, BarChart
from metaclaw_tray.desktop.charts.boxed import BoxedChart
from metaclaw_tray.desktop.charts.chart import Chart, Place, nearest
from metaclaw_tray.desktop.charts.day_band import DayBand, Piece
from metaclaw_tray.desktop.charts.geometry import Box, Point
from metaclaw_tray.desktop.charts.line_chart import LineChart
from metaclaw_tray.desktop.charts.lines import Value
from metaclaw_tray.desktop.charts.multiples import Multiples

BEGIN = datetime(2026, 3, 3, tzinfo=UTC)


def line(qtbot: QtBot, *values: Value) -> LineChart:
    made = LineChart(
        "Reward", lambda each: f"step {each.x:.0f}: {each.y:.2f}", ["Step", "Reward", "Low", "High"]
    )
    made.show_values(values or [Value(1, 0.25, 0.2, 0.3), Value(2, 0.5, 0.4, 0.6), Value(3, 0.75, 0.7, 0.8)])
    return shown(qtbot, made)


def shown(qtbot: QtBot, made: Chart) -> Chart:
    qtbot.addWidget(made)
    made.resize(480, made.height())
    made.show()
    return made


def test_arrow_keys_walk_through_the_points_and_each_says_its_value(qtbot: QtBot) -> None:
    chart = line(qtbot)
    chart.say("It rose from 0.25 to 0.75.")
    heard = []
    for key in (
        Qt.Key.Key_Right,
        Qt.Key.Key_Right,
        Qt.Key.Key_End,
        Qt.Key.Key_Right,
        Qt.Key.Key_Left,
        Qt.Key.Key_Home,
    ):
        QTest.keyClick(chart, key)
        heard.append(chart.accessibleDescription())
    assert [each[5] for each in heard] == ["1", "2", "3", "3", "2", "1"]
    assert heard[0] == "step 1: 0.25"
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    assert chart.accessibleDescription() == "It rose from 0.25 to 0.75."
    assert chart.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert chart.accessibleName() == "Reward"


def test_a_chart_without_values_can_be_walked_nowhere(qtbot: QtBot) -> None:
    chart = shown(qtbot, LineChart("Reward", str, ["Step", "Reward"]))
    for key in (Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Home):
        QTest.keyClick(chart, key)
    assert chart.current is None
    chart.grab()


def test_pointing_near_a_value_shows_it_and_leaving_hides_it(qtbot: QtBot) -> None:
    chart = line(qtbot)
    middle = chart.places[1].box.middle
    QTest.mouseMove(chart, QPoint(round(middle.x) + 5, round(middle.y) - 5))
    qtbot.waitUntil(lambda: chart.current is chart.places[1])
    chart.look(-1)
    assert chart.current is None


def test_the_nearest_place_is_meant_and_none_that_is_far() -> None:
    places = [Place(Box(10, 10, 0, 0), "a"), Place(Box(50, 10, 20, 20), "b")]
    assert nearest(places, Point(14, 12)) == 0
    assert nearest(places, Point(60, 20)) == 1
    assert nearest(places, Point(200, 200)) == -1


def test_what_is_looked_at_is_forgotten_when_the_values_get_fewer(qtbot: QtBot) -> None:
    chart = line(qtbot)
    chart.look(2)
    chart.show_values([Value(1, 0.25)])
    assert chart.current is None


def test_the_table_says_what_the_chart_shows_with_its_edges(qtbot: QtBot) -> None:
    boxed = BoxedChart(line(qtbot), "Reward")
    qtbot.addWidget(boxed)
    boxed.show()
    press(boxed, "As a table")
    assert boxed.as_table
    assert not boxed.chart.isVisible()
    cells = [[boxed.table.item(at, place).text() for place in range(4)] for at in range(3)]
    assert cells[1] == ["2", "0.50", "0.40", "0.60"]
    assert boxed.table.horizontalHeaderItem(1).text() == "Reward"
    press(boxed, "As a chart")
    assert boxed.chart.isVisible()


def test_numbers_are_written_as_the_person_writes_them(qtbot: QtBot) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale("nl_NL"))
    try:
        assert line(qtbot).table().rows[0] == ("1", "0,25", "0,20", "0,30")
    finally:
        QLocale.setDefault(before)


def test_bars_and_the_day_can_be_walked_too(qtbot: QtBot) -> None:
    bars = BarChart("Spend", ("Day", "USD"))
    bars.show_bars(
        [Bar("Mon", 0.1, "Monday: 0.10 USD"), Bar("Tue", 0.0, "Tuesday: nothing")], limit=(0.5, "cap")
    )
    shown(qtbot, bars)
    QTest.keyClick(bars, Qt.Key.Key_End)
    assert bars.accessibleDescription() == "Tuesday: nothing"
    assert bars.table().rows == (("Mon", "0.10"), ("Tue", "0.00"))

    band = DayBand("The day", ("From", "Until", "What", "More"), "now")
    noon = BEGIN + timedelta(hours=12)
    late = Piece(0, noon, noon + timedelta(hours=1), "solid", "accent", "coder", "Agents")
    early = Piece(1, BEGIN, BEGIN + timedelta(hours=7), "striped", "muted", "", "Sleep")
    band.show_day(["Agents", "You"], [late, early], BEGIN, BEGIN + timedelta(days=1), noon)
    shown(qtbot, band)
    QTest.keyClick(band, Qt.Key.Key_Right)
    assert band.accessibleDescription().endswith("Sleep")
    QTest.keyClick(band, Qt.Key.Key_Right)
    assert band.accessibleDescription().endswith("Agents\ncoder")
    assert [row[2] for row in band.table().rows] == ["Sleep", "Agents"]


@pytest.mark.parametrize("dark", [False, True])
def test_charts_are_drawn_in_the_colours_of_the_theme(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, dark: bool
) -> None:
    monkeypatch.setattr(theme, "is_dark", lambda: dark)
    chart = line(qtbot)
    seen = _colours(chart.grab().toImage())
    assert theme.colours().accent in seen
    assert (theme.DARK if not dark else theme.LIGHT).accent not in seen


def test_multiples_stand_beside_each_other_where_there_is_room(qtbot: QtBot) -> None:
    made = Multiples([line(qtbot) for _ in range(4)])
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    assert made.columns == 2
    made.resize(300, 800)
    assert made.columns == 1


def _colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
