"""What an exchange was worth, in plain words: the judge's verdict, what else says so, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import EvidenceRow, ExchangeDetail, StepRow, TaughtSkill
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.named import titled
from metaclaw_tray.desktop.pages.conversations import words
from metaclaw_tray.desktop.pages.skills.pieces import Fold
from metaclaw_tray.desktop.parts import Card, button, column, label, row


class Worth(Card):
    """`go` names a page and a skill on it."""

    go = Signal(str)

    def __init__(self, detail: ExchangeDetail) -> None:
        judged = [step for step in detail.steps if step.verdict is not None]
        bad = any(step.verdict is not None and step.verdict.score == -1 for step in judged)
        super().__init__(kind="trouble" if bad else "inset", gap=theme.GAP_S)
        for each in self._verdicts(judged):
            self.body.addWidget(each)
        if not judged:
            self.body.addWidget(label(self._why_unscored(detail)))
        for taught in detail.taught:
            self.body.addWidget(self._taught(taught))
        others = [piece for piece in detail.evidence if piece.kind != "verdict"]
        if others or detail.in_set:
            self.body.addWidget(Fold(self.tr("What else is known"), None, lambda: self._more(detail, others)))

    def _verdicts(self, judged: list[StepRow]) -> Iterator[QWidget]:
        for step in judged:
            verdict = step.verdict
            if verdict is None:
                continue
            kind = {1: "good", -1: "bad"}.get(verdict.score or 0, "")
            yield label(words.judged(verdict), kind, bold=True)
            if verdict.reason and not (verdict.by == "person" and verdict.reason.startswith("thumb ")):
                yield label(verdict.reason[:1].upper() + verdict.reason[1:])

    def _why_unscored(self, detail: ExchangeDetail) -> str:
        if detail.row.outcome in ("failed", "cut", "lost"):
            return self.tr("It did not come to an answer that could be judged.")
        if detail.said_next:
            return self.tr("You went on after it; it waits to be judged by that.")
        return self.tr(
            "Not judged: an answer is judged by what you say next, and you said nothing to it yet."
        )

    def _taught(self, taught: TaughtSkill) -> QWidget:
        made = QWidget()
        said = {
            "pending": self.tr("A skill was written from this exchange and waits for you:"),
            "approved": self.tr("This exchange taught a skill:"),
        }.get(taught.state, self.tr("A skill was written from this exchange and not taken up:"))
        place = taught.name if taught.state == "approved" else taught.proposal
        link = button(titled(taught.name), lambda: self.go.emit(f"skills/{place}"), "link", symbol="skills")
        made.setLayout(column(label(said), row(link, None), gap=0))
        return made

    def _more(self, detail: ExchangeDetail, others: list[EvidenceRow]) -> QWidget:
        made = QWidget()
        inner = column(gap=4)
        inner.setContentsMargins(theme.GAP, 0, 0, 0)
        for piece in others:
            said = words.evidence(piece.kind)
            inner.addWidget(label(f"{said}: {piece.text[:600]}" if piece.text else said))
        if detail.in_set:
            inner.addWidget(label(words.in_set(detail.in_set), bold=True))
            inner.addWidget(label(detail.why_in_set, "muted", size=theme.SMALL))
        made.setLayout(inner)
        return made
