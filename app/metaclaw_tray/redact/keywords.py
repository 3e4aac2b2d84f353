"""Secrets that are known by the word before them: `api_key = "…"`, `DB_PASSWORD=…`, `the API key is …`.

The text is searched for the words; around each, the whole name is read, then what joins it to a value, then
the value. How far each part may reach is bounded, and the search goes on behind what was read as a secret or
behind the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from metaclaw_tray.redact.names import Promise, promise_of
from metaclaw_tray.redact.spans import MARK, Span, words
from metaclaw_tray.redact.verdict import Form, is_placeholder, is_secret

_STEMS: Final = (
    "pass",
    "secret",
    "token",
    "key",
    "auth",
    "pwd",
    "cred",
    "pw",
    "psk",
    "cookie",
    "bearer",
    "jwt",
)
_FOREIGN: Final = (
    "wachtwoord", "kennwort", "lösenord", "contraseña", "contrasena", "senha", "geheimnis", "zugangscode",
    "schlüssel", "sleutel", "пароль", "пароля", "密码", "密碼", "口令", "密钥", "密鑰", "金鑰", "令牌", "パスワード",
    "비밀번호", "mot de passe",
)  # fmt: skip
_STEM = re.compile("|".join((*_STEMS, *_FOREIGN)))
_TRADES: Final = ("api", "access", "secret", "private", "auth", "master", "signing", "encryption", "account")

_NAME: Final = 48  # characters of a name on either side of its word
_JUDGED: Final = 256  # characters of a value that are looked at before it is known to be a secret

_NAME_END = re.compile(rf"[A-Za-z0-9_-]{{0,{_NAME}}}")
_NAME_START = re.compile(rf"[A-Za-z0-9_-]{{0,{_NAME}}}")  # of the text before, reversed
_JOIN = re.compile(
    r"""(?P<close>\\{0,6}["'`]?\]?(?:\*\*)?)(?:
        [ \t]{0,16}(?:
            (?P<typed>:[ \t]{0,2}[&A-Za-z_'][\w.<>|\[\] ']{0,24}[ \t]=)
          | (?P<sep>=>|:=|[=!]?==?|:|：)
        )(?P<gap>[ \t]{0,16}(?:\\{0,2}\r?\n[ \t]{1,16}(?=["'`]))?)\[?(?:\*\*[ ]?)?(?:[bruf]{1,2}(?=["']))?
      | (?P<call>\((?=\\{0,6}["']))
      | (?P<comma>,[ \t]{0,4}(?=\\{0,6}["']))
      | (?P<pair>(?:,|\\n|[ \t\r\n]){1,4}[ \t]{0,24}\\{0,6}["']?(?i:value)\\{0,6}["']?[ \t]{0,4}[=:][ \t]{0,4})
      | (?P<tag>>(?=[^<>\s]{1,512}</))
      | (?P<cell>[ \t]{0,40}\|[ \t]{0,8})
    )(?P<open>(?:\\{0,6}["']|`){0,1})""",
    re.VERBOSE,
)
_SPACED = re.compile(r"""[ \t]{1,8}(?P<open>(?:\\{0,6}["']|`)?)""")
_QUOTED = {
    '"': re.compile(r'[^"\\\n]*(?:\\.[^"\\\n]*)*'),
    "'": re.compile(r"[^'\\\n]*(?:\\.[^'\\\n]*)*"),
    "`": re.compile(r"[^`\n]*"),
}
_ESCAPED = {'"': re.compile(r'[^"\\\n]*'), "'": re.compile(r"[^'\\\n]*")}
_BARE = re.compile(r"""[^\s"'`,;(){}<>|&\\\[\]]+(?:\\(?![nrtu"'\\])[^\s"'`,;(){}<>|&\\\[\]]*)*""")
_UNBROKEN = re.compile(r"""[^\s"'`\\]+(?:\\(?![nrtu"'\\])[^\s"'`\\]*)*""")
_LINE_START = re.compile(
    r"(?:^|\n|\\n)[ \t]*(?:- |\* |\+ |export[ \t]+|set[ \t]+|ENV[ \t]+|ARG[ \t]+|[\w.]+\.)?\Z"
)
_LINE_END = re.compile(r"[ \t]*(?:\r?\n|\\n|\\r|#|\Z)")
_SCHEME = re.compile(
    r"(?i)[ \t]*(?:bearer|basic|token|apikey|api-key|digest|negotiate|key|bot|splunk)[ \t=:]{1,4}"
)
_COOKIE = re.compile(r"(?:[\w.%-]{1,64}=[^\s;\"'\\]{0,4096}(?:;[ \t]{0,2}|(?=[\s\"'\\]|\Z))){1,64}")
_SAID = re.compile(
    r"""[ \t]{0,2}(?:(?P<link>(?i:is|was|are|=|:|->|ist|lautet|war|heißt|heisst|luidt|was|es|est|é|è|è|är|это)[ \t:]{1,3}
            | [是为為：:は]{1,2}[ \t]?)
        | (?P<filler>(?:\(?[^\W\d_]{1,24}(?:['’.-][^\W\d_]{1,12}){0,2}\)?[,:]?[ \t]{1,2}){0,8}?)
    )(?P<open>["'`“‘„«「《*]{0,2})(?P<value>[A-Za-z0-9_+/=.~!@\#$%^&*?-]{6,512})""",
    re.VERBOSE,
)
_NO_SECRET_FOLLOWS = re.compile(
    r"(?i)\b(?:commit|sha|hash|hashed|revision|checksum|digest|id|ids|uuid|file|path|url|docs?|page|version|"
    r"branch|image|model|for user|issue|pr|see|fingerprint|public|function|class|method|named|called)\b"
)


def announced(text: str) -> Iterator[Span]:
    """Every value that the word before it calls a secret, and that reads like one."""
    folded = text.lower()
    if len(folded) != len(text):  # the one letter whose small form is longer
        folded = text.replace("İ", "I").lower()
    stems = _STEMS if text.isascii() else (*_STEMS, *_FOREIGN)
    if not any(stem in folded for stem in stems):
        return
    past = 0
    for hit in _STEM.finditer(folded):
        if hit.start() < past:
            continue
        end = _name_end(text, hit.end())
        past = end
        found = _after(text, folded, hit.start(), end)
        if found is not None:
            past = found.end
            yield found


def _name_end(text: str, position: int) -> int:
    found = _NAME_END.match(text, position)
    return found.end() if found else position


def _after(text: str, folded: str, stem: int, end: int) -> Span | None:
    """The secret behind the name whose word begins at `stem` and which reaches to `end`."""
    joined = _JOIN.match(text, end)
    spaced = None if joined else _SPACED.match(text, end)
    if joined is None and spaced is None and text[end : end + 1].isascii():
        return None
    start = _name_start(text, stem)
    if text.startswith(MARK, max(0, start - len(MARK))) and start >= len(MARK):
        return None
    promise = promise_of(text[start:end])
    if promise is Promise.NOTHING:
        return None
    if promise in (Promise.KEY, Promise.MAYBE) and start > 3 and text[start - 1] == " ":
        if folded.endswith(_TRADES, max(0, start - 12), start - 1):
            promise = Promise.SECRET
    if joined is not None:
        found = _joined(text, start, joined, promise)
        if (
            found is not None
            or not (joined["sep"] or joined["cell"])
            or promise in (Promise.HEADER, Promise.COOKIE)
        ):
            return found
    elif spaced is not None:
        found = _option(text, start, spaced, promise)
        if found is not None:
            return found
    return _said(text, end, promise)


def _name_start(text: str, stem: int) -> int:
    before = text[max(0, stem - _NAME) : stem][::-1]
    found = _NAME_START.match(before)
    length = found.end() if found else 0
    start = stem - length
    if length and text[start - 1 : start] == "\\" and text[start] in "nrt" and start > 0:
        start += 1  # the end of an escape
    return start


def _joined(text: str, start: int, joined: re.Match[str], promise: Promise) -> Span | None:
    """What stands behind `=`, `:`, in a call, in the next cell, in the attribute `value`."""
    if promise is Promise.HEADER:
        return _header(text, joined)
    if promise is Promise.COOKIE:
        return _cookies(text, joined)
    quote = joined["open"]
    if joined["comma"] is not None and not joined["close"].strip("\\]*"):
        return None
    if quote:
        return _quoted(text, joined.end(), quote, promise, loose=joined["comma"] or joined["call"])
    found = _BARE.match(text, joined.end(), joined.end() + _JUDGED)
    if found is None:
        return None
    form, last = _form(text, start, joined, found)
    value = text[found.start() : last]
    if form is Form.BARE and text[last : last + 1] in ("(", "[", "{"):
        return None
    if not is_secret(promise, form, value):
        return None
    return Span(found.start(), _run_end(_BARE, text, last), "assignment")


def _form(text: str, start: int, joined: re.Match[str], found: re.Match[str]) -> tuple[Form, int]:
    """How a value without quotes is written, and where it ends."""
    end = found.end()
    before = text[max(0, start - 12) : start]
    alone = bool(_LINE_START.search(before)) if start > 11 else bool(_LINE_START.search(text[:start]))
    if joined["tag"] is not None or joined["cell"] is not None or joined["pair"] is not None:
        return Form.LINE, end
    tight = joined["sep"] == "=" and not joined["gap"] and text[joined.start("sep") - 1] not in " \t"
    if tight:
        if before.endswith(("--", "?", "&", ";")) or before.endswith(("; ", "-e ", "-D")):
            return Form.SHELL, end
        name = text[start : joined.start()]
        loud = name.isupper() and text[end : end + 1] not in ("(", "[", "{")
        if alone and loud:
            whole = _UNBROKEN.match(text, found.start(), found.start() + _JUDGED)
            return Form.SHELL, whole.end() if whole else end
        if loud or (alone and _LINE_END.match(text, end)):
            return Form.SHELL, end
    if alone and _LINE_END.match(text, end):
        return Form.LINE, end
    return Form.BARE, end


def _quoted(text: str, start: int, quote: str, promise: Promise, loose: object) -> Span | None:
    patterns = _ESCAPED if quote[0] == "\\" else _QUOTED
    pattern = patterns[quote[-1]]
    found = pattern.match(text, start, start + _JUDGED)
    if found is None or not found[0]:
        return None
    value = found[0]
    if loose and not any(letter.isdigit() for letter in value):
        return None  # a call may be about the secret: `password("Enter it")`
    end = found.end()
    if promise is Promise.COOKIE or promise is Promise.HEADER or not is_secret(promise, Form.QUOTED, value):
        return None
    return Span(start, _run_end(pattern, text, end), "assignment")


def _run_end(pattern: re.Pattern[str], text: str, end: int) -> int:
    found = pattern.match(text, end)
    return found.end() if found else end


def _header(text: str, joined: re.Match[str]) -> Span | None:
    """`Authorization: Basic …`: the scheme stays."""
    start = joined.end()
    scheme = _SCHEME.match(text, start)
    if scheme:
        start = scheme.end()
    found = _BARE.match(text, start, start + _JUDGED)
    if found is None or (not text.isascii() and not found[0].isascii()):
        return None
    value = found[0]
    if is_placeholder(value) or len(value) < 6 or text[found.end() : found.end() + 1] in ("(", "[", "{"):
        return None
    if not scheme and not any(letter.isdigit() for letter in value):
        return None
    if value.isalpha() and (len(value) < 12 or value.islower()):
        return None
    return Span(
        start, _run_end(_BARE, text, found.end()), "bearer" if _is_bearer(scheme) else "authorization"
    )


def _is_bearer(scheme: re.Match[str] | None) -> bool:
    return scheme is not None and scheme[0].strip().lower().startswith("bearer")


def _cookies(text: str, joined: re.Match[str]) -> Span | None:
    """All of a `Cookie:` line, where one of its values may open something."""
    found = _COOKIE.match(text, joined.end()) if joined["sep"] == ":" else None
    if found is None:
        return None
    values = [each.partition("=")[2] for each in found[0].split(";")]
    if not any(len(each) >= 8 and any(letter.isdigit() for letter in each) for each in values):
        return None
    return Span(joined.end(), found.end(), "cookie")


def _option(text: str, start: int, spaced: re.Match[str], promise: Promise) -> Span | None:
    """`--password hunter2`, `PASSWORD 'hunter2'`, `ENV API_KEY value`."""
    if promise in (Promise.HEADER, Promise.COOKIE, Promise.KEY):
        return None
    option = text[max(0, start - 2) : start] == "--" or text[start : start + 2] == "--"
    quote = spaced["open"]
    if quote:
        patterns = _ESCAPED if quote[0] == "\\" else _QUOTED
        found = patterns[quote[-1]].match(text, spaced.end(), spaced.end() + _JUDGED)
        if found is None:
            return None
        telling = option or (any(c.isdigit() for c in found[0]) and not any(c.isspace() for c in found[0]))
        form = Form.QUOTED
    else:
        found = _BARE.match(text, spaced.end(), spaced.end() + _JUDGED)
        if found is None or found[0].startswith("-"):
            return None
        told = _LINE_START.search(text[max(0, start - 12) : start]) and text[start : spaced.start()].isupper()
        telling = (
            option or told or text[max(0, start - 6) : start].lower().endswith(("setx ", "-x ", "--key "))
        )
        form = Form.BARE
    if not telling or not is_secret(promise, form, found[0]):
        return None
    return Span(found.start(), found.end(), "assignment")


def _said(text: str, end: int, promise: Promise) -> Span | None:
    """`the API key for the server is 9f8e…`: a sentence that hands the secret over."""
    if promise not in (Promise.SECRET, Promise.PASSWORD, Promise.MAYBE):
        return None
    found = _SAID.match(text, end)
    if found is None:
        return None
    value = found["value"].rstrip(".,!?:;*")
    filler = found["filler"] or ""
    if filler:
        if promise is Promise.MAYBE or _NO_SECRET_FOLLOWS.search(filler):
            return None
        last = filler.split()[-1].lower().rstrip(":")
        linked = last in _LINKS or filler.rstrip().endswith(":")
        if promise is Promise.PASSWORD and not linked:
            return None
        if not linked and not is_secret(Promise.KEY, Form.QUOTED, value):
            return None
    if promise is Promise.PASSWORD and not filler and not found["link"]:
        return None
    if not is_secret(promise, Form.SAID, value):
        return None
    start = found.start("value")
    return Span(start, start + len(value), "said")


_LINKS: Final = words("is was ist war lautet luidt est es é är lautete again to")
