"""Where a text is typed: a whole SKILL.md, or the few fields of a new one."""

from __future__ import annotations

import json
import re

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QPlainTextEdit, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import column, label

_NOT_A_NAME = re.compile(r"[^a-z0-9]+")


class PlainSkill(QPlainTextEdit):
    """A whole SKILL.md, as it is written."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._before = ""
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Text of the skill"))
        self.textChanged.connect(self.changed)

    @property
    def is_changed(self) -> bool:
        return self.toPlainText() != self._before

    def begin(self, text: str) -> None:
        """Start from this text."""
        self._before = text
        self.setPlainText(text)
        self._before = self.toPlainText()

    def begin_typing(self) -> None:
        self.setFocus()

    def text(self) -> str:
        return self.toPlainText()


class NewSkill(QWidget):
    """Name, when it is used, the words by which it is found, and the text."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.name, self.when, self.phrases = QLineEdit(), QLineEdit(), QLineEdit()
        self.body = QPlainTextEdit()
        self.body.setTabChangesFocus(True)
        self.name.setPlaceholderText(self.tr("dates-nobody-misreads"))
        self.when.setPlaceholderText(self.tr("Use when dates or deadlines are written."))
        self.phrases.setPlaceholderText(self.tr("due date; time zone; calendar"))
        self.body.setPlaceholderText(self.tr("Write dates as 2026-03-09 …"))
        form = QFormLayout()
        form.setVerticalSpacing(theme.GAP)
        form.setHorizontalSpacing(theme.GAP)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for words, field in (
            (self.tr("&Name"), self.name),
            (self.tr("&When it is used"), self.when),
            (self.tr("&Phrases it is found by"), self.phrases),
        ):
            form.addRow(words, field)
            field.setAccessibleName(words.replace("&", ""))
            field.textChanged.connect(self.changed)
        self.body.setAccessibleName(self.tr("What the agent should do"))
        self.body.textChanged.connect(self.changed)
        about = label(self.tr("What the agent should do then, in a few plain sentences:"), "muted")
        inner = column(form, about, self.body, gap=theme.GAP)
        inner.setContentsMargins(0, theme.GAP, 0, 0)
        self.setLayout(inner)

    @property
    def is_changed(self) -> bool:
        fields = (self.name, self.when, self.phrases)
        return any(field.text().strip() for field in fields) or bool(self.body.toPlainText().strip())

    def begin(self) -> None:
        """Start from nothing."""
        for field in (self.name, self.when, self.phrases):
            field.clear()
        self.body.clear()

    def begin_typing(self) -> None:
        self.name.setFocus()

    def text(self) -> str:
        """The SKILL.md of what is typed."""
        name = _NOT_A_NAME.sub("-", self.name.text().strip().lower()).strip("-")
        lines = ["---", f"name: {name}", f"description: {_quoted(self.when.text())}"]
        phrases = "; ".join(each.strip() for each in self.phrases.text().split(";") if each.strip())
        if phrases:
            lines += ["metadata:", f"  triggers: {_quoted(phrases)}"]
        return "\n".join([*lines, "---", "", self.body.toPlainText().strip(), ""])


def _quoted(text: str) -> str:
    """As YAML takes it, whatever stands in it: a JSON text is one of YAML's own."""
    return json.dumps(text.strip(), ensure_ascii=False)
