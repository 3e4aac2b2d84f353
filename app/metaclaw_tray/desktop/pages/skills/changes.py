"""The tab *What changed*: two texts compared, in one column or side by side, by colour and by sign."""

from __future__ import annotations

import html
from collections.abc import Callable

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import DiffSkill, SkillDiff
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.skills import diffing
from metaclaw_tray.desktop.pages.skills.diffing import Kind, Line
from metaclaw_tray.desktop.pages.skills.pieces import Choice
from metaclaw_tray.desktop.pages.skills.reading import SafeBrowser
from metaclaw_tray.desktop.pages.skills.subject import Asker, Subject
from metaclaw_tray.desktop.parts import column, label, row
from metaclaw_tray.desktop.steady import Steady
from metaclaw_tray.desktop.theme import Colours


class DiffView(SafeBrowser):
    """The change between two texts."""

    def __init__(self) -> None:
        super().__init__()
        self._texts = ("", "")
        self._beside = False
        self.setAccessibleName(self.tr("What changed, line by line"))

    def show_change(self, old: str, new: str, *, beside: bool = False) -> None:
        """Compare these; beside each other, or in one column."""
        self._texts, self._beside = (old, new), beside
        self._draw()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 Qt's own name
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        old, new = self._texts
        now = theme.colours()
        if diffing.too_long(old, new):
            self.setPlainText(self.tr("These texts are too long to be compared here."))
        elif self._beside:
            self.setHtml(_table([_pair(*each, now) for each in diffing.pairs_of(old, new)]))
        else:
            lines = diffing.lines_of(old, new)
            if lines:
                self.setHtml(_table([f"<tr>{_cells(line, now)}</tr>" for line in lines]))
            else:
                self.setPlainText(self.tr("Nothing differs."))


def _table(rows: list[str]) -> str:
    return f'<table width="100%" cellspacing="0" cellpadding="3">{"".join(rows)}</table>'


def _pair(left: Line | None, right: Line | None, now: Colours) -> str:
    return f"<tr>{_cells(left, now, 50)}{_cells(right, now, 50)}</tr>"


def _cells(line: Line | None, now: Colours, width: int = 100) -> str:
    """A sign and a text, both on the colour of what happens to the line."""
    if line is None:
        return f'<td></td><td width="{width}%"></td>'
    back, sign = {
        Kind.ADDED: (now.good_soft, now.good),
        Kind.REMOVED: (now.bad_soft, now.bad),
    }.get(line.kind, ("", now.muted))
    fill = f' bgcolor="{back}"' if back else ""
    said = html.escape(line.text) or "&nbsp;"
    colour = now.text
    if line.kind is Kind.GAP:
        said, colour = "", now.muted
    return (
        f'<td{fill} align="center" width="18"><b><font color="{sign}">{line.kind.value}</font></b></td>'
        f'<td{fill} width="{width}%" style="white-space: pre-wrap"><font color="{colour}">{said}</font></td>'
    )


class UnifiedDiff(SafeBrowser):
    """A change that the app has compared already, as high as it is, up to a point."""

    _HIGHEST = 320  # pixels; what is longer scrolls

    def __init__(self, diff: str) -> None:
        super().__init__()
        now = theme.colours()
        lines = [_read(line) for line in diff.splitlines() if not line.startswith(("---", "+++"))]
        self.setHtml(_table([f"<tr>{_cells(line, now)}</tr>" for line in lines]))
        self.setAccessibleName(self.tr("What changed, line by line"))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 Qt's own name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(min(self._HIGHEST, int(self.document().size().height()) + 6))


def _read(line: str) -> Line:
    if line.startswith("@@"):
        return Line(Kind.GAP, "")
    kind = {"+": Kind.ADDED, "-": Kind.REMOVED}.get(line[:1], Kind.SAME)
    return Line(kind, line[1:])


class ChangesTab(QWidget):
    """Of a proposal what it would change; of a skill what a version changed."""

    def __init__(self, asker: Asker) -> None:
        super().__init__()
        self._asker = asker
        self._texts = ("", "")
        self._name = ""
        self._versions = Steady()
        self._versions.setAccessibleName(self.tr("Version"))
        self._versions.activated.connect(self._turn_to_version)
        self._ways = Choice([self.tr("In one"), self.tr("Side by side")])
        self._beside = False
        self._ways.chosen.connect(self._set_way)
        self._said = label(kind="muted", size=theme.SMALL)
        self._shown = DiffView()
        body = column(row(self._ways, self._versions, None), self._said, self._shown, gap=theme.GAP_S)
        body.setContentsMargins(0, theme.GAP, 0, 0)
        self.setLayout(body)

    def show_subject(self, subject: Subject) -> None:
        self._versions.setVisible(not subject.is_proposal and len(subject.versions) > 1)
        self._name = subject.entry.name
        if subject.is_proposal:
            reading = subject.reading
            if reading is not None:
                self._put(reading.before, reading.detail.text)
            return
        self._versions.clear()
        for each in reversed(subject.versions):
            words = self.tr("Version {now}, from {before}") if each.version > 1 else self.tr("Version {now}")
            self._versions.addItem(words.format(now=each.version, before=each.version - 1), each.version)
        number = subject.versions[-1].version if subject.versions else 1
        if number > 1:
            self._ask(number)
        else:
            self._put("", subject.text)

    def _turn_to_version(self, place: int) -> None:
        self._ask(int(self._versions.itemData(place)))

    def _ask(self, version: int) -> None:
        older = max(1, version - 1)
        self._asker.ask(DiffSkill(name=self._name, old=older, new=version), _taker(self._take, version))

    def _take(self, version: int, found: SkillDiff) -> None:
        self._put("" if version == 1 else found.old_text, found.new_text)

    def _put(self, old: str, new: str) -> None:
        self._texts = (old, new)
        self._draw()

    def _set_way(self, way: int) -> None:
        self._beside = way == 1
        self._draw()

    def _draw(self) -> None:
        old, new = self._texts
        more, less = (0, 0) if diffing.too_long(old, new) else diffing.counted(diffing.lines_of(old, new))
        if not old:
            said = self.tr("All of it is new.")
        elif not new:
            said = self.tr("All of it would go.")
        else:
            said = self.tr("{more} lines come (+), {less} lines go (−).").format(more=more, less=less)
        self._said.setText(said)
        self._shown.show_change(old, new, beside=self._beside)


def _taker(take: Callable[[int, SkillDiff], None], version: int) -> Callable[[SkillDiff], None]:
    return lambda found: take(version, found)
