"""How training stands: in a word, in sentences, with what decides; and what the person can do about it."""

from __future__ import annotations

from PySide6.QtCore import Signal as QtSignal
from PySide6.QtWidgets import QGridLayout, QLayout, QProgressBar, QWidget

from metaclaw_tray.admin.api import Schedule, Signal, Training
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.training import words
from metaclaw_tray.desktop.pages.training.section import holding, paragraphs
from metaclaw_tray.desktop.parts import Card, button, clear, column, heading, label, row, set_kind

_FULL = 1000


class StatusCard(Card):
    """`start`, `pause` and `stop` tell what was pressed."""

    start = QtSignal()
    pause = QtSignal()
    stop = QtSignal()

    def __init__(self) -> None:
        super().__init__()
        self._chip = label(kind="chip")
        self._words = label()
        self._begin = label()
        self._start = button(self.tr("Start now"), self.start.emit, "primary")
        self._pause = button(self.tr("Pause"), self.pause.emit, symbol="pause")
        self._stop = button(self.tr("Stop…"), self.stop.emit)
        head = row(heading(self.tr("How it stands")), self._chip, None, self._start, self._pause, self._stop)
        self._job = _Progress()
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(theme.GAP_L)
        self._facts.setVerticalSpacing(4)
        self._facts.setColumnStretch(1, 1)
        self._signals = QGridLayout()
        self._signals.setHorizontalSpacing(theme.GAP_L)
        self._signals.setVerticalSpacing(theme.GAP_S)
        self._signals.setColumnStretch(1, 1)
        self._fold = button(self.tr("What decides"), self._unfold, "link")
        self._signal_box = holding(self._signals)
        self._signal_box.hide()
        for each in (head, self._words, self._begin, self._job, self._facts, row(self._fold, None)):
            if isinstance(each, QLayout):
                self.body.addLayout(each)
            else:
                self.body.addWidget(each)
        self.body.addWidget(self._signal_box)

    def show_training(self, training: Training, schedule: Schedule | None) -> None:
        """Say how it stands."""
        said, kind = words.state(training)
        self._chip.setText(said)
        set_kind(self._chip, kind)
        self._words.setText(paragraphs(words.status(training, schedule)))
        self._begin.setText(paragraphs(f"{place}. {each}" for place, each in enumerate(training.begin, 1)))
        self._begin.setVisible(bool(training.begin))
        there = training.state != "none"
        self._start.setVisible(training.state in ("waiting", "paused"))
        self._start.setText(self.tr("Go on") if training.state == "paused" else self.tr("Start now"))
        self._pause.setVisible(training.state in ("running", "waiting"))
        self._stop.setVisible(there and training.job is not None)
        self._stop.setEnabled(training.state != "stopping")
        self._job.show_training(training)
        clear(self._facts)
        for place, (name, fact) in enumerate(words.facts(training) if there else ()):
            self._facts.addWidget(label(name, "muted", wrap=False), place, 0)
            self._facts.addWidget(label(fact), place, 1)
        self._show_signals(schedule.signals if schedule is not None and there else [])

    def _show_signals(self, signals: list[Signal]) -> None:
        self._fold.setVisible(bool(signals))
        if not signals:
            self._signal_box.hide()
        clear(self._signals)
        for place, each in enumerate(signals):
            said, kind = words.signal_state(each)
            self._signals.addWidget(label(words.signal_name(each), wrap=False), place, 0)
            self._signals.addWidget(label(each.says, "muted"), place, 1)
            self._signals.addWidget(label(said, kind), place, 2)

    def _unfold(self) -> None:
        self._signal_box.setVisible(self._signal_box.isHidden())
        self._fold.setText(
            self.tr("What decides") if self._signal_box.isHidden() else self.tr("Hide what decides")
        )


class _Progress(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._words = label(kind="muted", size=theme.SMALL)
        self._bar = QProgressBar()
        self._bar.setRange(0, _FULL)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("How far the job is"))
        self.setLayout(column(self._bar, self._words, gap=4))

    def show_training(self, training: Training) -> None:
        job = training.job
        self.setVisible(job is not None)
        if job is not None:
            self._words.setText(words.progress(job))
            self._bar.setValue(round(_FULL * job.step / max(1, job.steps)))
            self._bar.setAccessibleDescription(words.progress(job))
