"""The tab *Effect*: how exchanges went with it and, in trials, without it."""

from __future__ import annotations

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QProgressBar, QWidget

from metaclaw_tray.admin.api import ArmRow, Effect, Mean, Rate, ShowEffect, TrialEffect, TrialRow
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.skills import words
from metaclaw_tray.desktop.pages.skills.pieces import Leaf, ShareBar
from metaclaw_tray.desktop.pages.skills.subject import Asker, Subject
from metaclaw_tray.desktop.parts import Card, Empty, column, heading, label, row

_FEW = 5  # judged exchanges below which a share says next to nothing


class EffectTab(Leaf):
    """What became of the exchanges that carried it."""

    def __init__(self, asker: Asker) -> None:
        super().__init__()
        self._asker = asker

    def show_subject(self, subject: Subject) -> None:
        self.put()
        if subject.is_proposal:
            trials = subject.reading.detail.trials if subject.reading else []
            self.put(*(self._trial_card(each) for each in trials))
        else:
            self._asker.ask(ShowEffect(subject.entry.name), self._show)

    def _show(self, effect: Effect) -> None:
        if not effect.injected.exchanges and not effect.trials:
            said = self.tr("It has not been put in front of a request yet. That happens when one fits it.")
            self.put(Empty("clock", self.tr("Not used yet"), said))
            return
        said = self.tr("It fitted %n conversation(s) so far.", "", effect.eligible)
        things: list[QWidget] = [label(said, "muted"), self._arm(self.tr("With it"), effect.injected)]
        things += [self._trial(each) for each in effect.trials]
        self.put(*things)

    def _arm(self, title: str, arm: ArmRow) -> Card:
        card = Card(row(heading(title), None, label(self._count(arm), "muted", wrap=False)))
        if not arm.good.of:
            card.body.addWidget(label(self.tr("None of them was judged yet."), "muted"))
        else:
            for rate, colour, said in (
                (arm.good, "good", self.tr("{count} of {of} went well")),
                (arm.bad, "bad", self.tr("{count} of {of} went badly")),
            ):
                self._rate(card, rate, colour, said)
        for mean, said in (
            (arm.tokens, self.tr("about {mean} tokens each (likely {low} to {high})")),
            (arm.seconds, self.tr("about {mean} seconds to answer (likely {low} to {high})")),
        ):
            if mean is not None:
                card.body.addWidget(label(_mean(mean, said), "muted", size=theme.SMALL))
        return card

    def _rate(self, card: Card, rate: Rate, colour: str, said: str) -> None:
        line = said.format(count=rate.count, of=rate.of)
        if rate.of < _FEW:
            sure = self.tr("too few to tell yet")
        else:
            sure = self.tr("in the long run likely {low} to {high}").format(
                low=words.share(rate.low), high=words.share(rate.high)
            )
        card.body.addLayout(column(label(line, bold=True), label(sure, "muted", size=theme.SMALL), gap=2))
        card.body.addWidget(ShareBar(rate.count / rate.of, rate.low, rate.high, f"{line}, {sure}", colour))

    def _count(self, arm: ArmRow) -> str:
        return self.tr("%n exchange(s)", "", arm.exchanges)

    def _trial(self, tried: TrialEffect) -> Card:
        before = self.tr("version {number}").format(number=tried.against) if tried.against else ""
        card = self._trial_card(tried.trial, before)
        verdict = {
            1: (self.tr("It helps."), "good"),
            -1: (self.tr("It does harm."), "bad"),
        }.get(tried.helps, (self.tr("Too few to tell yet whether it helps."), "muted"))
        card.body.addWidget(label(*verdict))
        for title, arm in (
            (self.tr("With it"), tried.with_skill),
            (
                self.tr("With {version}").format(version=before) if before else self.tr("Without it"),
                tried.without_skill,
            ),
        ):
            card.body.addLayout(
                row(label(title, bold=True, wrap=False), label(self._count(arm), "muted"), None)
            )
            if arm.good.of:
                self._rate(card, arm.good, "accent", self.tr("{count} of {of} went well"))
        return card

    def _trial_card(self, trial: TrialRow, before: str = "") -> Card:
        running = trial.state == "running"
        title = self.tr("On trial now") if running else self.tr("A trial that is over")
        card = Card(row(heading(title), None, label(words.when(trial.started_at), "muted", wrap=False)))
        said = (
            self.tr("{placed} of {wanted} conversations have had their turn; every other one has {before}.")
            if before
            else self.tr(
                "{placed} of {wanted} conversations have had their turn; every other one goes without it."
            )
        )
        card.body.addWidget(label(said.format(placed=trial.placed, wanted=trial.sessions, before=before)))
        bar = QProgressBar()
        bar.setRange(0, max(1, trial.sessions))
        bar.setValue(trial.placed)
        bar.setTextVisible(False)
        bar.setAccessibleName(self.tr("How far the trial is"))
        card.body.addWidget(bar)
        if trial.reason:
            card.body.addWidget(label(trial.reason, "muted"))
        return card


def _mean(mean: Mean, said: str) -> str:
    shown = (QLocale().toString(each, "g", 3) for each in (mean.mean, max(0.0, mean.low), mean.high))
    return said.format(**dict(zip(("mean", "low", "high"), shown, strict=True)))
