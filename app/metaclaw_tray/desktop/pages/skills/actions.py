"""What can be done with the skill or the proposal that is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QMenu, QPushButton, QWidget

from metaclaw_tray.admin.api import (
    ApproveProposal,
    CondenseSkill,
    DisableSkill,
    EnableSkill,
    MeasureSkill,
    ProposalReading,
    RejectProposal,
    RetireSkill,
    SkillMeasured,
    SkillRow,
    SnoozeProposal,
    TrustSkill,
    TryProposal,
    WriteSkills,
    trial_terms,
)
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.icons import icon
from metaclaw_tray.desktop.pages.skills.acting import Acting
from metaclaw_tray.desktop.pages.skills.asking import RejectSheet, ScopeSheet, TrialSheet
from metaclaw_tray.desktop.pages.skills.entries import Section
from metaclaw_tray.desktop.pages.skills.subject import Subject
from metaclaw_tray.desktop.parts import button, clear, row

_DAY = 86_400.0


class Actions(QWidget):
    """The buttons under the detail. `edit` asks for the editor."""

    edit = Signal()

    def __init__(self, acting: Acting) -> None:
        super().__init__()
        self._acting = acting
        self._subject: Subject | None = None
        self._approve: QPushButton | None = None
        self._busy = False
        self._line: QHBoxLayout = row(gap=theme.GAP_S)
        self.setLayout(self._line)
        acting.busy.connect(self._set_busy)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.setAutoRepeat(False)  # or a key held down would approve all that waits
            shortcut.activated.connect(self._approve_by_key)

    def show_subject(self, subject: Subject) -> None:
        """Offer what fits it."""
        self._subject = subject
        self._approve = None
        self.setEnabled(not self._busy)
        clear(self._line)
        if subject.is_proposal:
            if subject.reading is not None:
                self._offer_decision(subject)
        elif subject.skill is not None:
            self._offer_for_skill(subject.skill.skill)

    def _set_busy(self, busy: bool) -> None:
        self._busy = busy
        self.setEnabled(not busy)

    def _offer_decision(self, subject: Subject) -> None:
        refused = subject.entry.section is Section.REFUSED
        retires = subject.entry.state == "retire"
        if refused:
            self._line.addWidget(button(self.tr("Use it in your own words…"), self.edit.emit))
            self._line.addStretch(1)
            return
        self._approve = button(self._approving(subject.entry.state), self.approve, "primary", once=True)
        self._approve.setToolTip(self.tr("Ctrl+Enter. It can be undone."))
        self._line.addWidget(self._approve)
        if not retires:
            self._line.addWidget(button(self.tr("Edit"), self.edit.emit))
            if not any(each.state == "running" for each in self._reading(subject).detail.trials):
                self._line.addWidget(button(self.tr("Try it first…"), self._try))
        self._line.addStretch(1)
        self._line.addWidget(self._snoozing())
        self._line.addWidget(button(self.tr("Reject…"), self._reject, "danger"))

    def _approving(self, op: str) -> str:
        return self.tr("Approve and retire it") if op == "retire" else self.tr("Approve")

    def _snoozing(self) -> QPushButton:
        menu = QMenu(self)
        for words, days in (
            (self.tr("Until tomorrow"), 1),
            (self.tr("For three days"), 3),
            (self.tr("For a week"), 7),
            (self.tr("For a month"), 30),
        ):
            menu.addAction(words).triggered.connect(lambda _checked=False, days=days: self._snooze(days))
        made = button(self.tr("Later") + " ▾", lambda: None)
        made.setMenu(menu)
        return made

    def _offer_for_skill(self, skill: SkillRow) -> None:
        if skill.state in ("active", "trial"):
            self._line.addWidget(button(self.tr("Switch off"), self._disable))
        else:
            self._line.addWidget(button(self.tr("Switch on"), self._enable, "primary"))
        self._line.addWidget(button(self.tr("Edit"), self.edit.emit))
        self._line.addStretch(1)
        more = button(self.tr("More") + " ▾", lambda: None)
        more.setMenu(self._more(skill))
        self._line.addWidget(more)

    def _more(self, skill: SkillRow) -> QMenu:
        menu = QMenu(self)
        trusted = skill.trust == "trusted"
        trust = menu.addAction(
            self.tr("Trust it no longer") if trusted else self.tr("Trust it as your own words")
        )
        trust.triggered.connect(lambda: self._trust(not trusted))
        menu.addAction(self.tr("Only for some agents…")).triggered.connect(self._scope)
        menu.addSeparator()
        menu.addAction(self.tr("Put shortly")).triggered.connect(self._condense)
        menu.addAction(self.tr("Measure again")).triggered.connect(self._measure)
        export = menu.addAction(icon("export"), self.tr("Export to a folder…"))
        export.triggered.connect(self._export)
        menu.addSeparator()
        if skill.state != "retired":
            menu.addAction(icon("trash"), self.tr("Retire")).triggered.connect(self._retire)
        return menu

    def approve(self) -> None:
        """Approve what is shown: its whole text stands in the detail, so that is what the yes is for."""
        subject = self._now()
        title = subject.entry.title
        words = self.tr("“{name}” is approved.").format(name=title)
        if subject.entry.state == "retire":
            words = self.tr("“{name}” is retired.").format(name=title)
        verb = ApproveProposal(id=subject.entry.proposal)
        self._acting.do(verb, words, seen=self._reading(subject).full)

    def _approve_by_key(self) -> None:
        """Approve; what is not only the person's words takes a second key, on the button."""
        if self._approve is None or not self._approve.isVisible() or not self.isEnabled():
            return
        if self._now().entry.tainted and not self._approve.hasFocus():
            self._approve.setFocus()
        else:
            self.approve()

    def _reject(self) -> None:
        sheet = RejectSheet(self, self._now().entry.title)
        sheet.said.connect(self._rejected)
        sheet.open()

    def _rejected(self, reason: str) -> None:
        subject = self._now()
        verb = RejectProposal(id=subject.entry.proposal, reason=reason)
        words = self.tr("“{name}” is rejected and will not be offered again.")
        self._acting.do(verb, words.format(name=subject.entry.title), seen=self._reading(subject).full)

    def _snooze(self, days: int) -> None:
        subject = self._now()
        words = self.tr("“{name}” comes back in %n day(s).", "", days).format(name=subject.entry.title)
        self._acting.do(SnoozeProposal(id=subject.entry.proposal, seconds=days * _DAY), words)

    def _try(self) -> None:
        sheet = TrialSheet(self, self._now().entry.title)
        sheet.said.connect(self._tried)
        sheet.open()

    def _tried(self, sessions: int) -> None:
        subject = self._now()
        words = self.tr("“{name}” is on trial for %n conversation(s).", "", sessions)
        self._acting.do(
            TryProposal(id=subject.entry.proposal, sessions=sessions),
            words.format(name=subject.entry.title),
            seen=f"{trial_terms(sessions)}\n\n{self._reading(subject).full}",
        )

    def _enable(self) -> None:
        name, title, seen = self._skill()
        self._acting.do(EnableSkill(name=name), self.tr("“{name}” is on.").format(name=title), seen=seen)

    def _disable(self) -> None:
        name, title, seen = self._skill()
        self._acting.do(DisableSkill(name=name), self.tr("“{name}” is off.").format(name=title), seen=seen)

    def _retire(self) -> None:
        name, title, seen = self._skill()
        self._acting.do(RetireSkill(name=name), self.tr("“{name}” is retired.").format(name=title), seen=seen)

    def _trust(self, trusted: bool) -> None:
        name, title, seen = self._skill()
        words = self.tr("“{name}” is trusted.") if trusted else self.tr("“{name}” is trusted no longer.")
        self._acting.do(TrustSkill(name=name, trusted=trusted), words.format(name=title), seen=seen)

    def _scope(self) -> None:
        skill = self._now().skill
        assert skill is not None
        ScopeSheet(self, self._acting, skill.skill).open()

    def _condense(self) -> None:
        name, _, _ = self._skill()
        words = self.tr("A short form waits for you.")
        self._acting.do(CondenseSkill(name=name), words)

    def _measure(self) -> None:
        name, title, _ = self._skill()
        self._acting.told.emit(self.tr("“{name}” is being measured…").format(name=title), "")

        def done(found: SkillMeasured) -> None:
            said = self.tr("“{name}” was measured again: {words}.")
            self._acting.told.emit(said.format(name=title, words=found.reason), "")

        self._acting.bridge.ask(MeasureSkill(name=name), done, owner=self)

    def _export(self) -> None:
        name, _, _ = self._skill()
        chooser = QFileDialog(self, self.tr("Export to which folder?"))
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.fileSelected.connect(
            lambda folder: self._acting.do(WriteSkills(folder=folder, names=[name]), "")
        )
        chooser.open()

    def _skill(self) -> tuple[str, str, str]:
        """The name, the name as words, and the text that the app shows before a decision on it."""
        subject = self._now()
        return subject.entry.name, subject.entry.title, subject.text

    def _now(self) -> Subject:
        assert self._subject is not None, "a button was pressed before there was anything to press it for"
        return self._subject

    @staticmethod
    def _reading(subject: Subject) -> ProposalReading:
        assert subject.reading is not None
        return subject.reading
