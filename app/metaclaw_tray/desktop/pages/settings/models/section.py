"""All providers, the model of the app's own, and which of them learning asks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import (
    ListModels,
    ListUpstreams,
    ModelRow,
    RemoveSecret,
    RemoveUpstream,
    SetConfig,
    TestUpstream,
    UpstreamRow,
    UpstreamTest,
    UseUpstream,
)
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge, Problem
from metaclaw_tray.desktop.fetching import ModelCard
from metaclaw_tray.desktop.pages.settings.models.card import UpstreamCard
from metaclaw_tray.desktop.pages.settings.models.dialog import UpstreamDialog
from metaclaw_tray.desktop.parts import button, clear, column, heading, label, row
from metaclaw_tray.desktop.sure import be_sure

_EMBEDDED = "embedded"


class ModelsSection(QWidget):
    """Asks for what it shows whenever `refresh` is called."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self._upstreams: list[UpstreamRow] = []
        self._cards: dict[str, UpstreamCard] = {}
        self._models: tuple[list[ModelRow], str] = ([], "")
        self._providers = column(gap=theme.GAP)
        self._own = column(gap=theme.GAP)
        self._own_title = heading(self.tr("A model on this machine"))
        add = button(self.tr("Add a provider"), self.add, symbol="plus")
        self.setLayout(
            column(
                row(heading(self.tr("Providers")), None, add),
                self._providers,
                self._own_title,
                self._own,
                gap=theme.GAP,
            )
        )

    def refresh(self) -> None:
        """Ask anew."""
        self._bridge.ask(ListUpstreams(), self._took, self._told, owner=self)
        self._bridge.ask(ListModels(), self._took_models, self._told, owner=self)

    def add(self) -> None:
        """A provider that is not there yet."""
        self._open(None)

    def _took(self, rows: list[UpstreamRow]) -> None:
        if rows == self._upstreams and self._cards:
            return  # a result of a test that stands there stays
        self._upstreams = rows
        clear(self._providers)
        self._cards = {}
        for each in rows:
            card = UpstreamCard(each, alone=len(rows) == 1)
            card.use.connect(self._use)
            card.test.connect(self._test)
            card.change.connect(self._change)
            card.remove.connect(self._remove)
            self._cards[each.name] = card
            self._providers.addWidget(card)
        if not rows:
            none = self.tr("None yet. Agents cannot be served before there is one.")
            self._providers.addWidget(label(none, "muted"))

    def _took_models(self, rows: list[ModelRow]) -> None:
        used = next((each.model for each in self._upstreams if not each.base_url), "")
        if (rows, used) == self._models:
            return  # one of them may be on its way
        self._models = (rows, used)
        clear(self._own)
        self._own_title.setVisible(bool(rows))
        for each in rows:
            card = ModelCard(self._bridge, each, used=each.id == used)
            card.use.connect(self._use_own)
            self._own.addWidget(card)

    def _use_own(self, model: str) -> None:
        def use(_said: object) -> None:
            if not any(each.base_url for each in self._upstreams):
                self._use(_EMBEDDED)

        self._bridge.ask(SetConfig(key="embedded.model", value=model), use, self._told, owner=self)

    def _use(self, name: str) -> None:
        self._bridge.ask(UseUpstream(name), lambda _said: self.refresh(), self._told, owner=self)

    def _test(self, name: str) -> None:
        self._cards[name].testing()

        def tested(found: UpstreamTest) -> None:
            if name in self._cards:
                self._cards[name].tested(found)

        def failed(problem: Problem) -> None:
            if name in self._cards:
                self._cards[name].wrong(problem.words)

        self._bridge.ask(TestUpstream(name), tested, failed, owner=self)

    def _change(self, name: str) -> None:
        self._open(next(each for each in self._upstreams if each.name == name))

    def _open(self, upstream: UpstreamRow | None) -> None:
        others = [each.name for each in self._upstreams if upstream is None or each.name != upstream.name]
        dialog = UpstreamDialog(self, self._bridge, upstream, others)
        dialog.saved.connect(lambda _added: self.refresh())
        dialog.forget_key.connect(self._forget_key)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _forget_key(self, name: str) -> None:
        self._bridge.ask(
            RemoveSecret(f"upstream:{name}"), lambda _said: self.refresh(), self._told, owner=self
        )

    def _remove(self, name: str) -> None:
        if name == _EMBEDDED:
            self._stop_own()
            return

        def remove() -> None:
            self._bridge.ask(RemoveUpstream(name), lambda _said: self.refresh(), self._told, owner=self)

        text = self.tr("Its address and its key are forgotten here. Nothing changes at the provider.")
        be_sure(self, self.tr("Remove {name}?").format(name=name), text, self.tr("Remove"), remove)

    def _stop_own(self) -> None:
        """Serve no model of our own any more; what names it lets go of it first."""
        own = next(each for each in self._upstreams if each.name == _EMBEDDED)
        keys = [
            *(["default_upstream"] if own.default else []),
            *(["learning.upstream"] if own.learning else []),
            "embedded.model",
        ]

        def next_one(_said: object = None) -> None:
            if not keys:
                self.refresh()
                return
            verb = SetConfig(key=keys.pop(0), value="")
            self._bridge.ask(verb, next_one, self._told, owner=self)

        next_one()

    def _told(self, problem: Problem) -> None:
        self._bridge.problem.emit(problem)
