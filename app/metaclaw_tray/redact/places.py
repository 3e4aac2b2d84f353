"""Secrets that are known by the place they stand in: addresses, blocks, bearer and basic headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from metaclaw_tray.redact.names import Promise
from metaclaw_tray.redact.opacity import opaque, pronounceable, user_and_password
from metaclaw_tray.redact.spans import MARK, Span
from metaclaw_tray.redact.verdict import WORDS_FOR_PASSWORD, Form, is_placeholder, is_secret

_USERINFO = re.compile(
    r"""://(?P<user>[^\s/:@?\#"'<>\\]{0,128})(?::(?![0-9]{1,5}[/?\#])(?P<password>[^\s/"'<>\\]{1,256}))?@(?=[\w.\[$%{-])""",
    re.VERBOSE,
)

_AGENT_PATH = re.compile(r"/a/(?P<token>[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])|[A-Za-z0-9_-]{20,128}(?=/v1))")
_SIGNED = re.compile(
    r"[?&;](?:sig|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token)=(?P<value>[A-Za-z0-9%+/=_-]{32,2048})"
)

_BEARER = re.compile(r"(?i)bearer[ \t]{1,4}(?P<value>[A-Za-z0-9._~+/=-]{8,})")
_BEARER_LENGTH: Final = 16  # characters from which on a digit among them is enough
_BASIC = re.compile(r"(?i)basic[ \t]{1,4}(?P<value>[A-Za-z0-9+/_-]{8,4096}={0,2})")

_ENV_VALUE = re.compile(r"=[\"']?(?P<value>[A-Za-z0-9_+/-]{22,512}={0,2})(?=[\s\\\"'<]|\Z)")
_ENV_NAME = re.compile(r"(?:^|[\s>\"'+]|\\n)(?P<name>[A-Z][A-Z0-9_]{1,60})\Z")
_NOT_OPENING = re.compile(
    r"SHA|HASH|DIGEST|CHECKSUM|INTEGRITY|COMMIT|REV|VERSION|PATH|URL|HOST|_ID\Z|UUID|PUBLIC|FINGERPRINT|ETAG|CACHE|BUILD|IMAGE|TAG|DATA"
)

_PEM_EDGE = re.compile(r"-----(?P<edge>BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"(?:[A-Za-z0-9+/=]|(?:\r?\n|\\{1,4}r|\\{1,4}n)[ \t]{0,24}|\\/)*")
_PEM_TEXT = re.compile(r"[A-Za-z0-9+/=]{8}")
_PEM_LIMIT: Final = 32_768  # characters between BEGIN and END; beyond that they do not belong together
_PEM_BREAK = re.compile(r"(?:\r?\n|\\{1,4}r|\\{1,4}n){1,4}[ \t]{0,24}")
_PEM_LINE = re.compile(r"(?:[A-Za-z0-9+/=]|\\/)*")
_PEM_WIDTH: Final = 40  # characters that every line but the last one has at least
_PEM_PIECE: Final = 16  # characters of a line that was cut
_PUTTY = re.compile(
    r"Private-Lines: [0-9]{1,3}(?:\r?\n|\\n)(?P<value>(?:[A-Za-z0-9+/=]{1,80}(?:\r?\n|\\n|\Z)){1,200})"
)

_AWS_PAIR = re.compile(
    r"A[KS]IA[A-Z0-9]{16}[\"'`]{0,2}[ \t]{0,4}(?:[,;:|/\s]|and|\\n){1,3}[ \t]{0,4}[\"'`]{0,2}"
    r"(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
)


def placed(text: str) -> Iterator[Span]:
    """Every secret that its place gives away."""
    if "PRIVATE KEY" in text:
        yield from _private_keys(text)
    if "AKIA" in text or "ASIA" in text:
        yield from (_span(found, "aws-secret") for found in _AWS_PAIR.finditer(text))
    if "Private-Lines" in text:
        yield from (_span(found, "private-key") for found in _PUTTY.finditer(text))
    if "/a/" in text:
        for found in _AGENT_PATH.finditer(text):
            if opaque(found["token"], 20):
                yield Span(found.start("token"), found.end("token"), "metaclaw-token")
    if "://" in text:
        yield from _userinfo(text)
    if "sig" in text or "Sig" in text or "X-Amz-Sec" in text:
        yield from (_span(found, "signed-address") for found in _SIGNED.finditer(text))
    yield from _schemes(text)
    if "=" in text:
        yield from _environment(text)


def _span(found: re.Match[str], kind: str) -> Span:
    return Span(found.start("value"), found.end("value"), kind)


def _private_keys(text: str) -> Iterator[Span]:
    """PEM blocks go whole; of one whose beginning or end is missing, all that reads like its body."""
    edges = list(_PEM_EDGE.finditer(text))
    past = 0
    for index, edge in enumerate(edges):
        after = edges[index + 1] if index + 1 < len(edges) else None
        if edge.start() < past:
            continue
        if edge["edge"] == "END":
            start = _body_before(text, max(past, edges[index - 1].end() if index else 0), edge.start())
            if start < edge.start():
                past = edge.end()
                yield Span(start, past, "private-key")
            continue
        if after and after["edge"] == "END" and after.start() - edge.end() <= _PEM_LIMIT:
            body, end = after.start(), after.end()
        else:
            found = _PEM_BODY.match(text, edge.end())
            body = end = found.end() if found else edge.end()
        if _PEM_TEXT.search(text, edge.end(), body):
            past = end
            yield Span(edge.start(), end, "private-key")


def _body_before(text: str, floor: int, end: int) -> int:
    """Where the lines begin that end at `end` and read like a key whose beginning was cut off, as the last
    lines of a file are; `end` itself where there are none."""
    floor = max(floor, end - _PEM_LIMIT)
    breaks = [found.span() for found in _PEM_BREAK.finditer(text, floor, end)]
    start = stop = end
    wide = short = 0
    for before, begins in reversed([(floor, floor), *breaks]):
        size = stop - begins
        if not _PEM_LINE.fullmatch(text, begins, stop):
            break
        if size >= _PEM_WIDTH:
            wide, start = wide + 1, begins
        elif wide or short:  # only the last line is shorter, and the first where it was cut
            if size >= _PEM_PIECE:
                wide, start = wide + 1, begins
            if size:
                break
        elif size:
            short, start = size, begins
        stop = before
    return start if wide or short >= _PEM_PIECE else end


def _userinfo(text: str) -> Iterator[Span]:
    for found in _USERINFO.finditer(text):
        user, password = found["user"], found["password"]
        if (
            password
            and MARK not in password
            and not is_placeholder(password)
            and password.lower() not in WORDS_FOR_PASSWORD
        ):
            yield Span(found.start("password"), found.end("password"), "url-password")
        if opaque(user, 20):
            yield Span(found.start("user"), found.end("user"), "url-user")


def _schemes(text: str) -> Iterator[Span]:
    if "earer" in text or "BEARER" in text:
        for found in _BEARER.finditer(text):
            if _is_bearer(found["value"]):
                yield _span(found, "bearer")
    if "asic" in text or "BASIC" in text:
        for found in _BASIC.finditer(text):
            if user_and_password(found["value"]):
                yield _span(found, "basic")


def _is_bearer(value: str) -> bool:
    if len(value) >= _BEARER_LENGTH:
        telling = any(letter.isdigit() for letter in value) or opaque(value, 20) or _is_drawn(value)
        return telling and not is_placeholder(value)
    # Somebody chose it, unless it is an algorithm, a version or the end of a sentence about bearers.
    return "." not in value.rstrip(".") and is_secret(Promise.PASSWORD, Form.SAID, value.rstrip("."))


def _is_drawn(value: str) -> bool:
    return value.isalpha() and not pronounceable(value)


def _environment(text: str) -> Iterator[Span]:
    """Variables whose value is random, whatever their name is."""
    for found in _ENV_VALUE.finditer(text):
        value = found["value"]
        if not opaque(value, 24) or value.islower() or value.isupper():
            continue
        name = _ENV_NAME.search(text[max(0, found.start() - 64) : found.start()])
        if name and not _NOT_OPENING.search(name["name"]):
            yield _span(found, "assignment")
