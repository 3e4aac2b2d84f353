"""Secrets that a sentence hands over: `the API key for the server is 9f8e…`, in a few languages."""

from __future__ import annotations

import re
from typing import Final

from metaclaw_tray.redact.names import Promise
from metaclaw_tray.redact.runs import Judge
from metaclaw_tray.redact.spans import Span, words
from metaclaw_tray.redact.unquoted import whole_end
from metaclaw_tray.redact.verdict import Form

_SAID = re.compile(
    r"""[ \t]{0,2}(?:(?P<link>(?i:is|was|are|=|:|->|ist|lautet|war|heißt|heisst|luidt|es|est|é|è|är|это)
              [ \t:]{1,3}
            | [是为為：:は]{1,2}[ \t]?)
        | (?P<filler>(?:\(?[^\W\d_]{1,24}(?:['’.-][^\W\d_]{1,12}){0,2}\)?[,:]?[ \t]{1,2}){0,8}?)
    )(?P<open>[\\"'`“‘„«「《*]{0,16})(?=[!-~]{0,64}?[0-9]|[A-Za-z]{20})(?P<value>[A-Za-z0-9_+/=.~!@\#$%^&*?-]{6,512})""",
    re.VERBOSE,
)
_TELLING_NEAR = re.compile(r"[^0-9\n]{0,200}[0-9]|[^\n]{0,120}?[A-Za-z]{20}")  # else it is not worth the look
_NO_SECRET_FOLLOWS = re.compile(
    r"(?i)\b(?:commit|sha|hash|hashed|revision|checksum|digest|id|ids|uuid|file|path|url|docs?|page|version|"
    r"branch|image|model|for user|issue|pr|see|fingerprint|public|function|class|method|named|called)\b"
)
_CHOSEN = re.compile(  # right behind the word `password`, where a sentence would go on otherwise
    r"[A-Za-z]{4,20}[!@#$%^&*_-]?[0-9]{1,6}\Z|(?=[^0-9]{0,40}[0-9])[A-Za-z0-9_-]{2,40}[!@#$%^&*]"
)
_WITHIN: Final = frozenset("'\"()<>{}[]|`")  # that a sentence does not go on with right behind a word
_LINKS: Final = words("is was ist war lautet luidt est es é är lautete again to")


def said(text: str, end: int, promise: Promise, judge: Judge) -> Span | None:
    """The secret that the sentence gives whose word for it ends at `end`."""
    if promise not in (Promise.SECRET, Promise.PASSWORD, Promise.TOKEN):
        return None
    if not _TELLING_NEAR.match(text, end):
        return None
    found = _SAID.match(text, end)
    if found is None:
        return None
    value = found["value"].rstrip(".,?:;*")
    filler = found["filler"] or ""
    if filler:
        if promise is Promise.TOKEN or _NO_SECRET_FOLLOWS.search(filler):
            return None
        last = filler.split()[-1].lower().rstrip(":")
        linked = last in _LINKS or filler.rstrip().endswith(":")
        if promise is Promise.PASSWORD and not linked:
            return None
        if not linked and not judge(Promise.KEY, Form.QUOTED, value):
            return None
    if promise is Promise.PASSWORD and not filler and not found["link"] and not _CHOSEN.match(value):
        return None
    if not judge(promise, Form.SAID, value) or text[found.end() : found.end() + 1] == "(":
        return None
    start = found.start("value")
    end = start + len(value)
    if not found["open"] and text[end : end + 1] in _WITHIN:
        end = whole_end(text, start, end)
    return Span(start, end, "said")
