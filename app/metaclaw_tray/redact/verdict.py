"""Whether what stands at the place of a secret is one: not a placeholder, a word of a form, or code."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from metaclaw_tray.redact.names import Promise
from metaclaw_tray.redact.opacity import hexadecimal, opaque, turns_within, user_and_password
from metaclaw_tray.redact.spans import MARK, words


class Form(Enum):
    """How a value is written, from the most to the least certain to be the value itself."""

    FIELD = "field"  # a text of its own in a JSON value
    SHELL = "shell"  # NAME=value, --name=value, ?name=value
    QUOTED = "quoted"
    LINE = "line"  # the rest of a line after `name: ` or `name=`
    BARE = "bare"
    SAID = "said"  # in a sentence


_JUDGED: Final = 128  # characters that tell what the rest is like

_HOLE_FIRST = re.compile(r"(?i)[$<{]|%[\w(]|\*{3}|\.{3}|x{3,}|•|…|-{2,}|\?{3}|__\w+__\Z|n/?a\Z")
_PLACEHOLDER = re.compile(
    r"(?i)your|my[-_ ]|example|placeholder|change[-_]?(?:me|it)|replace|insert|enter[-_ ]|todo|dummy|fake"
    r"|redacted|(?:some|the|a|an|any|put|add|not|no|none|na)[-_ ]|sk-no|hidden\b"
    r"|env[.:(\[]|process\.env|os\.|secrets?\.|op://|vault:|arn:|file:|ref\+"
)
_HOLE = re.compile(r"\$\{|\{\{|<[a-z][a-z _-]*>|[xX]{6}|\[redacted:|\.\.\.|…")
_WORDS: Final = words(
    "string str text required optional nullable hidden null none nil undefined true false yes no on off "
    "password passwd passphrase pass pwd secret token key apikey value varchar bool boolean int integer "
    "number float object array bytes byte char any unknown never default void empty missing invalid "
    "expired incorrect wrong valid bearer basic digest negotiate foo bar baz foobar test testing abc abcd "
    "abc123 credential credentials hash plain plaintext sensitive masked user username admin_password "
    "literal ollama lm-studio unused ignored anything secretstr constr readonly field input label header "
    "cookie query path body"
)
WORDS_FOR_PASSWORD: Final = words("password pass passwd pwd secret pw token x-oauth-basic")
"""What documents write where a password would stand."""
_OWN_NAME = re.compile(r"(?i)pass|pwd|secret|token|key|cred|auth|wachtwoord|kennwort")
_WORDY = re.compile(r"[A-Za-z_\u00a0-\uffff .:/\[\]?-]*\Z")
_NAMED = re.compile(
    r"[A-Za-z_]\w{0,40}?(?:Auth|Token|Key|Secret|Password|Credential|_(?:key|token|password|secret|auth))\w*\Z|"
    r"(?:key|token|password|secret|auth)_\w*\Z"
)
_LETTERS = re.compile(r"[A-Za-z]+\Z")
_CODE = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+[\[(!;]*\Z|[\w$.]*[(\[!]|!|=|new\b"
)
_CODE_IN_LINE = re.compile(  # where a value stands alone, it may hold brackets and still be none
    r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+[\[(!;]*\Z"
    r"|[A-Za-z_$][A-Za-z_$.]*(?:\((?:[\"'`]|\Z|.*[)\],;:({\[\"'`]\Z)|\[(?:\Z|.*\]))|[A-Za-z_$.]+!(?:[.)\];]|=|\Z)"
    r"|![A-Za-z_$.]*[01]?\Z|=|new\b"
)
_CALL = re.compile(r"[A-Za-z_$][\w$.]*(?:\(.*\)|\[.*\]|\{.*\}|<.*>)[;,]?\Z")
_NUMBER = re.compile(r"[0-9][0-9._]*(?:[a-zA-Z%]{1,2})?\Z")
_PATHLIKE = re.compile(
    r"(?:~|\.{0,2})/[\w.@-]+(?:/[\w.@-]*)*\Z|[A-Za-z]:\\|https?:/|[\w-]+(?:/[\w.-]+)+\.\w{1,5}\Z"
)
_TITLE = re.compile(r"[A-ZÀ-Þ][^\W\d_]*(?: [^\W\d_]+)*[.!?:…*]?\Z")
_TALK = re.compile(
    r"(?i)\b(?:your|the|is|are|was|must|be|not|please|enter|required|invalid|password|passwords|token|key|"
    r"secret|to|for|or|and|of|in|has|should|cannot|can|with|at|from|this|that|if|bitte|ist|het|een|voor)\b"
)
_ALGORITHM = re.compile(
    r"(?i)(?:sha|md|aes|rsa|hs|rs|es|ed|x|utf|base|argon|bcrypt|scrypt|pbkdf|oauth|http|ipv|iso|rfc|cve|tls|v)"
    r"[-_]?[0-9]{1,4}(?:[-_/].*)?\Z"
)


def is_placeholder(value: str) -> bool:
    """Whether the value stands for another one that is to be put there, or was taken out."""
    if _HOLE_FIRST.match(value) or _HOLE.search(value):
        return True
    if len(value) > 2 and not value.strip("*.xX-_•#:"):
        return True
    return bool(_PLACEHOLDER.match(value)) and not opaque(value, 20)


def is_secret(promise: Promise, form: Form, value: str) -> bool:
    """Whether this value, written like this behind a name that promises this, is a secret."""
    value = value[:_JUDGED]
    if promise is Promise.NOTHING or MARK in value or is_placeholder(value):
        return False
    if value.lower() in _WORDS or (_PATHLIKE.match(value) and not opaque(value.rsplit("/", 1)[-1], 16)):
        return False
    if promise is Promise.KEY:
        return _is_key(form, value)
    if promise is Promise.MAYBE or promise is Promise.TOKEN:
        return _is_maybe(promise, form, value)
    if form is Form.FIELD:
        return not (value[0].isupper() and _is_label(value))
    if form is Form.SAID:
        return _is_said(promise, value)
    return _is_written(promise, form, value)


def _is_key(form: Form, value: str) -> bool:
    if form is Form.SHELL:
        return opaque(value, 10)
    if form is Form.SAID or not opaque(value, 20) or hexadecimal(value):
        return False
    return not any(len(part) >= 16 and hexadecimal(part) for part in re.split("[-_.:/]", value))


def _is_maybe(promise: Promise, form: Form, value: str) -> bool:
    if _NAMED.match(value):
        return False
    if form is Form.SAID:
        return opaque(value, 16)
    if promise is Promise.TOKEN and form is Form.SHELL and len(value) >= 6 and not _NUMBER.match(value):
        return not _is_code(form, value) and not _OWN_NAME.search(value)
    return opaque(value, 10) or user_and_password(value)


def _is_said(promise: Promise, value: str) -> bool:
    """In a sentence only what no word looks like: letters and digits together."""
    if _ALGORITHM.match(value) or _NUMBER.match(value):
        return False
    digits = any(letter.isdigit() for letter in value)
    letters = any(letter.isalpha() for letter in value)
    if not (digits and letters):
        return promise is Promise.SECRET and opaque(value, 20)
    if promise is Promise.PASSWORD:
        return len(value) >= 6
    return opaque(value, 10) or (len(value) >= 12 and turns_within(value) >= 1)


def _is_written(promise: Promise, form: Form, value: str) -> bool:
    chosen = promise is Promise.PASSWORD
    if len(value) < (4 if form in (Form.QUOTED, Form.SHELL) else 6):
        return False
    if form is Form.QUOTED:
        if _is_label(value) or (_OWN_NAME.search(value) and _is_wordy(value)):
            return False
        return promise is not Promise.PASS or not _LETTERS.match(value)
    if _is_code(form, value):
        return False
    if _NUMBER.match(value):
        return len(value) >= (6 if form is Form.SHELL else 8)
    plain = _is_wordy(value)
    if form in (Form.BARE, Form.LINE) and _NAMED.match(value):
        return False
    if plain and _OWN_NAME.search(value):
        return False
    if form is Form.SHELL:
        return promise is not Promise.PASS or not _LETTERS.match(value)
    if form is Form.LINE:
        return not plain or (chosen and value.isascii() and value.islower() and value.isalpha())
    return not plain and (chosen or any(letter.isdigit() for letter in value) or opaque(value, 16))


def _is_code(form: Form, value: str) -> bool:
    if form is Form.SHELL:
        return bool(_CODE_IN_LINE.match(value))
    if form is Form.LINE and any(letter.isdigit() for letter in value):
        return bool(_CODE_IN_LINE.match(value) or _CALL.match(value))
    return bool(_CODE.match(value))


def _is_wordy(value: str) -> bool:
    """Letters and what joins words: a name of something, a type, a word."""
    return bool(_WORDY.match(value)) and not opaque(value, 16)


def _is_label(value: str) -> bool:
    """What a form or a message says about a secret: `Enter your password`, `Wachtwoord vergeten?`"""
    if _TITLE.match(value) and turns_within(value) <= 0:
        return True
    return any(letter.isspace() for letter in value) and bool(_TALK.search(value))
