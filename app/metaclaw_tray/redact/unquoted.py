"""Where a value ends that stands behind `=` or `:` without quotes: what people choose holds any sign.

A shell would read `&`, `;` or `(` as its own; a file of settings and the person who pastes a line do not. So
the value goes up to white space, and ends before only where what follows can be nothing of it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_LINE: Final = 120  # characters before a value in which a quote around it begins
_CLOSED: Final = r"[\s,;:.)}\]>|\\]|\Z"  # behind a quote that ends a text
_TRAILING: Final = "\"'`,;|"
_BRACKETS: Final = {")": "(", "}": "{", "]": "[", ">": "<"}
_QUOTES: Final = "\"'`"

_TOUCHES = re.compile(r"""["'`\w!@\#%^*~+$]|\\''""")


def whole_end(text: str, start: int, position: int, limit: int | None = None) -> int:
    """Where the value ends that begins at `start` and certainly reaches to `position`.

    Not beyond `limit`. What closes a bracket or a quote around the value is no part of it.
    """
    following = text[position : position + 1]
    if not following or following.isspace():
        return position
    stop = len(text) if limit is None else min(limit, len(text))
    found = _pattern(_around(text, start)).match(text, position, stop)
    end = found.end() if found else position
    while end > position and _only_follows(text, start, end - 1):
        end -= 1
    return end


def _only_follows(text: str, start: int, place: int) -> bool:
    """Whether the sign at this place ends something that began before the value."""
    opening = _BRACKETS.get(text[place])
    if opening is not None:
        return text.find(opening, start, place) < 0
    return text[place] in _TRAILING


def joined_end(text: str, start: int, closing: int, limit: int) -> int:
    """Where the word of a shell ends whose quoted part has its closing quote at `closing`: `"a b"c'd'`."""
    if not _TOUCHES.match(text, closing + 1):
        return closing
    end = whole_end(text, start, closing + 1, limit)
    return end if end > closing + 1 else closing


def _around(text: str, start: int) -> str:
    """The quotes that may be open where the value begins."""
    first = max(0, start - _LINE)
    line = text[first:start]
    begins = line.rfind("\n") + 1
    if first and not begins:  # the line begins before what is looked at
        return _QUOTES
    return "".join(each for each in _QUOTES if line.count(each, begins) % 2)


@lru_cache(8)
def _pattern(around: str) -> re.Pattern[str]:
    """All up to white space; a quote of those around the value ends it where nothing is joined to it."""
    within = "".join(each for each in _QUOTES if each not in around)
    quote = rf"|[{around}](?!{_CLOSED})" if around else ""
    return re.compile(
        rf"""(?:[^\s\\;&,<|{_QUOTES}]+
          | \\(?![nrtu"'\\]) | \\["'](?!{_CLOSED})
          | ;(?![\s{_QUOTES}]|\Z|[A-Za-z][\w .-]{{0,40}}=)
          | &(?![\s&]|\Z|[A-Za-z_][\w.%-]{{0,40}}=)
          | ,(?![\s{_QUOTES}]|\Z|[A-Za-z_][\w.-]{{0,40}}[ ]?[=:])
          | <(?!/|[a-z]{{1,10}}[ />])
          | \|(?![\s|]|\Z)
          | [{within or "("}]{quote}
        )*""",
        re.VERBOSE,
    )
