"""Secrets that are known by the place they stand in: addresses, commands, blocks, bearer and basic headers."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator
from typing import Final

from metaclaw_tray.redact.opacity import opaque
from metaclaw_tray.redact.spans import MARK, Span, words
from metaclaw_tray.redact.verdict import is_placeholder

_USERINFO = re.compile(
    r"""://(?P<user>[^\s/:@?\#"'<>\\]{0,128})(?::(?![0-9]{1,5}[/?\#])(?P<password>[^\s/"'<>\\]{1,256}))?@(?=[\w.\[$%{-])""",
    re.VERBOSE,
)
_WORDS_FOR_PASSWORD: Final = words("password pass passwd pwd secret pw token x-oauth-basic")

_AGENT_PATH = re.compile(r"/a/(?P<token>[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])|[A-Za-z0-9_-]{20,128}(?=/v1))")
_SIGNED = re.compile(
    r"[?&;](?:sig|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token)=(?P<value>[A-Za-z0-9%+/=_-]{32,2048})"
)

_BEARER = re.compile(r"(?i)bearer[ \t]{1,4}(?P<value>[A-Za-z0-9._~+/=-]{16,})")
_BASIC = re.compile(r"(?i)basic[ \t]{1,4}(?P<value>[A-Za-z0-9+/_-]{8,4096}={0,2})")

_USER = re.compile(
    r"""(?<![^\s"'`(])(?:-u|--user|--proxy-user|-U|-a|--auth)(?:[ \t]+|=)?["']?
        (?P<user>[^\s:"'/%$]{1,64})[:%](?P<value>[^\s"'`/][^\s"'`]{1,255})""",
    re.VERBOSE,
)
_OTHER_USERS = re.compile(r"\b(?:docker|podman|kubectl|chown|install|rsync|journalctl|sudo)\b")
_PROGRAM = re.compile(
    r"\b(?:mysql(?:dump|admin|import)?|mariadb(?:-dump)?|mongo(?:sh|dump|restore)?|sshpass|docker|podman|helm|az|"
    r"redis-cli|htpasswd|ldap(?:search|modify|add|whoami)|openssl|unzip|7z|psql)\b"
)
_SHORT_OPTION = re.compile(
    r"""[ \t]-(?P<name>[pawP])(?P<gap>[ \t]?)(?P<quote>["']?)(?P<value>[^\s"'|;&<>`]{4,256})"""
)
_TAKES_SECRET: Final = {
    "my": "p", "ma": "p", "mo": "p", "ss": "p", "do": "p", "po": "p", "he": "p", "az": "p", "re": "a",
    "ld": "w", "un": "P", "7z": "p",
}  # fmt: skip
_OPENSSL = re.compile(r"(?<![\w:])pass:(?P<value>[^\s\"'`]{4,256})")
_HTPASSWD = re.compile(
    r"htpasswd[ \t]+-\w*b\w*[ \t]+[^\s]{1,256}[ \t]+[^\s]{1,64}[ \t]+(?P<value>[^\s]{3,256})"
)
_IDENTIFIED = re.compile(r"""(?i)identified[ ]+(?:with[ ]+\w+[ ]+)?by[ ]+["'](?P<value>[^"'\n]{3,256})""")
_NETRC = re.compile(r"(?:login|user)[ \t]+[^\s]{1,128}\s+password[ \t]+(?P<value>[^\s\"'\\]{3,256})")
_PGPASS = re.compile(
    r"(?<![\w.-])[\w.*-]{1,128}:(?:5432|\*):[\w*-]{1,64}:[\w*.@-]{1,64}:(?P<value>[^\s:]{4,256})(?!\S)"
)
_ENV_LINE = re.compile(
    r"\n(?:export[ \t]+)?(?P<name>[A-Z][A-Z0-9_]{1,60})=[\"']?(?P<value>[A-Za-z0-9_+/=-]{24,512})[\"']?(?=\s|\Z)"
)
_NOT_OPENING = re.compile(
    r"SHA|HASH|DIGEST|CHECKSUM|INTEGRITY|COMMIT|REV|VERSION|PATH|URL|HOST|_ID\Z|UUID|PUBLIC|FINGERPRINT|ETAG|CACHE|BUILD|IMAGE|TAG|DATA"
)

_PEM_EDGE = re.compile(r"-----(?P<edge>BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"(?:[A-Za-z0-9+/=]|(?:\r?\n|\\{1,4}r|\\{1,4}n)[ \t]{0,24}|\\/)*")
_PEM_TEXT = re.compile(r"[A-Za-z0-9+/=]{8}")
_PEM_LIMIT: Final = 32_768  # characters between BEGIN and END; beyond that they do not belong together
_PUTTY = re.compile(
    r"Private-Lines: [0-9]{1,3}(?:\r?\n|\\n)(?P<value>(?:[A-Za-z0-9+/=]{1,80}(?:\r?\n|\\n|\Z)){1,200})"
)


def placed(text: str) -> Iterator[Span]:
    """Every secret that its place gives away."""
    if "PRIVATE KEY" in text:
        yield from _private_keys(text)
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
    yield from _commands(text)
    if "=" in text:
        yield from _environment(text)


def _span(found: re.Match[str], kind: str) -> Span:
    return Span(found.start("value"), found.end("value"), kind)


def _private_keys(text: str) -> Iterator[Span]:
    """PEM blocks go whole; of one whose end is missing, all that reads like its body."""
    edges = list(_PEM_EDGE.finditer(text))
    past = 0
    for edge, after in zip(edges, [*edges[1:], None], strict=True):
        if edge["edge"] == "END" or edge.start() < past:
            continue
        if after and after["edge"] == "END" and after.start() - edge.end() <= _PEM_LIMIT:
            body, end = after.start(), after.end()
        else:
            found = _PEM_BODY.match(text, edge.end())
            body = end = found.end() if found else edge.end()
        if _PEM_TEXT.search(text, edge.end(), body):
            past = end
            yield Span(edge.start(), end, "private-key")


def _userinfo(text: str) -> Iterator[Span]:
    for found in _USERINFO.finditer(text):
        user, password = found["user"], found["password"]
        if (
            password
            and MARK not in password
            and not is_placeholder(password)
            and password.lower() not in _WORDS_FOR_PASSWORD
        ):
            yield Span(found.start("password"), found.end("password"), "url-password")
        if opaque(user, 20):
            yield Span(found.start("user"), found.end("user"), "url-user")


def _schemes(text: str) -> Iterator[Span]:
    if "earer" in text or "BEARER" in text:
        for found in _BEARER.finditer(text):
            if any(letter.isdigit() for letter in found["value"]) and not is_placeholder(found["value"]):
                yield _span(found, "bearer")
    if "asic" in text or "BASIC" in text:
        for found in _BASIC.finditer(text):
            if _is_user_and_password(found["value"]):
                yield _span(found, "basic")


def _is_user_and_password(value: str) -> bool:
    try:
        decoded = b64decode(
            value + "=" * (-len(value) % 4), altchars=b"-_" if set(value) & {"-", "_"} else None
        )
    except (NotBase64, ValueError):
        return False
    return b":" in decoded and decoded.isascii() and decoded.decode().isprintable()


def _commands(text: str) -> Iterator[Span]:
    """Options of programs that take a password without saying so."""
    if "-u" in text or "--" in text or "-U" in text or "-a " in text:
        for found in _USER.finditer(text):
            line = text[max(0, found.start() - 200) : found.start()].rpartition("\n")[2]
            value, user = found["value"], found["user"]
            if not (
                is_placeholder(value)
                or is_placeholder(user)
                or (value.isdigit() and user.isdigit())
                or _OTHER_USERS.search(line)
            ):
                yield _span(found, "command-line")
    for found in _PROGRAM.finditer(text) if _mentions_program(text) else ():
        wanted = _TAKES_SECRET.get(found[0][:2])
        option = _short_option(text, found.end(), wanted) if wanted else None
        if option:
            yield option
    for literal, pattern in _PHRASES:
        if literal in text:
            for found in pattern.finditer(text):
                if not is_placeholder(found["value"]) and found["value"].lower() not in _WORDS_FOR_PASSWORD:
                    yield _span(found, "command-line")


_PHRASES: Final = (
    ("pass:", _OPENSSL),
    ("htpasswd", _HTPASSWD),
    ("dentified", _IDENTIFIED),
    ("DENTIFIED", _IDENTIFIED),
    ("password ", _NETRC),
    (":5432:", _PGPASS),
    (":*:", _PGPASS),
)


def _mentions_program(text: str) -> bool:
    return " -p" in text or " -a " in text or " -w " in text or " -P" in text


def _short_option(text: str, start: int, wanted: str) -> Span | None:
    line = text[start : start + 240].partition("\n")[0]
    for found in _SHORT_OPTION.finditer(line):
        value = found["value"]
        if found["name"] != wanted or is_placeholder(value) or value.startswith("-"):
            continue
        if (re.fullmatch(r"[\d.:/a-z-]*\d{2,5}(?::\d+)?(?:/(?:tcp|udp))?", value) and ":" in value) or (
            value.isdigit() and len(value) < 6
        ):
            continue  # a port
        return Span(start + found.start("value"), start + found.end("value"), "command-line")
    return None


def _environment(text: str) -> Iterator[Span]:
    """Lines of an `.env` file whose value is random, whatever the name is."""
    for found in _ENV_LINE.finditer(text if text.startswith("\n") else "\n" + text):
        value = found["value"]
        if _NOT_OPENING.search(found["name"]) or not opaque(value, 24) or value.islower() or value.isupper():
            continue
        shift = 0 if text.startswith("\n") else 1
        yield Span(found.start("value") - shift, found.end("value") - shift, "assignment")
