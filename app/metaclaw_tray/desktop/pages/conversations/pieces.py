"""What a conversation is drawn of: what somebody said, with what was looked for marked in it."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.parts import button, column, label, row
from metaclaw_tray.desktop.unhidden import unhidden
from metaclaw_tray.store.folding import asked, marks

_SHORT = 1600  # characters that are shown at once
_MARKED = 20_000  # characters in which marks are looked for


class Speech(QFrame):
    """What somebody said. `kind` is that of a quote: plain, person, bad, good; `sought` is marked in it."""

    def __init__(
        self, whose: str, text: str, kind: str = "plain", *, sought: str = "", chip: QWidget | None = None
    ) -> None:
        super().__init__()
        self.setProperty("kind", f"quote-{kind}")
        text = unhidden(text)
        self._text, self._sought = text, sought
        self._shown = spoken_label(text[:_SHORT].rstrip() + (" …" if len(text) > _SHORT else ""), sought)
        self._shown.setAccessibleName(whose)
        head = row(label(whose, "muted", size=theme.SMALL, wrap=False), gap=theme.GAP_S)
        if chip is not None:
            head.addWidget(chip)
        head.addStretch(1)
        inner = column(head, self._shown, gap=4)
        inner.setContentsMargins(12, 8, 12, 10)
        if len(text) > _SHORT:
            self._more = button(self.tr("Show all of it"), self._show_all, "link")
            inner.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self.setLayout(inner)

    def _show_all(self) -> None:
        put_text(self._shown, self._text, self._sought)
        self._more.hide()


class Code(QFrame):
    """What goes to a tool or comes from it, letter by letter."""

    def __init__(self, whose: str, text: str, *, sought: str = "", bad: bool = False) -> None:
        super().__init__()
        self.setProperty("kind", "quote-bad" if bad else "inset")
        shown = spoken_label(unhidden(text), sought)
        shown.setFont(monospaced())
        shown.setAccessibleName(whose)
        inner = column(label(whose, "muted", size=theme.SMALL), shown, gap=4)
        inner.setContentsMargins(12, 8, 12, 8)
        self.setLayout(inner)


def spoken_label(text: str, sought: str) -> QLabel:
    """A text that breaks anywhere it must, with marks."""
    made = label()
    made.setMinimumWidth(80)
    made.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    made.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    put_text(made, text, sought)
    return made


def put_text(shown: QLabel, text: str, sought: str) -> None:
    """Say a text with what was looked for marked: it may hold anything, and none of it is read as markup."""
    found = marks(text[:_MARKED], asked(sought)) if sought else []
    if not found:
        shown.setTextFormat(Qt.TextFormat.PlainText)
        shown.setText(_breakable(text))
        return
    ground, pieces, at = theme.colours().warn_soft, [], 0
    for start, end in found:
        pieces.append(escape(_breakable(text[at:start])))
        pieces.append(f'<span style="background-color:{ground}">{escape(text[start:end])}</span>')
        at = end
    pieces.append(escape(_breakable(text[at:])))
    shown.setTextFormat(Qt.TextFormat.RichText)
    shown.setText(f'<div style="white-space:pre-wrap">{"".join(pieces)}</div>')


def monospaced() -> QFont:
    """The system's font for code, small."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(theme.scaled(theme.SMALL).pointSizeF())
    return font


_LONGEST = 60  # letters without a place to break


def _breakable(text: str) -> str:
    """Long words get places to break at, so that none makes the window wide."""
    if not any(len(word) > _LONGEST for word in text.split()):
        return text
    lines = []
    for line in text.split("\n"):
        words = [
            word
            if len(word) <= _LONGEST
            else "\u200b".join(word[at : at + _LONGEST] for at in range(0, len(word), _LONGEST))
            for word in line.split(" ")
        ]
        lines.append(" ".join(words))
    return "\n".join(lines)
