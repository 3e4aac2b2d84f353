"""Secrets that are known by the word before them: `api_key = "…"`, `DB_PASSWORD=…`, `the API key is …`.

The text is searched for the words; around each, the whole name is read, then what joins it to a value, then
the value. How far each part may reach is bounded, and the search goes on behind what was read as a secret or
behind the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from metaclaw_tray.redact.joined import JOIN, SPACED, joined_value, optional_value
from metaclaw_tray.redact.names import Promise, promise_of
from metaclaw_tray.redact.runs import Judge
from metaclaw_tray.redact.sentences import said
from metaclaw_tray.redact.spans import MARK, Span
from metaclaw_tray.redact.verdict import is_secret

_STEMS: Final = (
    "pass", "secret", "token", "key", "auth", "pwd", "cred", "pw", "psk", "cookie", "bearer", "jwt",
    "wachtwoord", "kennwort", "contrasena", "senha", "geheimnis", "zugangscode", "sleutel", "mot de passe",
    "adgangskode", "salasana", "lozinka", "parola",
)  # fmt: skip
_FOREIGN: Final = (
    "lösenord", "contraseña", "schlüssel", "пароль", "пароля", "密码", "密碼", "口令", "密钥", "密鑰", "金鑰",
    "令牌", "パスワード", "비밀번호",
    "hasło", "jelszó", "şifre", "mật khẩu",
)  # fmt: skip
HINTS: Final = frozenset((*_STEMS, *_FOREIGN))
"""A text in small letters that holds none of these announces nothing."""
_STEM = re.compile("|".join(_STEMS))
_ANY_STEM = re.compile("|".join((*_STEMS, *_FOREIGN)))
_TRADES: Final = ("api", "access", "secret", "private", "auth", "master", "signing", "encryption", "account")

_ENDS: Final = frozenset(".;)}/{[<&%#")  # of a name that nothing is given to
_NAME: Final = 48  # characters of a name on either side of its word
_REMEMBERED: Final = 64  # verdicts, for texts that repeat themselves
_BEHIND, _AHEAD = 128, 2048  # characters around a word in which all stands that decides about it

_NAME_END = re.compile(rf"[A-Za-z0-9_-]{{0,{_NAME}}}")
_NAME_START = re.compile(rf"[A-Za-z0-9_-]{{0,{_NAME}}}")  # of the text before, reversed


def announced(text: str, folded: str) -> Iterator[Span]:
    """Every value that the word before it calls a secret, and that reads like one. `folded` is the text in
    small letters."""
    stems = _STEMS if text.isascii() else (*_STEMS, *_FOREIGN)
    if not any(stem in folded for stem in stems):
        return
    judge = lru_cache(_REMEMBERED)(is_secret)
    past, dull = 0, dict[str, str]()  # by name, the last surroundings that held nothing
    for hit in (_STEM if text.isascii() else _ANY_STEM).finditer(folded):
        if hit.start() < past:
            continue
        end = _name_end(text, hit.end())
        past = end
        name, first, last = text[hit.start() : end], hit.start() - _BEHIND, end + _AHEAD
        around = text[first:last] if first >= 0 and last <= len(text) else ""
        if around and dull.get(name) == around:
            continue
        found = _after(text, folded, hit.start(), end, judge)
        if found is not None:
            past = found.end
            yield found
            continue
        if len(dull) >= _REMEMBERED:
            dull.clear()
        dull[name] = around


def _name_end(text: str, position: int) -> int:
    found = _NAME_END.match(text, position)
    return found.end() if found else position


def _after(text: str, folded: str, stem: int, end: int, judge: Judge) -> Span | None:
    """The secret behind the name whose word begins at `stem` and which reaches to `end`."""
    if text[end : end + 1] in _ENDS:
        return None
    joined = JOIN.match(text, end)
    spaced = None if joined else SPACED.match(text, end)
    if joined is not None and text.startswith(MARK, joined.end()):
        return None
    if joined is None and spaced is None and text[end : end + 1].isascii():
        return None
    start = _name_start(text, stem)
    if text.startswith(MARK, max(0, start - len(MARK))) and start >= len(MARK):
        return None
    promise = promise_of(text[start:end])
    if promise is Promise.NOTHING:
        return None
    if promise in (Promise.KEY, Promise.TOKEN) and _follows_trade(folded, start):
        promise = Promise.SECRET
    if joined is not None:
        return joined_value(text, start, joined, promise, judge)
    if spaced is not None and (found := optional_value(text, start, spaced, promise, judge)):
        return found
    return said(text, end, promise, judge)


def _name_start(text: str, stem: int) -> int:
    before = text[max(0, stem - _NAME) : stem][::-1]
    found = _NAME_START.match(before)
    length = found.end() if found else 0
    start = stem - length
    while start < stem and text[start] in "-_":
        start += 1  # the dashes of an option
    if length and text[start - 1 : start] == "\\" and text[start] in "nrt" and start > 0:
        start += 1  # the end of an escape
    return start


def _follows_trade(folded: str, start: int) -> bool:
    """Whether the name is the second of two words, such as `API key` or `access token`."""
    return start > 3 and folded[start - 1] == " " and folded.endswith(_TRADES, max(0, start - 12), start - 1)
