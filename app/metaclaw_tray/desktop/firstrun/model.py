"""The first step: a model that answers agents, and one that learning asks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from metaclaw_tray.admin.api import (
    ListModels,
    ListOffers,
    ListUpstreams,
    ModelRow,
    OfferRow,
    SetConfig,
    TakeOffer,
    UpstreamRow,
    UseUpstream,
)
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import Bridge
from metaclaw_tray.desktop.fetching import ModelCard
from metaclaw_tray.desktop.firstrun.step import Step
from metaclaw_tray.desktop.pages.settings.models.dialog import UpstreamDialog
from metaclaw_tray.desktop.parts import Card, button, clear, column, heading, label, row
from metaclaw_tray.desktop.steady import Steady

_EMBEDDED = "embedded"
_NAMED = 3  # models of a server that are named


class ModelStep(Step):
    """What was found here comes first; then the model of the app's own; then any other provider."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._upstreams: list[UpstreamRow] = []
        self._offers: list[OfferRow] = []
        self._models: tuple[list[ModelRow], str] = ([], "")
        self._found, self._own = column(gap=theme.GAP), column(gap=theme.GAP)
        self._other = button(self.tr("Another provider…"), self._add)
        self.learning = _LearningCard(bridge, self)
        self.body.addLayout(self._found)
        self.body.addLayout(row(self._other, None))
        self.body.addWidget(self.learning)
        self.body.addLayout(self._own)

    def title(self) -> str:
        return self.tr("Choose a model")

    def line(self) -> str:
        return self.tr("It answers your agents. Everything they ask is passed on to it unchanged.")

    @property
    def done(self) -> bool:
        return any(each.default for each in self._upstreams)

    def enter(self) -> None:
        self.bridge.ask(ListUpstreams(), self._took, self.failed, owner=self)
        self.bridge.ask(ListOffers(), self._took_offers, self.failed, owner=self)
        self.bridge.ask(ListModels(), self._took_models, self.failed, owner=self)

    def _took(self, rows: list[UpstreamRow]) -> None:
        self._upstreams = rows
        self.fine()
        self._show()
        self.learning.show_upstreams(rows)
        self.changed.emit()

    def _took_offers(self, rows: list[OfferRow]) -> None:
        self._offers = rows
        self._show()

    def _took_models(self, rows: list[ModelRow]) -> None:
        used = next((each.model for each in self._upstreams if not each.base_url), "")
        if (rows, used) == self._models:
            return  # one of them may be on its way
        self._models = (rows, used)
        clear(self._own)
        for each in rows:
            card = ModelCard(self.bridge, each, used=each.id == used)
            card.use.connect(self._use_own)
            self._own.addWidget(card)

    def _show(self) -> None:
        clear(self._found)
        for each in self._upstreams:
            self._found.addWidget(self._has(each))
        for offer in self._offers:
            if not offer.taken and all(offer.base_url != each.base_url for each in self._upstreams):
                self._found.addWidget(self._offer(offer))
        if not self._upstreams and not self._offers:
            none = self.tr(
                "No key was found in this app's environment, and no model server answers on this machine."
            )
            self._found.addWidget(Card(label(none, "muted"), kind="note"))

    def _has(self, upstream: UpstreamRow) -> Card:
        about = upstream.model or self.tr("the model that each agent asks for")
        if upstream.default:
            return Card(
                row(heading(upstream.name), label(self.tr("Chosen"), "chip-good"), None),
                label(about, "muted"),
                gap=2,
            )
        use = button(self.tr("Use this"), lambda: self._use(upstream.name))
        use.setAccessibleDescription(upstream.name)
        return Card(_offered(upstream.name, about, use))

    def _offer(self, offer: OfferRow) -> Card:
        use = button(self.tr("Use this"), lambda: self._take(offer))
        use.setAccessibleDescription(offer.label)
        if offer.key_env:
            about = self.tr("Its key was found in {variable}. It is copied to where keys are kept.").format(
                variable=offer.key_env
            )
        else:
            named = ", ".join(offer.models[:_NAMED]) + ("…" if len(offer.models) > _NAMED else "")
            about = self.tr("It answers on this machine: {models}").format(models=named)
        return Card(_offered(offer.label, about, use))

    def _take(self, offer: OfferRow) -> None:
        model = offer.models[0] if offer.models else ""
        verb = TakeOffer(name=offer.name, model=model, default=not self.done)
        self.bridge.ask(verb, lambda _row: self.enter(), self.failed, owner=self)

    def _use(self, name: str) -> None:
        self.bridge.ask(UseUpstream(name), lambda _said: self.enter(), self.failed, owner=self)

    def _use_own(self, model: str) -> None:
        def use(_said: object) -> None:
            if self.done:
                self.enter()
            else:
                self._use(_EMBEDDED)

        self.bridge.ask(SetConfig(key="embedded.model", value=model), use, self.failed, owner=self)

    def _add(self) -> None:
        dialog = UpstreamDialog(self, self.bridge, None, [each.name for each in self._upstreams])
        dialog.saved.connect(lambda _added: self.enter())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()


class _LearningCard(Card):
    """Which provider and model learning asks; it may be none for now."""

    def __init__(self, bridge: Bridge, step: ModelStep) -> None:
        super().__init__(gap=theme.GAP_S)
        self._bridge, self._step = bridge, step
        self.upstream, self.model = Steady(), QLineEdit()
        self.upstream.setAccessibleName(self.tr("Provider for learning"))
        self.upstream.setMinimumWidth(180)
        self.model.setAccessibleName(self.tr("Model for learning"))
        self.model.setPlaceholderText(self.tr("Name of the model"))
        self._save = button(self.tr("Set"), self.save)
        self._said = label(kind="good")
        self._said.hide()
        self.body.addWidget(heading(self.tr("And one to learn with")))
        about = self.tr(
            "Learning reads what went wrong and writes skills. It may be the same; a strong one writes "
            "better. Without one, nothing is learnt and nothing is spent."
        )
        self.body.addWidget(label(about, "muted"))
        self.body.addLayout(row(self.upstream, self.model, self._save, gap=theme.GAP_S))
        self.body.addWidget(self._said)
        self.hide()

    def show_upstreams(self, rows: list[UpstreamRow]) -> None:
        """Offer these, with the one that learning has."""
        self.upstream.clear()
        self.upstream.addItem(self.tr("None for now"), "")
        for each in rows:
            self.upstream.addItem(each.name, each.name)
        now = next((each for each in rows if each.learning), None)
        self.upstream.setCurrentIndex(max(0, self.upstream.findData(now.name if now else "")))
        chosen = now or next((each for each in rows if each.default), None)
        if not self.model.text() and chosen is not None:
            self.model.setText(chosen.model)
        self.setVisible(bool(rows))

    def save(self) -> None:
        """Let learning ask these."""
        name, model = str(self.upstream.currentData()), self.model.text().strip()

        def then(_said: object) -> None:
            self._bridge.ask(
                SetConfig(key="learning.model", value=model), self._done, self._step.failed, owner=self
            )

        self._bridge.ask(SetConfig(key="learning.upstream", value=name), then, self._step.failed, owner=self)

    def _done(self, _said: object) -> None:
        self._step.fine()
        chosen = self.upstream.currentData() and self.model.text().strip()
        words = self.tr("Learning asks {model} of {name}.").format(
            model=self.model.text().strip(), name=self.upstream.currentText()
        )
        self._said.setText(words if chosen else self.tr("Nothing is learnt for now."))
        self._said.show()


def _offered(name: str, about: str, use: QWidget) -> QWidget:
    made = QWidget()
    inner = row(column(heading(name), label(about, "muted"), gap=2), use, gap=theme.GAP)
    inner.setStretch(0, 1)
    made.setLayout(inner)
    return made
