"""Add a provider, or change one: its address, protocols, model, key and prices. A key is never shown."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QLayout, QLineEdit, QPlainTextEdit, QWidget

from metaclaw_tray.admin.api import AddedUpstream, AddUpstream, UpstreamRow
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.bridge import NOT_DONE, Bridge, Problem
from metaclaw_tray.desktop.pages.settings.models.presets import PRESETS
from metaclaw_tray.desktop.parts import Scroller, button, column, heading, label, row

_DIALECTS = ("chat", "messages", "responses")
_MOST_PRICE = 100_000.0


class UpstreamDialog(QDialog):
    """`saved` gives the upstream as it is then."""

    saved = Signal(object)
    forget_key = Signal(str)

    def __init__(
        self, parent: QWidget, bridge: Bridge, upstream: UpstreamRow | None, others: list[str]
    ) -> None:
        super().__init__(parent)
        self._bridge, self._upstream = bridge, upstream
        title = self.tr("Change {name}").format(name=upstream.name) if upstream else self.tr("Add a provider")
        self.setWindowTitle(title)
        self.setMinimumSize(560, 600)
        self._build(others)
        self._wrong = label(kind="bad")
        self._wrong.hide()
        save = button(self.tr("Save") if upstream else self.tr("Add"), self.save, "primary")
        save.setDefault(True)
        inner = QWidget()
        inner.setLayout(self._form())
        outer = column(
            heading(title),
            Scroller(inner),
            self._wrong,
            row(None, button(self.tr("Cancel"), self.reject), save),
            margin=theme.GAP_L,
        )
        outer.setStretch(1, 1)
        self.setLayout(outer)
        if upstream is not None:
            self._show(upstream)
        else:
            self._preset()

    def _build(self, others: list[str]) -> None:
        self.presets = QComboBox()
        for each in PRESETS:
            self.presets.addItem(each.label, each.name)
        self.presets.addItem(self.tr("Another one"), "")
        self.presets.currentIndexChanged.connect(lambda _index: self._preset())
        self.name, self.address, self.model = QLineEdit(), QLineEdit(), QLineEdit()
        self.dialects = {
            "chat": QCheckBox(self.tr("Chat Completions: most programs and servers")),
            "messages": QCheckBox(self.tr("Messages: Anthropic and Claude Code")),
            "responses": QCheckBox(self.tr("Responses: OpenAI's newer one, and Codex")),
        }
        self.credential = QComboBox()
        self.credential.addItem(self.tr("None is needed"), "none")
        self.credential.addItem(self.tr("A key that is kept here"), "key")
        self.credential.addItem(self.tr("Each agent sends its own"), "pass-through")
        self.credential.currentIndexChanged.connect(lambda _index: self._needs_key())
        self.key = QLineEdit()
        self.key.setAccessibleName(self.tr("Key"))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.fallback = QComboBox()
        self.fallback.addItem(self.tr("None"), "")
        for other in others:
            self.fallback.addItem(other, other)
        self.map = QPlainTextEdit()
        self.map.setTabChangesFocus(True)
        self.map.setFixedHeight(3 * self.map.fontMetrics().lineSpacing() + 20)
        self.map.setPlaceholderText("gpt-* = qwen3-coder")
        self.input_price = _price(self.tr("read"), self.tr("Price of a million tokens that are read"))
        self.output_price = _price(self.tr("written"), self.tr("Price of a million tokens that are written"))

    def _form(self) -> QLayout:
        kept = self._upstream is not None and self._upstream.key_known
        self._key_hint = label(
            self.tr("One is kept. Leave this empty to keep it.")
            if kept
            else self.tr("It goes to the system's keyring, is sent to this address only, and never shown."),
            "muted",
            size=theme.SMALL,
        )
        self._key_part = QWidget()
        forget = button(self.tr("Forget the key"), self._forget, "link")
        forget.setVisible(kept)
        self._key_part.setLayout(column(self.key, row(self._key_hint, forget), gap=4))
        parts = [
            *([self._part(self.tr("Which one"), self.presets)] if self._upstream is None else []),
            *([self._part(self.tr("A name for it"), self.name)] if self._upstream is None else []),
            self._part(
                self.tr("Address"), self.address, self.tr("Up to where the protocol's path begins: …/v1")
            ),
            self._part(self.tr("Protocols that it speaks"), *self.dialects.values()),
            self._part(self.tr("Key"), self.credential, self._key_part),
            self._part(
                self.tr("Model"),
                self.model,
                self.tr("Asked for whatever the agent asks for. Empty: as asked."),
            ),
            self._part(
                self.tr("Names of models"),
                self.map,
                self.tr(
                    "One per line: what agents ask for = what it is called there. * stands for any rest."
                ),
            ),
            self._part(
                self.tr("When it is away"), self.fallback, self.tr("Asked instead, if it speaks the same.")
            ),
            self._part(
                self.tr("Price of a million tokens, in USD"),
                row(self.input_price, self.output_price, gap=theme.GAP),
                self.tr("What is read, and what is written. Only where it is not known already."),
            ),
        ]
        made = column(*parts, None, gap=theme.GAP_L - 4)
        made.setContentsMargins(2, theme.GAP_S, theme.GAP, theme.GAP_S)
        return made

    def save(self) -> None:
        """Have it kept; what is wrong with it is said here."""
        try:
            verb = self._verb()
        except ValueError as error:
            self._say(str(error))
            return
        self._wrong.hide()
        self._bridge.ask(verb, self._done, self._failed, owner=self)

    def _forget(self) -> None:
        """Leave it as it is otherwise."""
        if self._upstream is not None:
            self.forget_key.emit(self._upstream.name)
            self.reject()

    def _verb(self) -> AddUpstream:
        new = self._upstream is None
        name = self.name.text().strip().lower() if self._upstream is None else self._upstream.name
        if not name:
            raise ValueError(self.tr("Give it a name."))
        credential = str(self.credential.currentData())
        return AddUpstream(
            name=name,
            base_url=self.address.text().strip(),
            dialects=[each for each in _DIALECTS if self.dialects[each].isChecked()],
            model=self.model.text().strip(),
            models=self._models(),
            fallback=str(self.fallback.currentData()),
            credential=credential,
            key=(self.key.text().strip() or None) if credential == "key" else None,
            default=new and not self.fallback.count() > 1,
            input_usd_per_million=_number(self.input_price),
            output_usd_per_million=_number(self.output_price),
        )

    def _models(self) -> dict[str, str]:
        found = {}
        for line in self.map.toPlainText().splitlines():
            if not line.strip():
                continue
            asked, equals, named = line.partition("=")
            if not equals or not asked.strip() or not named.strip():
                raise ValueError(self.tr("“{line}” is not like a = b.").format(line=line.strip()))
            found[asked.strip()] = named.strip()
        return found

    def _done(self, added: AddedUpstream) -> None:
        self.saved.emit(added)
        self.accept()

    def _failed(self, problem: Problem) -> None:
        if problem.title != NOT_DONE:
            self._say(problem.words)

    def _say(self, words: str) -> None:
        self._wrong.setText(words)
        self._wrong.show()

    def _show(self, upstream: UpstreamRow) -> None:
        self.address.setText(upstream.base_url)
        for name, box in self.dialects.items():
            box.setChecked(name in upstream.dialects)
        self.credential.setCurrentIndex(self.credential.findData(upstream.credential))
        self.model.setText(upstream.model)
        self.map.setPlainText("\n".join(f"{name} = {item}" for name, item in upstream.models.items()))
        self.fallback.setCurrentIndex(max(0, self.fallback.findData(upstream.fallback)))
        for field, price in (
            (self.input_price, upstream.input_usd_per_million),
            (self.output_price, upstream.output_usd_per_million),
        ):
            field.setText("" if price is None else QLocale().toString(price, "g", 6))
        self._needs_key()

    def _preset(self) -> None:
        chosen = next((each for each in PRESETS if each.name == self.presets.currentData()), None)
        self.name.setText(chosen.name if chosen else "")
        self.address.setText(chosen.base_url if chosen else "https://")
        for name, box in self.dialects.items():
            box.setChecked(name in (chosen.dialects if chosen else ("chat",)))
        self.credential.setCurrentIndex(1 if chosen is None or chosen.key else 0)
        self._needs_key()

    def _needs_key(self) -> None:
        self._key_part.setVisible(self.credential.currentData() == "key")

    def _part(self, name: str, *items: object) -> QWidget:
        made = QWidget()
        inner = column(label(name, bold=True), gap=5)
        for each in items:
            if isinstance(each, QLayout):
                inner.addLayout(each)
            elif isinstance(each, str):
                inner.addWidget(label(each, "muted", size=theme.SMALL))
            elif isinstance(each, QWidget):
                if not each.accessibleName() and not isinstance(each, QCheckBox):
                    each.setAccessibleName(name)
                inner.addWidget(each)
        made.setLayout(inner)
        return made


def _price(hint: str, name: str) -> QLineEdit:
    made = QLineEdit()
    made.setPlaceholderText(hint)
    made.setAccessibleName(name)
    made.setValidator(QDoubleValidator(0.0, _MOST_PRICE, 6))
    return made


def _number(field: QLineEdit) -> float | None:
    number, fine = QLocale().toDouble(field.text().strip())
    return number if fine else None
