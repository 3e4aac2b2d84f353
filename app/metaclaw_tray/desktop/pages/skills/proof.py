"""The tab *Proof*: what was measured, in plain words; one real pair, then every one."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QWidget

from metaclaw_tray.admin.api import GateFigures, ProposalReading, Rate, Replay
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.skills import words
from metaclaw_tray.desktop.pages.skills.pieces import Fold, Leaf, Quote, ShareBar
from metaclaw_tray.desktop.pages.skills.subject import Subject
from metaclaw_tray.desktop.parts import Card, Empty, column, heading, label, row

_CHIPS = {"better": "chip-good", "promising": "chip-accent", "worse": "chip-bad"}
_MARKS = {"win": "chip-good", "loss": "chip-bad"}


class ProofTab(Leaf):
    """What speaks for it, and how surely."""

    def show_subject(self, subject: Subject) -> None:
        reading = subject.reading
        gate = reading.detail.proposal.gate if reading else None
        measured = subject.skill.measured if subject.skill else ""
        if reading is None or gate is None:
            self.put(self._unmeasured(subject, measured))
            return
        things: list[QWidget] = [self._figures(gate, reading.better)]
        if measured:
            things.append(Card(label(self.tr("Measured again later: {words}").format(words=measured))))
        things += self._pairs(reading)
        self.put(*things)

    def _unmeasured(self, subject: Subject, measured: str) -> QWidget:
        if measured:
            return Card(heading(self.tr("Measured since it is in use")), label(measured))
        if subject.entry.source == "builtin":
            said = self.tr("It came with the app, and was not measured on your requests.")
        elif subject.entry.source in ("person", "imported"):
            said = self.tr("You brought it in yourself, so nobody asked for proof.")
        else:
            said = self.tr("There were no requests to measure it on.")
        return Empty("shield", self.tr("Not measured"), said)

    def _figures(self, gate: GateFigures, better: Rate | None) -> QWidget:
        figures = gate.figures
        losses, ties = (int(figures.get(name, 0)) for name in ("losses", "ties"))
        chip = label(self._verdict(gate.outcome), _CHIPS.get(gate.outcome, "chip"))
        card = Card(row(chip, None))
        if better is not None:
            said = self.tr("Better on {wins} of {judged} requests it was not taught on").format(
                wins=better.count, judged=better.of
            )
            card.body.addWidget(label(said, size=theme.HEADING, bold=True))
            card.body.addWidget(label(self._others(losses, ties, figures), "muted"))
            share = better.count / better.of
            card.body.addWidget(ShareBar(share, better.low, better.high, said, "good"))
        else:
            card.body.addWidget(label(gate.reason))
        for line in (self._how_sure(figures), self._harm(figures), self._how(gate)):
            if line:
                card.body.addWidget(label(line, "muted"))
        return card

    def _verdict(self, outcome: str) -> str:
        return {
            "better": self.tr("Measured better"),
            "promising": self.tr("Promising, but not sure yet"),
            "same": self.tr("No difference seen"),
            "worse": self.tr("Measured worse"),
        }.get(outcome, self.tr("Measured"))

    def _others(self, losses: int, ties: int, figures: dict[str, Any]) -> str:
        parts = [
            self.tr("worse on %n", "", losses) if losses else self.tr("worse on none"),
            self.tr("no difference on %n", "", ties) if ties else "",
        ]
        invented = int(figures.get("synthetic", 0))
        if invented:
            parts.append(self.tr("%n of all these were invented, the others were your own", "", invented))
        line = ", ".join(part for part in parts if part)
        return f"{line[:1].upper()}{line[1:]}."

    def _how_sure(self, figures: dict[str, Any]) -> str:
        found = figures.get("interval")
        if not found:
            return ""
        low, high = (round(100 * each) for each in found)
        if low > 0:
            said = self.tr(
                "How sure: of 100 such requests, {low} to {high} more would go better than worse with it."
            )
        else:
            said = self.tr(
                "How sure: too few to tell. Of 100 such requests, it may be {low} to {high} more that go "
                "better than worse; below 0 means worse."
            )
        return said.format(low=low, high=high)

    def _harm(self, figures: dict[str, Any]) -> str:
        near = figures.get("harm") or {}
        asked, lost = int(near.get("requests", 0)), int(near.get("losses", 0))
        if not asked:
            return self.tr("Harm: there was nothing yet that it could have spoilt.")
        if lost:
            return self.tr("Harm: {lost} of {asked} requests that went well before came out worse.").format(
                lost=lost, asked=asked
            )
        return self.tr("Harm: none on %n request(s) that went well before.", "", asked)

    def _how(self, gate: GateFigures) -> str:
        if not gate.model:
            return ""
        said = self.tr("Each request was answered with it and without it by {model}, and compared blindly.")
        return said.format(model=gate.model)

    def _pairs(self, reading: ProposalReading) -> list[QWidget]:
        replays = reading.replays
        if not replays:
            return []
        place = reading.shown if reading.shown is not None and reading.shown < len(replays) else 0
        things: list[QWidget] = [heading(self.tr("Before and after")), Pair(replays[place])]
        others = [each for at, each in enumerate(replays) if at != place]
        if others:
            things.append(heading(self.tr("All %n others", "", len(others))))
            things.append(_Folds(others))
        return things


class Pair(QWidget):
    """One request, and the answers to it without the skill and with it: side by side where there is room."""

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        good, bad = ("good", "bad") if replay.mark == "win" else ("plain", "plain")
        self._both = row(
            Quote(self.tr("Without it"), replay.without or self.tr("(no answer)"), bad),
            Quote(self.tr("With it"), replay.with_skill or self.tr("(no answer)"), good),
            gap=theme.GAP_S,
        )
        body = column(
            row(label(words.origin(replay.origin), "muted", size=theme.SMALL), mark_of(replay)),
            Quote(self.tr("You asked"), replay.request, "person"),
            self._both,
            gap=theme.GAP_S,
        )
        if replay.remark:
            body.addWidget(Quote(self.tr("Compared by what you had said"), replay.remark))
        self.setLayout(body)

    def resizeEvent(self, event: Any) -> None:  # noqa: N802 Qt's own name
        super().resizeEvent(event)
        beside = self.width() > 480
        self._both.setDirection(
            QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        )


class _Folds(QFrame):
    def __init__(self, replays: list[Replay]) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        inner = column(gap=4, margin=8)
        for each in replays:
            inner.addWidget(Fold(each.request, mark_of(each), partial(Pair, each)))
        self.setLayout(inner)


def mark_of(replay: Replay) -> QLabel:
    """What comparing the two answers said, as a chip."""
    made = label(words.mark(replay.mark), _MARKS.get(replay.mark, "chip"), size=theme.SMALL)
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return made
