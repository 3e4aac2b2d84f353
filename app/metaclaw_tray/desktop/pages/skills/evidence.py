"""The tab *Evidence*: the exchanges that taught it, in their order, with the answer at fault marked."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import Lesson, Piece, ProposalReading
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.skills import words
from metaclaw_tray.desktop.pages.skills.pieces import Leaf, Quote
from metaclaw_tray.desktop.pages.skills.subject import Subject
from metaclaw_tray.desktop.parts import Card, Empty, button, column, heading, label, row

_STEPS = 4  # answers of one exchange that are shown: the last ones, and the one at fault


class EvidenceTab(Leaf):
    """Whose words it is made of comes first. `go` names a page and an exchange on it."""

    go = Signal(str)

    def show_subject(self, subject: Subject) -> None:
        reading = subject.reading
        if reading is None:
            said = {
                "builtin": self.tr("It came with the app, so no request of yours taught it."),
                "imported": self.tr("You brought it in from elsewhere: {where}"),
            }.get(subject.entry.source, self.tr("You wrote it yourself, so no request taught it."))
            where = subject.skill.skill.origin if subject.skill else ""
            self.put(Empty("conversations", self.tr("Nothing taught it"), said.format(where=where)))
            return
        things: list[QWidget] = [self._source(reading)]
        if not reading.lessons:
            things.append(label(self.tr("No exchange is behind it."), "muted"))
        for number, each in enumerate(reading.lessons, 1):
            things.append(self._lesson(number, each))
        self.put(*things)

    def _source(self, reading: ProposalReading) -> QWidget:
        tainted = bool(reading.detail.proposal.taint) or reading.detail.proposal.op == "outside"
        if not tainted:
            return Card(label(reading.detail.source), kind="note")
        said = self.tr("Read it as you would a stranger's advice: what it says may not be what you want.")
        return Card(label(reading.detail.source, bold=True), label(said), kind="warning", gap=4)

    def _lesson(self, number: int, lesson: Lesson) -> QWidget:
        title = self.tr("Exchange {number}").format(number=number)
        about = ", ".join(part for part in (lesson.agent, words.when(lesson.at)) if part)
        card = Card(row(heading(title), None, label(about, "muted", wrap=False)), gap=theme.GAP_S)
        if not lesson.asked and not lesson.steps:
            card.body.addWidget(
                label(self.tr("It was forgotten, as you asked; nothing of it is kept."), "muted")
            )
            return card
        card.body.addWidget(Quote(self.tr("You asked"), lesson.asked, "person"))
        left_out = 0
        for place, step in enumerate(lesson.steps):
            if not step.at_fault and place < len(lesson.steps) - _STEPS:
                left_out += 1
                continue
            if step.at_fault:
                made = Quote(self.tr("The agent answered"), step.said, "bad", mark=self.tr("this went wrong"))
            else:
                made = Quote(self.tr("The agent answered"), step.said)
            card.body.addWidget(made)
            for result in step.results:
                card.body.addWidget(Quote(self.tr("A tool gave back"), result))
        if left_out:
            said = self.tr("%n earlier answer(s) of the agent are left out here.", "", left_out)
            card.body.insertWidget(2, label(said, "muted", size=theme.SMALL))
        if lesson.said:
            card.body.addWidget(Quote(self.tr("You said to that"), lesson.said, "person"))
        pieces = [piece for piece in lesson.pieces if piece.text != lesson.said or piece.whose != "person"]
        if pieces:
            card.body.addWidget(self._pieces(pieces))
        whole = partial(self.go.emit, f"conversations/{lesson.exchange}")
        card.body.addLayout(row(button(self.tr("Read all of it"), whole, "link"), None))
        return card

    def _pieces(self, pieces: list[Piece]) -> QWidget:
        made = QWidget()
        inner = column(label(self.tr("What was made of it"), "muted", size=theme.SMALL), gap=4)
        for piece in pieces:
            foreign = piece.whose in ("tool", "web")
            said = f"{words.piece(piece.kind)} ({words.whose(piece.whose)})"
            text = f"{said}: {piece.text[:400]}" if piece.text else said
            inner.addWidget(label(text, "warn" if foreign else ""))
        made.setLayout(inner)
        return made
