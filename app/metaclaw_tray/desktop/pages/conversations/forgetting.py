"""Forgetting an exchange: what goes and what stays is shown first."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QDialog, QWidget

from metaclaw_tray.admin.api import ForgetOutlook, ForgetTurns, Forgotten, LookAtForgetting
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.named import titled
from metaclaw_tray.desktop.pages.conversations import words
from metaclaw_tray.desktop.parts import button, clear, column, heading, label, row


class ForgetSheet(QDialog):
    """`forgotten` tells that it is done."""

    forgotten = Signal(object)

    def __init__(self, parent: QWidget, bridge: Bridge, exchange: str) -> None:
        super().__init__(parent)
        self._bridge, self._exchange = bridge, exchange
        self._outlook: ForgetOutlook | None = None
        self.setWindowTitle(self.tr("Forget this exchange?"))
        self.setMinimumWidth(500)
        self._inner = column(label(self.tr("Looking at what would go…"), "muted"), gap=theme.GAP_S)
        self._no = button(self.tr("Cancel"), self.reject)
        self._yes = button(self.tr("Forget it"), self._forget, "danger")
        self._yes.setEnabled(False)
        outer = column(
            heading(self.tr("Forget this exchange?")),
            self._inner,
            row(None, self._no, self._yes),
            margin=theme.GAP_L,
        )
        self.setLayout(outer)
        self._no.setDefault(True)
        self._no.setFocus()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        bridge.ask(LookAtForgetting(exchange=exchange), self._show, self._failed, owner=self)

    def _show(self, outlook: ForgetOutlook) -> None:
        self._outlook = outlook
        clear(self._inner)
        self._yes.setEnabled(outlook.turns > 0)
        for each in self._lines(outlook):
            self._inner.addWidget(each)
        self.adjustSize()

    def _lines(self, seen: ForgetOutlook) -> Iterator[QWidget]:
        if not seen.turns:
            yield label(self.tr("Nothing of it has ended yet. Come back when it has."))
            return
        yield label(self.tr("These go for good:"), bold=True)
        yield label("• " + self.tr("%n request(s) with their answers, verdicts and thumbs", "", seen.turns))
        if seen.messages:
            yield label("• " + self.tr("%n message(s) that nothing else needs", "", seen.messages))
        for _ in seen.proposals[:1]:
            said = self.tr("%n proposed skill(s) learnt from it, withdrawn", "", len(seen.proposals))
            yield label("• " + said)
        if seen.copies:
            yield label("• " + self.tr("%n copy(s) of the record made before updates", "", len(seen.copies)))
        stays = list(self._stays(seen))
        if stays:
            yield label(self.tr("These stay:"), bold=True)
        for each in stays:
            yield label(f"• {each}")
        if seen.shared:
            said = self.tr("A conversation that goes on sends its history again, and is recorded again.")
            yield label(said, "muted", size=theme.SMALL)

    def _stays(self, seen: ForgetOutlook) -> Iterator[str]:
        if seen.shared:
            yield self.tr("%n message(s) that later requests were made with", "", seen.shared)
        if seen.under_way:
            yield self.tr("%n request(s) that are still under way", "", seen.under_way)
        for skill in seen.skills:
            yield self.tr("the skill {name}, which was learnt from it").format(name=titled(skill.name))

    def _forget(self) -> None:
        if self._outlook is None:
            return
        self._yes.setEnabled(False)
        self._tell(self.tr("Forgetting…"))
        verb = ForgetTurns(exchange=self._exchange, until=self._outlook.until)
        self._bridge.ask(verb, self._done, self._failed, owner=self, told=self._tell)

    def _tell(self, said: str) -> None:
        clear(self._inner)
        self._inner.addWidget(label(said[:1].upper() + said[1:], "muted"))

    def _done(self, gone: Forgotten) -> None:
        self.forgotten.emit(gone)
        self.accept()

    def _failed(self, problem: Problem) -> None:
        clear(self._inner)
        self._inner.addWidget(label(problem.title, "bad", bold=True))
        self._inner.addWidget(label(f"{problem.detail} {problem.remedy}".strip()))


def said(gone: Forgotten) -> str:
    """What was done, in a line."""
    text = QCoreApplication.translate("Conversations", "Forgotten: {count} requests with their answers.")
    return text.format(count=words.number(gone.turns))
