"""The tab *Skill*: the text as it reads, or as it is written."""

from __future__ import annotations

import html
from typing import Any

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtWidgets import QTextBrowser, QWidget

from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.pages.skills import markdown
from metaclaw_tray.desktop.pages.skills.pieces import Choice
from metaclaw_tray.desktop.pages.skills.subject import Subject
from metaclaw_tray.desktop.parts import Card, column, label, row
from metaclaw_tray.desktop.unhidden import unhidden


class SafeBrowser(QTextBrowser):
    """Shows HTML of ours. It opens nothing and loads nothing, whatever stands in it."""

    def __init__(self) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.document().setDocumentMargin(2)

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:  # noqa: N802 Qt's own name
        """Nothing: no picture, no style sheet, no page."""
        return None


class SkillText(SafeBrowser):
    """A SKILL.md, drawn anew when the theme changes."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._raw = False
        self.setAccessibleName(self.tr("Text of the skill"))

    def show_text(self, text: str, *, raw: bool = False) -> None:
        """Show it as it reads, or as it is written."""
        if (text, raw) != (self._text, self._raw):
            self._text, self._raw = text, raw
            self._draw()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 Qt's own name
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._text:
            self._draw()

    def _draw(self) -> None:
        now = theme.colours()
        text = unhidden(self._text)
        self.document().setDefaultStyleSheet(markdown.css(now))
        if self._raw or len(text) > markdown.LONGEST:
            self.setHtml(f'<pre style="white-space: pre-wrap">{html.escape(text)}</pre>')
            return
        head, body = markdown.split_head(text)
        shown = markdown.to_html(body, now)
        if head:
            title = html.escape(self.tr("The head of the file: name, when it is used, and how it is found"))
            shown += f'<p class="address" style="margin-top: 18px"><small>{title}</small></p>'
            shown += markdown.boxed(html.escape(head), now)
        self.setHtml(shown)


class TextTab(QWidget):
    """The whole text, and what keeps it from being used."""

    def __init__(self) -> None:
        super().__init__()
        self._subject: Subject | None = None
        self._shown = SkillText()
        self._raw = False
        self._ways = Choice([self.tr("As it reads"), self.tr("As it is written")])
        self._ways.chosen.connect(self._turn)
        self._size = label(kind="muted", size=theme.SMALL, wrap=False)
        self._said = label()
        self._note = Card(self._said, kind="warning")
        self._note.hide()
        body = column(row(self._ways, None, self._size), self._note, self._shown, gap=theme.GAP_S)
        body.setContentsMargins(0, theme.GAP, 0, 0)
        self.setLayout(body)

    def show_subject(self, subject: Subject) -> None:
        self._subject = subject
        row_of = subject.skill.skill if subject.skill else None
        self._size.setText(self.tr("about %n token(s)", "", row_of.tokens) if row_of else "")
        self._size.setToolTip(self.tr("How much of a request it takes up: four letters are about one token."))
        said = ""
        if row_of is not None and row_of.too_long:
            said = self.tr("This text is too long to be used. “Put shortly” has a short form written.")
        elif subject.is_proposal and subject.entry.state == "retire":
            said = self.tr("This is the text that would no longer be used.")
        self._said.setText(said)
        self._note.setVisible(bool(said))
        self._shown.show_text(subject.text, raw=self._raw)

    def _turn(self, way: int) -> None:
        self._raw = way == 1
        if self._subject is not None:
            self._shown.show_text(self._subject.text, raw=self._raw)
