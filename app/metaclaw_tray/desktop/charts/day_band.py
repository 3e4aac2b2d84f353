"""A day in lanes: who was where, what was at work, now and what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from PySide6.QtCore import QLineF, QLocale, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.chart import Chart, Place, Table, rect
from metaclaw_tray.desktop.charts.day import DayLayout, Stretch, lay_day
from metaclaw_tray.desktop.charts.geometry import Box
from metaclaw_tray.desktop.charts.painting import MARGIN, draw_x_axis, stripe
from metaclaw_tray.desktop.tray.wording import local

Tone = Literal["accent", "good", "muted"]
Look = Literal["solid", "striped", "outlined", "soft", "dashed"]

_LANE = 20.0  # pixels
_BETWEEN = 5.0
_MARK = 19.0  # pixels above the lanes, for the word at now
_NARROW = 560  # pixels of the chart, below which every sixth hour is marked


@dataclass(frozen=True)
class Piece:
    """A stretch of the day, as it is drawn and said."""

    lane: int
    begin: datetime
    end: datetime
    look: Look
    tone: Tone
    words: str
    kind: str  # what it is


class DayBand(Chart):
    """`columns` are the headings of its table: from, until, what, more."""

    def __init__(self, name: str, columns: Sequence[str], now_word: str) -> None:
        super().__init__(name, _high(0))
        self._lanes: tuple[str, ...] = ()
        self._columns = tuple(columns)
        self._now_word = now_word
        self._pieces: tuple[Piece, ...] = ()
        self._day: tuple[datetime, datetime, datetime | None] | None = None
        self._box = Box(0, 0, 1, 1)
        self._layout: DayLayout | None = None

    def show_day(
        self,
        lanes: Sequence[str],
        pieces: Sequence[Piece],
        begin: datetime,
        end: datetime,
        now: datetime | None,
    ) -> None:
        """Show a day from its first moment to the next one's, in lanes with these names."""
        self._lanes = tuple(lanes)
        self.setFixedHeight(_high(len(self._lanes)))
        self._pieces = tuple(pieces)
        self._day = (begin, end, now)
        self.renew()

    def table(self) -> Table:
        told = sorted(self._pieces, key=lambda each: (each.begin, each.lane))
        rows = [(clock(each.begin), clock(each.end), each.kind, each.words) for each in told]
        return Table(self._columns, tuple(rows))

    def arrange(self, width: float, height: float) -> Sequence[Place]:
        metrics = QFontMetrics(theme.scaled(theme.SMALL))
        left = max((metrics.horizontalAdvance(each) for each in self._lanes), default=0) + 12.0 + MARGIN
        inner = height - _MARK - metrics.height() - 10
        self._box = Box(left, _MARK, max(10.0, width - left - 12 - MARGIN), inner)
        if self._day is None:
            self._layout = None
            return []
        begin, end, now = self._day
        self._layout = lay_day(
            [Stretch(each.lane, each.begin, each.end) for each in self._pieces],
            begin,
            end,
            self._box,
            lanes=len(self._lanes),
            now=now,
            every=3 if width > _NARROW else 6,
        )
        placed = [
            (box, piece)
            for box, piece in zip(self._layout.stretches, self._pieces, strict=True)
            if box is not None
        ]
        placed.sort(key=lambda each: (each[1].begin, each[1].lane))  # the arrow keys go with the day
        return [Place(box, self._said_of(piece)) for box, piece in placed]

    def draw(self, painter: QPainter, colours: theme.Colours) -> None:
        laid = self._layout
        if laid is None:
            return
        for name, lane in zip(self._lanes, laid.lanes, strict=True):
            painter.setPen(QColor(colours.muted))
            left = QRectF(0, lane.y, self._box.x - 12, lane.height)
            painter.drawText(left, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, name)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.raised))
            painter.drawRoundedRect(rect(lane), 4, 4)
        painter.setPen(QPen(QColor(colours.line), 1))
        for hour in laid.hours:
            at = round(hour.at) + 0.5
            painter.drawLine(QLineF(at, self._box.y, at, self._box.bottom))
        hours = [(hour.at, clock(hour.moment)) for hour in laid.hours]
        draw_x_axis(painter, self._box, hours, colours, self.width())
        for box, piece in zip(laid.stretches, self._pieces, strict=True):
            if box is not None:
                draw_piece(painter, rect(box), piece.look, getattr(colours, piece.tone), colours)
        if laid.now is not None:
            self._draw_now(painter, laid.now, colours)
        if (here := self.current) is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.text), 2))
            painter.drawRoundedRect(rect(here.box), 3, 3)

    def _draw_now(self, painter: QPainter, at: float, colours: theme.Colours) -> None:
        painter.setPen(QPen(QColor(colours.text), 1.5))
        painter.drawLine(QLineF(at, self._box.y - 2, at, self._box.bottom))
        wide = painter.fontMetrics().horizontalAdvance(self._now_word) + 4
        left = min(max(0.0, at - wide / 2), self.width() - wide)
        painter.drawText(QRectF(left, 2, wide, _MARK - 4), Qt.AlignmentFlag.AlignCenter, self._now_word)

    def _said_of(self, piece: Piece) -> str:
        times = f"{clock(piece.begin)} – {clock(piece.end)}"
        return f"{times}  {piece.kind}" + (f"\n{piece.words}" if piece.words else "")


def _high(lanes: int) -> int:
    high = lanes * (_LANE + _BETWEEN) - _BETWEEN if lanes else 0.0
    return int(_MARK + high + QFontMetrics(theme.scaled(theme.SMALL)).height() + 12)


def draw_piece(painter: QPainter, area: QRectF, look: Look, tone: str, colours: theme.Colours) -> None:
    """One stretch, told apart by its pattern as well as by its colour."""
    colour = QColor(tone)
    soft = QColor(colour)
    soft.setAlpha(50)
    fill: QColor | Qt.BrushStyle = colour if look == "solid" else soft
    if look in ("outlined", "dashed"):
        fill = QColor(colours.surface)
    painter.setBrush(fill)
    style = Qt.PenStyle.DashLine if look == "dashed" else Qt.PenStyle.SolidLine
    painter.setPen(QPen(colour, 1.2, style))
    inner = area.adjusted(0.6, 0.6, -0.6, -0.6)
    painter.drawRoundedRect(inner, 3, 3)
    if look == "striped":
        stripe(painter, inner, colour)


def clock(moment: datetime) -> str:
    """A time of day as the person writes it."""
    return str(QLocale().toString(local(moment).time(), QLocale.FormatType.ShortFormat))
