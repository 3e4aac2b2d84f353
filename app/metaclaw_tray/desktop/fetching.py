"""The model that the app runs itself: what it is, fetching it with a bar that moves, using it."""

from __future__ import annotations

import re

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QProgressBar

from metaclaw_tray.admin.api import FetchModel, ModelRow, Said
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import NOT_DONE, Bridge, Problem
from metaclaw_tray.desktop.narrow import path_label
from metaclaw_tray.desktop.parts import Card, button, heading, label, row

_SHARE = re.compile(r"^(\d{1,3}) %: (.*)$")


class ModelCard(Card):
    """`use` names a model that is here and is to be used; `fetched` tells that one arrived."""

    use = Signal(str)
    fetched = Signal(str)

    def __init__(self, bridge: Bridge, model: ModelRow, *, used: bool) -> None:
        super().__init__(gap=theme.GAP_S)
        self._bridge, self._model = bridge, model
        self._number = 0
        size = QLocale().formattedDataSize(model.bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
        about = self.tr("{publisher} · {size} · licence {licence}").format(
            publisher=model.publisher, size=size, licence=model.licence
        )
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("How far the download is"))
        self._said = label(kind="muted", size=theme.SMALL)
        self._fetch = button(self.tr("Download and use"), self.fetch)
        self._use = button(self.tr("Use it"), lambda: self.use.emit(model.id))
        self._stop = button(self.tr("Stop"), self.stop)
        name = heading(model.name)
        chip = label(self.tr("In use"), "chip-accent")
        chip.setVisible(used)
        head = row(name, chip)
        head.setStretch(0, 1)
        self.body.addLayout(head)
        self.body.addWidget(label(about, "muted"))
        promise = self.tr(
            "It runs on this machine: no key, no cost, nothing leaves. Small, so best for a try."
        )
        self.body.addWidget(label(promise, "muted"))
        if not model.present:
            self.body.addWidget(path_label("\n".join(model.plan[1:]), size=theme.SMALL))
        if model.why_not:
            self.body.addWidget(label(model.why_not, "warn"))
        self.body.addWidget(self._bar)
        self.body.addWidget(self._said)
        self.body.addLayout(row(self._fetch, self._use, self._stop, None))
        able = not model.why_not and not used
        self._fetch.setVisible(able and not model.present)
        self._use.setVisible(able and model.present)
        self._at_work(on=False)

    def fetch(self) -> None:
        """Download what is missing; all of what that means stands on the card."""
        self._at_work(on=True)
        self._bar.setRange(0, 100)
        self._bar.setValue(0)
        self._said.setText(self.tr("Beginning…"))
        self._said.show()
        self._number = self._bridge.ask(
            FetchModel(self._model.id),
            self._arrived,
            self._failed,
            owner=self,
            told=self._told,
            seen="\n".join(self._model.plan),
        )

    def stop(self) -> None:
        """End the download; what came stays."""
        self._bridge.drop(self._number)
        self._at_work(on=False)
        self._said.setText(
            self.tr("Stopped. What has arrived is kept, and the rest is fetched the next time.")
        )

    def _told(self, text: str) -> None:
        found = _SHARE.match(text)
        if found:
            self._bar.setRange(0, 100)
            self._bar.setValue(int(found[1]))
            self._said.setText(f"{found[1]} % · {found[2]}")
        else:
            self._said.setText(text)

    def _arrived(self, _said: Said) -> None:
        self._at_work(on=False)
        self._fetch.hide()
        self._said.hide()
        self.fetched.emit(self._model.id)
        self.use.emit(self._model.id)

    def _failed(self, problem: Problem) -> None:
        self._at_work(on=False)
        self._said.setVisible(problem.title != NOT_DONE)
        self._said.setText(problem.words)

    def _at_work(self, *, on: bool) -> None:
        self._bar.setVisible(on)
        self._stop.setVisible(on)
        self._fetch.setEnabled(not on)
        if not on and not self._said.text():
            self._said.hide()
