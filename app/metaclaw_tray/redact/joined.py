"""The value behind a name: what joins the two, how the value is written, and where it ends."""

from __future__ import annotations

import re

from metaclaw_tray.redact.headers import authorization, cookies
from metaclaw_tray.redact.names import Promise, is_spoken
from metaclaw_tray.redact.opacity import hexadecimal, opaque
from metaclaw_tray.redact.runs import BARE, JUDGED, Judge, between, looks_chosen, mixed, run_end
from metaclaw_tray.redact.spans import Span
from metaclaw_tray.redact.unquoted import joined_end, whole_end
from metaclaw_tray.redact.verdict import Form, is_placeholder

JOIN = re.compile(
    r"""(?P<close>\\{0,16}["'`]?\]?(?:\*\*)?)(?:
        [ \t]{0,16}(?:
            (?P<typed>:[ \t]{0,2}[&A-Za-z_'][\w.<>|\[\] ']{0,24}[ \t]=)
          | (?P<sep>=>|:=|[=!]?==?|:|：)
        )(?P<gap>[ \t]{0,16}(?:\\{0,2}\r?\n[ \t]{1,16}(?=["'`]))?)
        \[?(?:\*\*[ ]?)?(?:[bruf]{1,2}(?=\\{0,16}["']))?
      | (?P<call>\((?=\\{0,16}["']))
      | (?P<pair>(?:,|\\n|[ \t\r\n]){1,4}(?:[>+] )?[ \t]{0,24}\\{0,16}["']?(?i:value)
            \\{0,16}["']?[ \t]{0,4}[=:][ \t]{0,4})
      | (?P<comma>,[ \t]{0,4}(?=\\{0,16}["']))
      | (?P<tag>>(?=[^<>\s]{1,512}</))
      | (?P<cell>[ \t]{0,40}\|[ \t]{0,8})
    )(?P<open>(?:\\{0,16}["']|`){0,1})""",
    re.VERBOSE,
)
SPACED = re.compile(r"""[ \t]{1,8}(?P<open>(?:\\{0,16}["']|`)?)""")
_LINE_START = re.compile(
    r"(?:\n|\\n|[\"'>])[ \t]*(?:- |\* |\+ ?|> |export[ \t]+|set[ \t]+|ENV[ \t]+|ARG[ \t]+|[\w.]+\.)?\Z"
)
_NEXT_LINE = re.compile(
    r"""[ \t]{0,8}\\?(?:(?:\r?\n|\\n)[ \t]{0,24}){1,2}["'`]?"""
    r"""(?P<value>[A-Za-z0-9_+/=.~!@\#$%^&*:-]{8,256})["'`]?"""
    r"""[ \t]{0,8}(?:\r?\n|\\[nr"]|["'`,.]|\Z)"""
)
_HASH = 32  # letters of the shortest run of hexadecimal digits that is a secret on a line of its own
_CLOSING = ('"', "'", "`", ",")
_LINE_END = re.compile(r"[ \t]{0,256}(?:\r?\n|\\n|\\r|#|\Z)")

_BEFORE = 32  # characters before a name that tell whether it begins a line
_CERTAIN = ("--", "&", ";", "; ", "-e ", "-D")  # before a name that is set, not compared or declared
_SIGNS = frozenset("&;'\"$*")  # hardly ever right behind a name in code that goes on to the end of a line
_SETTERS = ("setx ", "-x ", "set ")  # commands that take the value after a space


def joined_value(text: str, start: int, joined: re.Match[str], promise: Promise, judge: Judge) -> Span | None:
    """What stands behind `=`, `:`, in a call, in the next cell, in the attribute `value`."""
    if promise is Promise.HEADER:
        return authorization(text, joined)
    if promise is Promise.COOKIE:
        return cookies(text, joined)
    quote = joined["open"]
    if joined["comma"] is not None and (promise is Promise.PASS or not joined["close"].strip("\\]*")):
        return None
    if quote:
        return _quoted(text, joined, promise, judge)
    if joined["sep"] and (below := _NEXT_LINE.match(text, joined.end())):
        return _on_next_line(below, promise, judge)
    found = BARE.match(text, joined.end(), joined.end() + JUDGED)
    begun = joined.end()
    form, last = _form(text, start, joined, found.end() if found else begun)
    value = text[begun:last]
    if not value or (found is None and form is not Form.SHELL):
        return None
    if form is Form.BARE and text[last : last + 1] in ("(", "[", "{"):
        return None
    if not judge(promise, form, value) and not (
        promise is Promise.PASSWORD and _is_spoken(text, start, joined, begun, last)
    ):
        return None
    end = run_end(BARE, text, last)
    if joined["sep"] and text[start - 1 : start] != "?":
        end = whole_end(text, begun, end)
    return Span(begun, end, "assignment")


def _form(text: str, start: int, joined: re.Match[str], end: int) -> tuple[Form, int]:
    """How a value without quotes is written that reaches at least to `end`, and where it ends."""
    begun = joined.end()
    if joined["tag"] is not None or joined["cell"] is not None or joined["pair"] is not None:
        return Form.LINE, end
    before = text[max(0, start - _BEFORE) : start]
    if joined["sep"] == "=" and not joined["gap"] and text[joined.start("sep") - 1] not in " \t":
        if before.endswith("?"):
            return Form.SHELL, end  # an address: what `&` joins is judged by itself
        whole = whole_end(text, begun, end, begun + JUDGED)
        if before.endswith(_CERTAIN) or text[start : joined.start()].isupper():
            return Form.SHELL, whole
        if _begins_line(before, start) and _is_all(text, begun, end, whole):
            return Form.SHELL, whole
    elif joined["sep"] and _begins_line(before, start):
        if joined["sep"] != "=" and _LINE_END.match(text, end):
            return Form.LINE, end
        whole = whole_end(text, begun, end, begun + JUDGED)
        if whole > end and _is_all(text, begun, end, whole):
            return Form.LINE, whole
    return Form.BARE, end


def _on_next_line(below: re.Match[str], promise: Promise, judge: Judge) -> Span | None:
    """`token:`, and the value alone on the line after it."""
    value = below["value"]
    if promise in (Promise.SECRET, Promise.TOKEN) and hexadecimal(value) and len(value) >= _HASH:
        return Span(*below.span("value"), "assignment")
    if promise is Promise.PASSWORD:
        telling = judge(promise, Form.SAID, value)
    else:
        telling = promise in (Promise.SECRET, Promise.TOKEN, Promise.MAYBE) and judge(
            Promise.MAYBE, Form.SAID, value
        )
    return Span(*below.span("value"), "assignment") if telling else None


def _is_spoken(text: str, start: int, joined: re.Match[str], begun: int, last: int) -> bool:
    """`Passwort: GeheimWort`: where a word of people calls it one, capitals within are enough."""
    if not joined["sep"] or not is_spoken(text[start : joined.start()]):
        return False
    whole = whole_end(text, begun, last, begun + JUDGED)
    return (
        (text[whole : whole + 1] in _CLOSING or bool(_LINE_END.match(text, whole)))
        and mixed(text[begun:whole])
        and not is_placeholder(text[begun:whole])
    )


def _is_all(text: str, begun: int, end: int, whole: int) -> bool:
    """Whether the line ends with the value, and the signs in it, if any, are not those of a piece of code."""
    if not _LINE_END.match(text, whole):
        return False
    return whole == end or text[end] in _SIGNS or any(letter.isdigit() for letter in text[begun:whole])


def _begins_line(before: str, start: int) -> bool:
    return bool(_LINE_START.search(before if start > len(before) else f"\n{before}"))


def _quoted(text: str, joined: re.Match[str], promise: Promise, judge: Judge) -> Span | None:
    start, quote = joined.end(), joined["open"]
    pattern = between(quote)
    found = pattern.match(text, start, start + JUDGED)
    if found is None or not found[0]:
        return None
    value = found[0]
    if joined["cell"] and any(letter.isspace() for letter in value):
        return None
    if value[0] in ",);]}" or (
        (joined["call"] or joined["comma"]) and not (opaque(value, 16) or looks_chosen(value))
    ):
        return None  # a call may be about the secret: `password("Enter it")`
    end, form = found.end(), Form.QUOTED
    if joined["sep"] == "=" and not joined["gap"] and quote in ('"', "'"):
        end = joined_end(text, start, end, start + JUDGED)
        if end > found.end():
            value, form = text[start:end], Form.SHELL
    if joined["call"] and text[end + len(quote) : end + len(quote) + 1] != ")":
        return None  # the first of several arguments is no password
    if not judge(promise, form, value):
        return None
    end = whole_end(text, start, end) if form is Form.SHELL else run_end(pattern, text, end)
    return Span(start, end, "assignment")


def optional_value(
    text: str, start: int, spaced: re.Match[str], promise: Promise, judge: Judge
) -> Span | None:
    """`--password hunter2`, `PASSWORD 'hunter2'`, `ENV API_KEY value`."""
    option = text[max(0, start - 2) : start] == "--"
    if promise in (Promise.HEADER, Promise.COOKIE, Promise.KEY) or (promise is Promise.PASS and not option):
        return None
    quote = spaced["open"]
    if quote:
        found = between(quote).match(text, spaced.end(), spaced.end() + JUDGED)
        if found is None:
            return None
        telling = option or opaque(found[0], 16) or looks_chosen(found[0])
        form = Form.QUOTED
    else:
        before = text[max(0, start - _BEFORE) : start]
        loud = text[start : spaced.start()].isupper()
        if not (option or before.lower().endswith(_SETTERS) or (loud and _begins_line(before, start))):
            return None
        found = BARE.match(text, spaced.end(), spaced.end() + JUDGED)
        if found is None or found[0].startswith("-"):
            return None
        telling = True
        form = Form.BARE
    if not telling or not judge(promise, form, found[0]):
        return None
    end = found.end() if quote else whole_end(text, found.start(), found.end())
    return Span(found.start(), end, "assignment")
