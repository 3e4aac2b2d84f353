"""Secrets in a text, replaced by what they were: `[redacted:KIND]`.

Applied before anything reaches the disk and before any call that learning makes. Time is linear in the
length of the text: no pattern can start twice within the run of characters it failed on, and what may
follow a start is bounded.
"""

from __future__ import annotations

import re
from typing import Any

UNTOUCHED_KEYS = frozenset({"signature", "encrypted_content"})
"""Values that a provider checks bit by bit; they are opaque to us and hold nothing of the person's."""

NESTING_LIMIT = 200  # levels of JSON; what lies deeper is left out whole

_PREFIXES = {
    "anthropic-key": r"sk-ant-[A-Za-z0-9_-]{16,}",
    "openai-key": r"sk-[A-Za-z0-9_-]{16,}",
    "github-token": r"(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})",
    "gitlab-token": r"glpat-[A-Za-z0-9_-]{16,}",
    "slack-token": r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
    "aws-key": r"A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    "google-key": r"AIza[A-Za-z0-9_-]{30,}",
    "huggingface-token": r"hf_[A-Za-z0-9]{20,}",
    "tinker-key": r"tml-[A-Za-z0-9_-]{16,}",
    "metaclaw-token": r"mct_[A-Za-z0-9_-]{16,}",
    "stripe-key": r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}",
    "npm-token": r"npm_[A-Za-z0-9]{30,}",
    "pypi-token": r"pypi-[A-Za-z0-9_-]{40,}",
    "sendgrid-key": r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    "digitalocean-token": r"do[opr]_v1_[a-f0-9]{40,}",
    "jwt": r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
}

# Group names cannot hold '-'.
_KNOWN = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    + "|".join(f"(?P<{kind.replace('-', '_')}>{pattern})" for kind, pattern in _PREFIXES.items())
    + ")"
)
_BEARER = re.compile(r"(?<![A-Za-z0-9])((?:[Bb]earer|BEARER)[ \t]{1,4})([A-Za-z0-9._~+/=-]{16,})")
_URL_PASSWORD = re.compile(r"(://[^\s/:@?#\"'<>]{0,128}:)([^\s/@?#\"'<>]{1,256})(?=@)")
_FIELD_NAMES = (
    "password|passwd|passphrase|secret|apikey|api_key|api-key|access_token|auth_token|refresh_token"
    "|client_secret|secret_key|secret_access_key|private_key|authorization|token"
)
_ASSIGNMENT = re.compile(
    # OPENAI_API_KEY, PASSWORD, GITHUB_TOKEN_2 … or db_password, x-api-key …
    r"((?<![A-Za-z0-9_])(?:"
    r"(?P<loud>(?:[A-Z][A-Z0-9]{0,30}_){0,5}"
    r"(?:KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_[A-Z0-9]{1,30}){0,3})"
    rf"|(?i:(?:[a-z0-9]{{1,30}}[_-]){{0,3}}(?:{_FIELD_NAMES}))"
    r")(?:\\{0,4}[\"'])?[ \t]{0,4}[=:][ \t]{0,4}(?P<quote>\\{0,4}[\"'])?)"
    r"(?P<value>(?(quote)[^\"'\\\n]{6,}|[^\s\"'\\`,;(){}<>]{6,}))"
)
# "my api key is 3f9c…": the word says it, and what follows is one opaque run with digits.
_PROSE = re.compile(
    r"(?i)((?<![a-z0-9])(?:password|passphrase|api[ _-]?key|secret(?:[ _-]?key)?|access[ _-]?token)"
    r"[ \t]{1,4}(?:is|was|=|:)[ \t]{1,4}[\"'`]?)(?=[^\s\"'`]{0,64}[0-9])([A-Za-z0-9_+/=.-]{12,})"
)
_FIELD = re.compile(rf"(?i)(?:[a-z0-9]{{1,30}}[_-]){{0,3}}(?:{_FIELD_NAMES})\Z")
_PEM_EDGE = re.compile(r"-----(?P<edge>BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY-----")
_PEM_BODY = re.compile(r"(?:[A-Za-z0-9+/=\r\n]|\\[nr])*")
_PEM_LIMIT = 32_768  # characters between BEGIN and END; beyond that they do not belong together


def redact_text(text: str) -> tuple[str, int]:
    """The text without its secrets, and how many there were. Redacting twice changes nothing more."""
    text, count = _without_private_keys(text)

    def known(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return _mark((found.lastgroup or "").replace("_", "-"))

    def bearer(found: re.Match[str]) -> str:
        nonlocal count
        if not any(letter.isdigit() for letter in found[2]):
            return found[0]  # a long word of prose
        count += 1
        return found[1] + _mark("bearer")

    def password(found: re.Match[str]) -> str:
        nonlocal count
        if found[2].startswith("[redacted:"):
            return found[0]
        count += 1
        return found[1] + _mark("url-password")

    def assignment(found: re.Match[str]) -> str:
        nonlocal count
        value = found["value"]
        # In code `password = read_it()` is no secret; a quoted text, or a word with digits, may be one.
        shell = found["loud"] and "=" in found[1]
        telling = shell or found["quote"] or any(letter.isdigit() for letter in value)
        if not telling or _is_placeholder(value):
            return found[0]
        count += 1
        return found[1] + _mark("assignment")

    def prose(found: re.Match[str]) -> str:
        nonlocal count
        if _is_placeholder(found[2]):
            return found[0]
        count += 1
        return found[1] + _mark("said")

    text = _KNOWN.sub(known, text)
    text = _BEARER.sub(bearer, text)
    text = _URL_PASSWORD.sub(password, text)
    text = _ASSIGNMENT.sub(assignment, text)
    text = _PROSE.sub(prose, text)
    return text, count


def redact_json(value: Any) -> tuple[Any, int]:
    """A JSON value without its secrets, and how many there were; the same object if there were none.

    Text under a name such as `api_key` goes whole. Keys, numbers and order stay.
    """
    return _redact_value(value, NESTING_LIMIT)


def _redact_value(value: Any, depth: int) -> tuple[Any, int]:
    if isinstance(value, str):
        return redact_text(value)
    if not isinstance(value, list | dict):
        return value, 0
    if depth == 0:
        return _mark("nesting"), 1
    count = 0
    changed: Any
    if isinstance(value, list):
        changed = []
        for item in value:
            fresh, found = _redact_value(item, depth - 1)
            changed.append(fresh)
            count += found
    else:
        changed = {}
        for key, item in value.items():
            fresh, found = _redact_field(key, item, depth - 1)
            changed[key] = fresh
            count += found
    return (changed, count) if count else (value, 0)


def _redact_field(key: str, value: Any, depth: int) -> tuple[Any, int]:
    if key in UNTOUCHED_KEYS:
        return value, 0
    if isinstance(value, str) and value and _FIELD.match(key):
        return (value, 0) if _is_placeholder(value) else (_mark("field"), 1)
    return _redact_value(value, depth)


def _without_private_keys(text: str) -> tuple[str, int]:
    """PEM blocks go whole; of one whose end is missing, all that reads like its body."""
    edges = list(_PEM_EDGE.finditer(text))
    kept: list[str] = []
    count = position = 0
    for index, edge in enumerate(edges):
        if edge["edge"] == "END":
            continue
        after = edges[index + 1] if index + 1 < len(edges) else None
        if after and after["edge"] == "END" and after.start() - edge.end() <= _PEM_LIMIT:
            end = after.end()
        else:
            body = _PEM_BODY.match(text, edge.end())
            end = body.end() if body else edge.end()
        kept += [text[position : edge.start()], _mark("private-key")]
        position = end
        count += 1
    return "".join([*kept, text[position:]]), count


def _is_placeholder(value: str) -> bool:
    return value.startswith(("$", "<", "{", "[redacted:", "***", "...", "xxx", "your"))


def _mark(kind: str) -> str:
    return f"[redacted:{kind}]"
