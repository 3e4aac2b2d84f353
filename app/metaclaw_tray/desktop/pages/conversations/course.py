"""How an exchange went: the person's words, and each answer with its calls folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import CallRow, ExchangeDetail, StepRow
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.conversations import words
from metaclaw_tray.desktop.pages.conversations.pieces import Code, Speech
from metaclaw_tray.desktop.pages.skills.pieces import Fold
from metaclaw_tray.desktop.parts import column, label

_OPEN = 4  # answers that are shown at once: the last ones, and those that hold what was looked for


class Course(QWidget):
    """An exchange in its order."""

    def __init__(self, detail: ExchangeDetail, sought: str) -> None:
        super().__init__()
        self._sought = sought
        self._agent = detail.row.agent
        things = list(self._things(detail))
        self.setLayout(column(*things, gap=theme.GAP))

    def _things(self, detail: ExchangeDetail) -> Iterator[QWidget]:
        if detail.earlier:
            said = self.tr("%n message(s) were said before in this conversation.", "", detail.earlier)
            yield label(said, "muted", size=theme.SMALL)
        whose = self.tr("You asked") if detail.row.kind == "main" else self.tr("The agent asked for itself")
        yield Speech(whose, detail.asked or self.tr("(nothing in words)"), "person", sought=self._sought)
        if detail.left_out:
            said = self.tr("%n earlier answer(s) are left out here.", "", detail.left_out)
            yield label(said, "muted", size=theme.SMALL)
        first = max(0, len(detail.steps) - _OPEN)
        if first:
            said = self.tr("%n earlier answer(s)", "", first)
            yield Fold(said, None, lambda: self._steps(detail.steps[:first]))
        for step in detail.steps[first:]:
            yield from self._step(step)
        if detail.said_next:
            yield Speech(self.tr("You said to that"), detail.said_next, "person", sought=self._sought)

    def _steps(self, steps: Sequence[StepRow]) -> QWidget:
        made = QWidget()
        inner = column(gap=theme.GAP)
        inner.setContentsMargins(theme.GAP, 0, 0, 0)
        for step in steps:
            for each in self._step(step):
                inner.addWidget(each)
        made.setLayout(inner)
        return made

    def _step(self, step: StepRow) -> Iterator[QWidget]:
        bad = step.outcome not in ("ok", "open", "gone") or (
            step.verdict is not None and step.verdict.score == -1
        )
        chips = [words.outcome(step.outcome)] if step.outcome not in ("ok", "") else []
        if step.aside:
            chips.append(self.tr("not gone on from"))
        chip = label(" · ".join(chips), "chip-bad" if bad else "chip", size=theme.SMALL) if chips else None
        whose = self.tr("{agent} answered").format(agent=self._agent)
        if step.said or not step.calls:
            said = step.said or step.error or self.tr("(nothing in words)")
            yield Speech(whose, said, "bad" if bad else "plain", sought=self._sought, chip=chip)
        for call in step.calls:
            yield self._call(call)

    def _call(self, call: CallRow) -> QWidget:
        name = call.name or self.tr("a tool")
        first = " ".join(call.arguments[:120].split())
        said = self.tr("Called {tool} {arguments}").format(tool=name, arguments=first)
        mark = label(self.tr("failed"), "chip-bad", size=theme.SMALL) if call.failed else None
        made = Fold(said, mark, lambda: self._both(call))
        made.setContentsMargins(theme.GAP, 0, 0, 0)
        return made

    def _both(self, call: CallRow) -> QWidget:
        made = QWidget()
        inner = column(gap=theme.GAP_S)
        inner.setContentsMargins(theme.GAP, 0, 0, 0)
        if call.arguments:
            inner.addWidget(Code(self.tr("Called with"), call.arguments, sought=self._sought))
        if call.result:
            inner.addWidget(Code(self.tr("Gave back"), call.result, sought=self._sought, bad=call.failed))
        else:
            inner.addWidget(label(self.tr("What it gave back is not known."), "muted"))
        made.setLayout(inner)
        return made
