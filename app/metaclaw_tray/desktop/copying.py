"""Texts that are made to be copied: a value that stays masked until it is wanted, and lines for a file."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import button, column, label, row

_SAID_MS = 1600  # that "copied" stays
_DOTS = "•" * 8
_BAR = 16  # pixels for a bar where a line is longer than the window
_SHOWN_END = 4  # letters at the end of a masked value, to tell two apart


def masked(text: str, secret: str) -> str:
    """The text with dots in the place of the secret."""
    return text.replace(secret, _DOTS + secret[-_SHOWN_END:]) if secret else text


class CopyButton(QPushButton):
    """Puts a text on the clipboard and says so."""

    def __init__(self, text: str, what: str) -> None:
        super().__init__()
        self._copied = text
        self.setAutoDefault(False)
        self._again = QTimer(self, singleShot=True, interval=_SAID_MS)
        self._again.timeout.connect(self._rest)
        self.clicked.connect(self._copy)
        self.setAccessibleName(self.tr("Copy {what}").format(what=what))
        self._rest()
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance(self.tr("Copied")) + 34)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._copied)
        self.setText(self.tr("Copied"))
        self._again.start()

    def _rest(self) -> None:
        self.setText(self.tr("Copy"))


class SecretField(QWidget):
    """A named value with a secret in it: masked, to be revealed, to be copied."""

    def __init__(self, name: str, text: str, secret: str) -> None:
        super().__init__()
        self._text, self._secret = text, secret
        self._value = QLineEdit()
        self._value.setReadOnly(True)
        self._value.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._value.setAccessibleName(name)
        self._reveal = button("", self._toggle, "link")
        self._shown = True
        self._toggle()
        self.setLayout(
            column(
                label(name, "muted", size=theme.SMALL),
                row(self._value, self._reveal, CopyButton(text, name), gap=theme.GAP_S),
                gap=2,
            )
        )

    def _toggle(self) -> None:
        self._shown = not self._shown
        self._value.setText(self._text if self._shown else masked(self._text, self._secret))
        self._value.setCursorPosition(0)
        self._reveal.setText(self.tr("Hide") if self._shown else self.tr("Show"))


class CodeBlock(QFrame):
    """Lines for a file or a terminal, with a button that copies them whole."""

    def __init__(self, where: str, text: str, *, secret: str = "", note: str = "") -> None:
        super().__init__()
        self.setProperty("kind", "inset")
        shown = _Code(masked(text, secret))
        shown.setAccessibleName(where)
        head = row(_stretched(label(where, "muted", size=theme.SMALL)), CopyButton(text, where))
        inner = column(head, shown, gap=theme.GAP_S)
        inner.setContentsMargins(12, 8, 8, 10)
        if note:
            inner.addWidget(label(note, "muted", size=theme.SMALL))
        self.setLayout(inner)


class _Code(QPlainTextEdit):
    """As high as its lines, and never scrolled up and down."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setProperty("kind", "code")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.document().setDocumentMargin(0)
        lines = text.count("\n") + 1
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + _BAR)


def _stretched(widget: QLabel) -> QLabel:
    policy = widget.sizePolicy()
    policy.setHorizontalStretch(1)
    widget.setSizePolicy(policy)
    return widget
