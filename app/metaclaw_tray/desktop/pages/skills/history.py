"""The tab *History*: what was decided on a skill, each with a way back."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import LedgerDetail, LedgerRow, ShowLedger, SkillLedger, Undo
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Problem
from metaclaw_tray.desktop.pages.skills import words
from metaclaw_tray.desktop.pages.skills.acting import Acting
from metaclaw_tray.desktop.pages.skills.changes import UnifiedDiff
from metaclaw_tray.desktop.pages.skills.pieces import Leaf
from metaclaw_tray.desktop.pages.skills.subject import Asker, Subject
from metaclaw_tray.desktop.parts import Card, Empty, button, column, label, row


class HistoryTab(Leaf):
    """The latest first. What an undo would do, the app shows before it does it."""

    def __init__(self, asker: Asker, acting: Acting) -> None:
        super().__init__()
        self._asker = asker
        self._acting = acting

    def show_subject(self, subject: Subject) -> None:
        self.put()
        self._asker.ask(SkillLedger(name=subject.entry.name), self._show, self._failed)

    def _show(self, entries: list[LedgerRow]) -> None:
        if not entries:
            said = self.tr("Nobody has decided anything on this skill yet.")
            self.put(Empty("clock", self.tr("No history"), said))
            return
        intro = label(self.tr("Everything can be taken back; what that would do is shown first."), "muted")
        self.put(intro, *(_Entry(each, self._asker, self._acting) for each in entries))

    def _failed(self, problem: Problem) -> None:
        self.put(Empty("warning", problem.title, problem.detail))


class _Entry(Card):
    """One decision."""

    def __init__(self, entry: LedgerRow, asker: Asker, acting: Acting) -> None:
        super().__init__(gap=theme.GAP_S)
        self._entry = entry
        self._asker, self._acting = asker, acting
        self._told: QWidget | None = None
        by = self.tr("{who}, {way}").format(who=entry.actor, way=words.channel(entry.channel))
        title = words.done(entry.action)
        version = entry.after.get("version")
        if isinstance(version, int) and version:
            title = self.tr("{what}, version {number}").format(what=title, number=version)
        texts = column(
            label(title, bold=True),
            label(f"{words.when(entry.at)} · {by}", "muted", size=theme.SMALL),
            gap=2,
        )
        line = row(texts, gap=theme.GAP)
        line.setStretch(0, 1)
        self._more = button(self.tr("What it did"), self._ask_more, "link")
        line.addWidget(self._more)
        if entry.undone:
            line.addWidget(label(self.tr("taken back"), "chip", size=theme.SMALL))
        elif _can_be_undone(entry):
            undo = button(self.tr("Undo…"), self._undo, symbol="undo")
            undo.setAccessibleName(self.tr("Undo: {what}").format(what=title))
            line.addWidget(undo)
        self.body.addLayout(line)

    def _ask_more(self) -> None:
        if self._told is not None:
            self._told.setVisible(self._told.isHidden())
            return
        self._asker.ask(ShowLedger(self._entry.id), self._show_more)

    def _show_more(self, detail: LedgerDetail) -> None:
        parts = [label(detail.why, "muted")] if detail.why else []
        if detail.outcome:
            parts.append(label(detail.outcome, "muted"))
        if detail.diff:
            shown: QWidget = UnifiedDiff(detail.diff)
            made = column(*parts, shown, gap=theme.GAP_S)
        else:
            made = column(*parts, label(self.tr("No text that is in use changed by it."), "muted"))
        self._told = QWidget()
        self._told.setLayout(made)
        self.body.addWidget(self._told)

    def _undo(self) -> None:
        self._acting.do(Undo(entry=self._entry.id), self.tr("It is taken back."))


def _can_be_undone(entry: LedgerRow) -> bool:
    """Whether it changed how a skill stands: a rejection or a snooze did not."""
    return "version" in entry.after or "skills" in entry.after
