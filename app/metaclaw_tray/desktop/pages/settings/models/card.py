"""One provider: what it is used for, whether its key is there, whether it answers."""

from __future__ import annotations

from urllib.parse import urlsplit

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QWidget

from metaclaw_tray.admin.api import UpstreamRow, UpstreamTest
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import Card, button, heading, label, row, set_kind

_MODELS_NAMED = 4


class UpstreamCard(Card):
    """Signals name the provider."""

    use = Signal(str)
    test = Signal(str)
    change = Signal(str)
    remove = Signal(str)

    def __init__(self, upstream: UpstreamRow, *, alone: bool) -> None:
        """`alone`: it is the only one, so agents reach it anyway."""
        super().__init__(gap=theme.GAP_S)
        self._upstream = upstream
        name = heading(upstream.name)
        name.setWordWrap(False)
        self._said = label(kind="muted")
        self._said.hide()
        self._buttons = self._made(alone=alone)
        self.body.addLayout(row(name, *self._chips(), None, gap=theme.GAP_S))
        self.body.addWidget(label(self._about(), "muted"))
        self.body.addWidget(self._said)
        self.body.addSpacing(theme.GAP_S)
        self.body.addLayout(row(*self._buttons, None, gap=theme.GAP_S))

    def testing(self) -> None:
        """The test is on its way."""
        set_kind(self._said, "muted")
        self._said.setText(self.tr("Asking for its models…"))
        self._said.show()

    def tested(self, found: UpstreamTest) -> None:
        """Say what came of it."""
        set_kind(self._said, "good" if found.ok else "bad")
        if found.ok:
            named = ", ".join(found.models[:_MODELS_NAMED])
            more = len(found.models) - _MODELS_NAMED
            words = self.tr("It answers, in {time} ms.").format(
                time=QLocale().toString(round(found.milliseconds))
            )
            if named:
                words += " " + self.tr("Models: {names}").format(names=named)
            if more > 0:
                words += " " + self.tr("and %n more", "", more)
            self._said.setText(words)
        else:
            self._said.setText(found.detail)
        self._said.show()

    def wrong(self, words: str) -> None:
        """Say why there is no answer."""
        set_kind(self._said, "bad")
        self._said.setText(words)
        self._said.show()

    def _chips(self) -> list[QWidget]:
        upstream = self._upstream
        chips: list[QWidget] = []
        if upstream.default:
            chips.append(label(self.tr("Agents use it"), "chip-accent"))
        if upstream.learning:
            chips.append(label(self.tr("Learning uses it"), "chip-accent"))
        if upstream.credential == "key" and not upstream.key_known:
            chips.append(label(self.tr("Key missing"), "chip-bad"))
        return chips

    def _about(self) -> str:
        upstream = self._upstream
        if not upstream.base_url:
            return self.tr("{model}, run by this app on this machine. Nothing leaves, nothing costs.").format(
                model=upstream.model
            )
        host = urlsplit(upstream.base_url).netloc
        key = {
            "key": self.tr("key kept") if upstream.key_known else self.tr("no key yet"),
            "pass-through": self.tr("each agent's own key"),
            "none": self.tr("no key needed"),
        }[upstream.credential]
        model = upstream.model or self.tr("the model that is asked for")
        parts = [host, model, key]
        if upstream.fallback:
            parts.append(self.tr("then {name}").format(name=upstream.fallback))
        return " · ".join(parts)

    def _made(self, *, alone: bool) -> list[QWidget]:
        upstream, made = self._upstream, list[QWidget]()
        if not upstream.default and not alone:
            made.append(button(self.tr("Use for agents"), lambda: self.use.emit(upstream.name)))
        if not upstream.base_url:
            made.append(button(self.tr("Stop using it"), lambda: self.remove.emit(upstream.name)))
        else:
            made += [
                button(self.tr("Test"), lambda: self.test.emit(upstream.name)),
                button(self.tr("Change…"), lambda: self.change.emit(upstream.name)),
                button(self.tr("Remove…"), lambda: self.remove.emit(upstream.name), "danger"),
            ]
        for each in made:
            each.setAccessibleDescription(upstream.name)
        return made
