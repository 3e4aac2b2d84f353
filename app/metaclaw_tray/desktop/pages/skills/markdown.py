"""A skill's Markdown as HTML for reading. Pure but for the colours.

Nothing of the text acts: raw HTML is shown as it is written, links are named with their address and lead
nowhere, pictures are named and never loaded.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from metaclaw_tray.desktop.theme import Colours

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST = 64_000  # characters that are rendered; a longer text is shown as it is written
_HEAD = re.compile(r"\A---[ \t]*\n(?P<head>.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)


def split_head(text: str) -> tuple[str, str]:
    """The head of a SKILL.md, without its fences, and what is below."""
    found = _HEAD.match(text)
    return (found["head"], text[found.end() :].lstrip("\n")) if found else ("", text)


def to_html(text: str, colours: Colours) -> str:
    """The body of a document for `css`."""
    return str(_reader(colours).render(text))


def css(colours: Colours) -> str:
    """A style sheet for what `to_html` gives."""
    return (
        f"body {{ color: {colours.text}; }}"
        "h1 { font-size: x-large; margin-bottom: 6px; } h2 { font-size: large; margin-top: 16px; }"
        "h3, h4 { font-size: medium; margin-top: 12px; } p { margin-top: 6px; margin-bottom: 8px; }"
        "li { margin-bottom: 5px; }"
        "table { border-collapse: collapse; margin-top: 6px; margin-bottom: 8px; }"
        f"code {{ background-color: {colours.code}; }}"
        f".address, .picture {{ color: {colours.muted}; }}"
        f".link {{ color: {colours.accent}; }}"
        f"blockquote {{ color: {colours.muted}; }}"
        f"th, td {{ padding: 4px 10px; border: 1px solid {colours.line}; }}"
    )


def boxed(inner: str, colours: Colours) -> str:
    """HTML of a few lines, as they are written, on the colour of code."""
    return (
        f'<table width="100%" cellpadding="9" bgcolor="{colours.code}" style="margin-top: 4px">'
        f'<tr><td style="border: none"><pre style="white-space: pre-wrap">{inner}</pre></td></tr></table>'
    )


@lru_cache(maxsize=4)
def _reader(colours: Colours) -> MarkdownIt:
    from markdown_it import MarkdownIt  # here: no window waits for it before a skill is read

    def framed(code: str, language: str, _attributes: str) -> str:
        from metaclaw_tray.desktop.pages.skills.coloured import coloured

        return f"<pre>{boxed(coloured(code, language, colours), colours)}</pre>"

    reader = MarkdownIt("commonmark", {"html": False, "highlight": framed}).enable("table")
    reader.add_render_rule("link_open", _link_open)
    reader.add_render_rule("link_close", _link_close)
    reader.add_render_rule("image", _image)
    return reader


def _link_open(_renderer: Any, _tokens: Sequence[Token], _place: int, _options: Any, _env: Any) -> str:
    return '<span class="link">'


def _link_close(_renderer: Any, tokens: Sequence[Token], place: int, _options: Any, _env: Any) -> str:
    """The address behind the link's words, unless they are the address."""
    opened = max(at for at in range(place) if tokens[at].type == "link_open")
    said = "".join(token.content for token in tokens[opened + 1 : place])
    address = str(tokens[opened].attrs.get("href", ""))
    shown = "" if said == address else f' <span class="address">({html.escape(address)})</span>'
    return f"</span>{shown}"


def _image(_renderer: Any, tokens: Sequence[Token], place: int, _options: Any, _env: Any) -> str:
    address = html.escape(str(tokens[place].attrs.get("src", "")))
    said = html.escape(tokens[place].content)
    picture = html.escape(QCoreApplication.translate("Skills", "picture, not loaded"))
    return f'<span class="picture">[{picture}: {said} {address}]</span>'
