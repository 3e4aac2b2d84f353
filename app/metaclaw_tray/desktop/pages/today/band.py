"""The day as a band: which stretches stand in which lane, how each is told apart, and a legend."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from PySide6.QtCore import QCoreApplication, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import Day, DaySpan
from metaclaw_tray.admin.api.day import SpanKind
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.boxed import BoxedChart
from metaclaw_tray.desktop.charts.day_band import DayBand, Look, Piece, Tone, clock, draw_piece
from metaclaw_tray.desktop.pages.today.words import next_window, purpose
from metaclaw_tray.desktop.parts import clear, label, row

translate = QCoreApplication.translate

_LOOKS: dict[str, tuple[Look, Tone]] = {
    "sleep": ("striped", "muted"),
    "meeting": ("solid", "muted"),
    "idle": ("outlined", "muted"),
    "activity": ("solid", "accent"),
    "learning": ("solid", "good"),
    "training": ("striped", "good"),
    "next": ("dashed", "good"),
}
_PERSON: tuple[SpanKind, ...] = ("idle", "sleep", "meeting")
_AHEAD = timedelta(hours=1)  # that a forecast without an end is drawn
_SAID = 14  # stretches in the text alternative


class DayPane(BoxedChart):
    """The band with its name, legend and table."""

    def __init__(self) -> None:
        columns = (
            translate("Today", "From"),
            translate("Today", "Until"),
            translate("Today", "What"),
            translate("Today", "More"),
        )
        self._band = DayBand(translate("Today", "The day"), columns, translate("Today", "now"))
        self._legend_of: tuple[str, ...] = ()
        self._swatches = QWidget()
        self._row = row(gap=theme.GAP)
        self._swatches.setLayout(self._row)
        super().__init__(self._band, translate("Today", "The day"), legend=self._swatches)

    def show_day(self, day: Day) -> None:
        """Show a day. Lanes that can hold nothing are left out."""
        person = day.training != "none" or any(each.kind in _PERSON for each in day.spans)
        trains = day.training != "none" or any(each.kind == "training" for each in day.spans)
        lanes = [
            *([("person", translate("Today", "You"))] if person else []),
            ("activity", translate("Today", "Agents")),
            ("learning", translate("Today", "Learning")),
            *([("training", translate("Today", "Training"))] if trains else []),
        ]
        place = {name: number for number, (name, _) in enumerate(lanes)}
        pieces = [
            _piece(each, place["person" if each.kind in _PERSON else each.kind])
            for each in sorted(day.spans, key=lambda each: (each.kind in _PERSON[1:], each.begin))
        ]
        coming = day.next_window if trains else None
        if coming is not None and coming.at < day.end:
            end = min(coming.until or coming.at + _AHEAD, day.end)
            look, _ = _LOOKS["next"]
            said = kind_word("next")
            pieces.append(Piece(place["training"], coming.at, end, look, "good", next_window(coming), said))
        self._band.show_day([words for _, words in lanes], pieces, day.begin, day.end, day.now)
        self._band.say(_alternative(pieces))
        self._show_legend([each.kind for each in day.spans], ahead=coming is not None)
        if self.as_table:
            self.fill()

    def _show_legend(self, kinds: Iterable[str], *, ahead: bool) -> None:
        there = set(kinds)
        wanted: tuple[str, ...] = tuple(each for each in ("sleep", "meeting", "idle") if each in there)
        if ahead:
            wanted = (*wanted, "next")
        if wanted == self._legend_of:
            return
        self._legend_of = wanted
        clear(self._row)
        for each in wanted:
            self._row.addWidget(Swatch(*_LOOKS[each]))
            self._row.addWidget(label(kind_word(each), "muted", size=theme.SMALL, wrap=False))
        self._row.addStretch(1)


class Swatch(QWidget):
    """A small piece of a pattern, for a legend."""

    def __init__(self, look: Look, tone: str) -> None:
        super().__init__()
        self._look, self._tone = look, tone
        self.setFixedSize(QSize(26, 14))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 Qt's own name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        now = theme.colours()
        draw_piece(painter, QRectF(self.rect()), self._look, getattr(now, self._tone), now)
        painter.end()


def kind_word(kind: str) -> str:
    """What a stretch is."""
    return {
        "sleep": translate("Today", "Sleep hours"),
        "meeting": translate("Today", "Meeting"),
        "idle": translate("Today", "Away"),
        "activity": translate("Today", "Agents at work"),
        "learning": translate("Today", "Learning"),
        "training": translate("Today", "Training"),
        "next": translate("Today", "Next window"),
    }[kind]


def _piece(span: DaySpan, lane: int) -> Piece:
    look, tone = _LOOKS[span.kind]
    words = span.words
    if span.kind == "learning":
        words = ", ".join(purpose(each) for each in span.words.split(", ") if each)
    elif span.kind == "activity":
        words = translate("Today", "{agents}: %n exchange(s)", "", span.count).format(agents=span.words)
    return Piece(lane, span.begin, span.end, look, tone, words, kind_word(span.kind))


def _alternative(pieces: list[Piece]) -> str:
    if not pieces:
        return translate("Today", "Nothing happened in it so far.")
    said = [
        f"{clock(each.begin)} – {clock(each.end)} {each.kind}" + (f" ({each.words})" if each.words else "")
        for each in sorted(pieces, key=lambda each: each.begin)[:_SAID]
    ]
    if len(pieces) > _SAID:
        said.append(translate("Today", "%n more", "", len(pieces) - _SAID))
    return "; ".join(said)
