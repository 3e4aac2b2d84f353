"""The page of skills: the list at the left, one of them at the right; one at a time where it is narrow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFileDialog, QSplitter

from metaclaw_tray.admin.api import ListReview, ListSkills, ProposalRow, SkillRow, Undo, Verb
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.page import Page
from metaclaw_tray.desktop.pages.skills.acting import Acting
from metaclaw_tray.desktop.pages.skills.bringing import BringSheet
from metaclaw_tray.desktop.pages.skills.detail import Detail
from metaclaw_tray.desktop.pages.skills.entries import Entry, Section, of_skill, open_proposals
from metaclaw_tray.desktop.pages.skills.listing import Listing
from metaclaw_tray.desktop.pages.skills.losing import LoseSheet
from metaclaw_tray.desktop.pages.skills.notice import Notice
from metaclaw_tray.desktop.parts import Empty, button, column

R = TypeVar("R")

_AT_ONCE = 2_000  # skills of one answer: reading more would hold up the window
_NARROW = 740  # pixels below which list and detail do not stand beside each other


class SkillsPage(Page):
    """Search, decide, write, bring in and take out."""

    name, symbol = "skills", "skills"
    topics = frozenset({"library", "learning"})

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._waiting: list[Entry] | None = None
        self._refused: list[Entry] | None = None
        self._skills: list[Entry] | None = None
        self._gathered: list[Entry] = []
        self._asked: list[int] = []
        self._wanted = ""
        self._shown: Entry | None = None
        self._is_narrow = False
        self.acting = Acting(bridge, self)
        self.listing = Listing()
        self.detail = Detail(bridge, self.acting)
        self.notice = Notice()
        self._both = QSplitter()
        self._both.setChildrenCollapsible(False)
        self._both.setHandleWidth(theme.GAP)
        self._both.addWidget(self.listing)
        self._both.addWidget(self.detail)
        self._both.setStretchFactor(0, 2)
        self._both.setStretchFactor(1, 5)
        self._both.setSizes([300, 560])
        inner = column(self.notice, self._both, gap=theme.GAP)
        inner.setStretch(1, 1)
        self.body.setLayout(inner)
        self.tools.addWidget(button(self.tr("Import…"), self._choose_folder, symbol="import"))
        self.tools.addWidget(button(self.tr("New skill"), self.write_new, symbol="plus"))
        self.listing.chosen.connect(self._choose)
        self.listing.opened.connect(self._go_into)
        self.detail.back.connect(self._go_back)
        self.detail.go.connect(self.go)
        self.detail.editor.closed.connect(self._editor_closed)
        self.acting.told.connect(self.notice.tell)
        self.notice.undo.connect(self._undo)
        self.setAcceptDrops(True)
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._find)

    def title(self) -> str:
        return self.tr("Skills")

    def subtitle(self) -> str:
        waiting = self.listing.model.waiting
        if waiting:
            return self.tr("%n proposal(s) wait for you.", "", waiting)
        return self.tr("Short notes that are put in front of a request when they fit it.")

    def refresh(self) -> None:
        for number in self._asked:
            self.bridge.drop(number)
        self._asked.clear()
        self._gathered = []
        self._ask_for(ListReview(waiting=True), self._take_waiting)
        self._ask_for(ListReview(all=True), self._take_refused)  # its newest; those that wait are all above
        self._ask_for(ListSkills(limit=_AT_ONCE), self._take_skills)

    def go_to(self, place: str) -> None:
        """A skill by its name, a proposal by its id."""
        self._wanted = place
        self._show_wanted()

    def place(self) -> str:
        entry = self.listing.current
        return "" if entry is None else entry.proposal or entry.name

    def write_new(self) -> None:
        """Open the editor for a skill that is not there yet."""
        self.ready()
        self.detail.write_new()
        self._go_into()

    def bring(self, path: str) -> None:
        """Show what a folder would bring."""
        BringSheet(self, self.acting, path).open()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 Qt's own name
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        if narrow != self._is_narrow:
            self._is_narrow = narrow
            self.detail.head.back_button.setVisible(narrow)
            self.listing.setVisible(True)
            self.detail.setVisible(not narrow)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 Qt's own name
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 Qt's own name
        path = next((url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()), "")
        if path:
            event.acceptProposedAction()
            self.bring(path)

    def _ask_for(self, verb: Verb[R], done: Callable[[R], None]) -> None:
        self._asked.append(self.bridge.ask(verb, done, self._told_why, owner=self))

    def _take_waiting(self, rows: list[ProposalRow]) -> None:
        self._waiting = open_proposals(rows)
        self._show_all()

    def _take_refused(self, rows: list[ProposalRow]) -> None:
        self._refused = [entry for entry in open_proposals(rows) if entry.section is Section.REFUSED]
        self._show_all()

    def _take_skills(self, rows: list[SkillRow]) -> None:
        self._gathered += map(of_skill, rows)
        if len(rows) == _AT_ONCE:
            self._ask_for(ListSkills(after=rows[-1].name, limit=_AT_ONCE), self._take_skills)
            return
        self._skills = self._gathered
        self._show_all()

    def _show_all(self) -> None:
        if self._waiting is None or self._refused is None or self._skills is None:
            return
        self.listing.put([*self._waiting, *self._refused], self._skills)
        if not self.listing.model.known and not self.detail.editor.isVisible():
            self.empty(self._nothing_yet())
            return
        self.ready()
        if self._shown is None and self.listing.current is not None:
            self._choose(self.listing.current)
        self._show_wanted()

    def _nothing_yet(self) -> Empty:
        return Empty(
            "skills",
            self.tr("No skills yet"),
            self.tr(
                "A skill is a short note that your agent reads before it answers, when the note fits the "
                "request. When you correct an agent, or tell it how you want things done, a skill is "
                "written from that and waits here for your yes."
            ),
            button(self.tr("Write one yourself"), self.write_new, "primary"),
        )

    def _show_wanted(self) -> None:
        """Go where somebody asked to go, once it is there."""
        if not self._wanted or self._skills is None:
            return
        wanted, self._wanted = self._wanted, ""
        if self.listing.select(f"proposal:{wanted}") or self.listing.select(wanted):
            self._go_into()

    def _told_why(self, problem: Problem) -> None:
        self.failed(problem)

    def has_unsaved(self) -> bool:
        return self.detail.editor.is_changed

    def _choose(self, entry: Entry | None) -> None:
        shown = self._shown
        if self.detail.editor.is_changed:
            if entry is None or shown is None or entry.key != shown.key:
                sheet = LoseSheet(self, lambda: self._choose_anyway(entry))
                sheet.rejected.connect(lambda: self.listing.reselect(shown.key if shown else ""))
                sheet.open()
            return
        self._choose_anyway(entry)

    def _choose_anyway(self, entry: Entry | None) -> None:
        if self.detail.editor.isVisible():
            self.detail.editor.give_up()
        self._shown = entry
        if entry is None:
            self.detail.show_nothing()
        else:
            self.detail.show_entry(entry)

    def _go_into(self) -> None:
        if self._is_narrow:
            self.listing.hide()
            self.detail.show()
            self.detail.take_focus()

    def _go_back(self) -> None:
        self.detail.hide()
        self.listing.show()
        self.listing.list.setFocus()

    def _editor_closed(self) -> None:
        if not self.listing.model.known:
            self._show_all()

    def _find(self) -> None:
        if self._is_narrow:
            self._go_back()
        self.listing.search.setFocus()
        self.listing.search.selectAll()

    def _undo(self, entry: str) -> None:
        self.acting.do(Undo(entry=entry), self.tr("It is taken back."))

    def _choose_folder(self) -> None:
        chooser = QFileDialog(self, self.tr("Which folder holds the skills?"))
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.fileSelected.connect(self.bring)
        chooser.open()
