"""What is shown of one skill or proposal: what it is, its tabs, and what can be done with it."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedLayout, QTabWidget, QWidget

from metaclaw_tray.admin.api import (
    ProposalReading,
    ReadProposal,
    ShowSkill,
    ShowSkillHistory,
    SkillDetail,
    SkillVersionRow,
)
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.pages.skills.acting import Acting
from metaclaw_tray.desktop.pages.skills.actions import Actions
from metaclaw_tray.desktop.pages.skills.changes import ChangesTab
from metaclaw_tray.desktop.pages.skills.editor import Editor
from metaclaw_tray.desktop.pages.skills.effect import EffectTab
from metaclaw_tray.desktop.pages.skills.entries import Entry
from metaclaw_tray.desktop.pages.skills.evidence import EvidenceTab
from metaclaw_tray.desktop.pages.skills.head import Head
from metaclaw_tray.desktop.pages.skills.history import HistoryTab
from metaclaw_tray.desktop.pages.skills.proof import ProofTab
from metaclaw_tray.desktop.pages.skills.reading import TextTab
from metaclaw_tray.desktop.pages.skills.subject import Asker, Subject
from metaclaw_tray.desktop.parts import Card, Empty, button, column, rule

_LOADING_MS = 250


class _Tab(Protocol):
    def show_subject(self, subject: Subject) -> None: ...


class Detail(Card):
    """The right side of the page. `back` asks for the list, where there is no room for both; `go` for another
    page."""

    back = Signal()
    go = Signal(str)

    def __init__(self, bridge: Bridge, acting: Acting) -> None:
        super().__init__()
        self._asker = Asker(bridge, self)
        self._subject: Subject | None = None
        self._stale: set[int] = set()  # tabs that show another subject still
        self.head = Head()
        self.head.back.connect(self.back)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.tabBar().setExpanding(False)
        self._text, self._proof, self._changes = TextTab(), ProofTab(), ChangesTab(self._asker)
        self._evidence, self._effect = EvidenceTab(), EffectTab(self._asker)
        self._evidence.go.connect(self.go)
        self._history = HistoryTab(self._asker, acting)
        titles = (
            (self._text, self.tr("Skill")),
            (self._proof, self.tr("Proof")),
            (self._changes, self.tr("What changed")),
            (self._evidence, self.tr("Evidence")),
            (self._effect, self.tr("Effect")),
            (self._history, self.tr("History")),
        )
        self._all: list[_Tab] = [tab for tab, _ in titles]
        for tab, words in titles:
            self.tabs.addTab(tab, words)
        self.tabs.currentChanged.connect(lambda _place: self._fill())
        self.actions_bar = Actions(acting)
        self.actions_bar.edit.connect(self._edit)
        self.editor = Editor(bridge, acting)
        self.editor.closed.connect(self._close_editor)
        reading = QWidget()
        reading.setLayout(column(self.head, self.tabs, rule(), self.actions_bar, gap=theme.GAP))
        self._states = QStackedLayout()
        self._reading, self._state = reading, Empty("skills", "", "")
        for each in (self._state, reading, self.editor):
            self._states.addWidget(each)
        self.body.addLayout(self._states)
        self._slow = QTimer(self, singleShot=True, interval=_LOADING_MS)
        self._slow.timeout.connect(self._say_loading)
        self.show_nothing()

    @property
    def subject(self) -> Subject | None:
        return self._subject

    def show_nothing(self) -> None:
        """Nothing is chosen."""
        self._asker.drop()
        self._subject = None
        self._put(Empty("skills", self.tr("Choose a skill at the left"), ""))

    def show_entry(self, entry: Entry) -> None:
        """Show this one; its tabs stay where they are, where it has them."""
        self._asker.drop()
        self._subject = Subject(entry)
        if entry.proposal:
            self._asker.ask(ReadProposal(entry.proposal), self._take_reading, self._failed)
        else:
            self._asker.ask(ShowSkill(entry.name), self._take_skill, self._failed)
            self._asker.ask(ShowSkillHistory(entry.name), self._take_versions, self._failed)
        self.actions_bar.setEnabled(False)  # what stands there is still about the one before
        self._slow.start()

    def take_focus(self) -> None:
        """Let the keyboard go on here."""
        if not self.editor.isVisible():
            self.tabs.tabBar().setFocus()

    def write_new(self) -> None:
        """Open the editor with nothing in it."""
        self._states.setCurrentWidget(self.editor)
        self.editor.write_new()

    def _edit(self) -> None:
        subject = self._subject
        if subject is not None:
            self._states.setCurrentWidget(self.editor)
            self.editor.edit(subject.entry.name, subject.text, subject.entry.proposal)

    def _close_editor(self) -> None:
        self._states.setCurrentWidget(self._reading if self._subject else self._state)

    def _take_reading(self, reading: ProposalReading) -> None:
        assert self._subject is not None
        self._subject.reading = reading
        self._subject.whole = True
        self._show()

    def _take_skill(self, skill: SkillDetail) -> None:
        assert self._subject is not None
        self._subject.skill = skill
        self._show_if_whole()

    def _take_versions(self, versions: list[SkillVersionRow]) -> None:
        """The newest text that came from a proposal has its proof and its evidence there."""
        assert self._subject is not None
        self._subject.versions = versions
        proposal = next((each.proposal for each in reversed(versions) if each.proposal), None)
        if proposal is None:
            self._subject.whole = True
            self._show_if_whole()
        else:
            self._asker.ask(ReadProposal(proposal), self._take_origin, self._without_origin)

    def _take_origin(self, reading: ProposalReading) -> None:
        assert self._subject is not None
        self._subject.reading = reading
        self._subject.whole = True
        self._show_if_whole()

    def _without_origin(self, _problem: Problem) -> None:
        assert self._subject is not None
        self._subject.whole = True
        self._show_if_whole()

    def _show_if_whole(self) -> None:
        subject = self._subject
        if subject is not None and subject.skill is not None and subject.whole:
            self._show()

    def _show(self) -> None:
        subject = self._subject
        assert subject is not None
        self._slow.stop()
        trials = subject.reading.detail.trials if subject.reading else []
        self.tabs.setTabVisible(self.tabs.indexOf(self._effect), not subject.is_proposal or bool(trials))
        self.tabs.setTabVisible(self.tabs.indexOf(self._history), not subject.is_proposal)
        self.head.show_subject(subject)
        self.actions_bar.show_subject(subject)
        self._stale = set(range(len(self._all)))
        self._fill()
        if self._states.currentWidget() is not self.editor:
            self._states.setCurrentWidget(self._reading)

    def _fill(self) -> None:
        """Fill the tab that is seen, if it shows another subject still."""
        at = self.tabs.currentIndex()
        if self._subject is not None and at in self._stale:
            self._stale.discard(at)
            self._all[at].show_subject(self._subject)

    def _failed(self, problem: Problem) -> None:
        entry = self._subject.entry if self._subject else None
        again = button(self.tr("Try again"), lambda: self.show_entry(entry)) if entry else None
        self._slow.stop()
        self._put(Empty("warning", problem.title, problem.words, again))

    def _say_loading(self) -> None:
        self._put(Empty("clock", self.tr("One moment…"), ""))

    def _put(self, state: Empty) -> None:
        """Show a state instead of a skill."""
        before, self._state = self._state, state
        self._states.addWidget(state)
        if self._states.currentWidget() is not self.editor:
            self._states.setCurrentWidget(state)
        self._states.removeWidget(before)  # last: taking out the one that is seen would show another
        before.deleteLater()
