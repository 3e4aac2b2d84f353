"""Code of a skill in colours, as HTML. Pygments takes a while to load: imported when a first code is read."""

from __future__ import annotations

import html
from functools import lru_cache

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.style import Style
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Token

from metaclaw_tray.desktop.theme import Colours

_LONGEST = 8_000  # characters that are coloured


def coloured(code: str, language: str, colours: Colours) -> str:
    """The code as HTML without a frame; as it is written where it is long or its language is not known."""
    if language.lower() not in _languages() or len(code) > _LONGEST:
        return html.escape(code)
    return str(highlight(code, get_lexer_by_name(language), _formatter(colours)))


@lru_cache(maxsize=4)
def _formatter(colours: Colours) -> HtmlFormatter:
    return HtmlFormatter(noclasses=True, nowrap=True, style=_style(colours))


@lru_cache(maxsize=1)
def _languages() -> frozenset[str]:
    """What Pygments knows itself: for another name it would look through all that is installed."""
    return frozenset(alias for _, aliases, _, _ in get_all_lexers(plugins=False) for alias in aliases)


def _style(colours: Colours) -> type[Style]:
    class OurStyle(Style):  # type: ignore[misc]
        background_color = colours.code
        styles = {  # noqa: RUF012 pygments reads it from the class
            Token: colours.text,
            Comment: f"italic {colours.muted}",
            Keyword: colours.accent,
            Name.Function: colours.text,
            Name.Tag: colours.accent,
            Name.Attribute: colours.warn,
            String: colours.good,
            Number: colours.warn,
            Operator: colours.muted,
        }

    return OurStyle
