"""Passwords in commands: options of programs that take one without saying so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from metaclaw_tray.redact.spans import Span
from metaclaw_tray.redact.unquoted import whole_end
from metaclaw_tray.redact.verdict import WORDS_FOR_PASSWORD, is_placeholder

_USER = re.compile(
    r"""-(?:u|-user|-proxy-user|U|a|-auth)(?:[ \t]+|=)?["']?
        (?P<user>[^\s:"'/%$]{1,64})[:%](?P<value>[^\s"'`/][^\s"'`]{1,255})""",
    re.VERBOSE,
)
_CURL_COOKIE = re.compile(r"""(?<!\S)(?:-b|--cookie)[ \t=]["']?(?P<value>[\w.-]{1,64}=[^"'\n]{8,4096})""")
_OTHER_USERS = re.compile(r"\b(?:docker|podman|kubectl|chown|install|rsync|journalctl|sudo)\b")
_ARGUMENT: Final = 256  # characters of one
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
_AFTER_LOGIN: Final = frozenset({"docker", "podman", "helm", "az"})  # elsewhere -p is a port or a project
_GLUED: Final = ("mysql", "mariadb")  # after a space comes the database
_OPENSSL = re.compile(r"-pass(?:in|out)?[ =]pass:(?P<value>[^\s\"'`]{4,256})")
_HTPASSWD = re.compile(
    r"htpasswd[ \t]+-\w*b\w*[ \t]+[^\s]{1,256}[ \t]+[^\s]{1,64}[ \t]+(?P<value>[^\s]{3,256})"
)
_IDENTIFIED = re.compile(
    r"""(?i)\b(?:create|alter|grant)\b[^\n;]{1,160}?\bidentified[ ]+(?:with[ ]+\w+[ ]+)?by[ ]+"""
    r"""["'](?P<value>[^"'\n]{3,256})"""
)
_NETRC = re.compile(r"login[ \t]+[^\s]{1,128}\s+password[ \t]+(?P<value>[^\s\"'\\]{3,256})")
_PGPASS = re.compile(
    r"(?<![\w.-])[\w.*-]{1,128}:5432:[\w*-]{1,64}:[\w*.@-]{1,64}:(?P<value>[^\s:]{4,256})(?!\S)"
)
_PHRASES: Final = (
    ("curl ", _CURL_COOKIE),
    ("pass:", _OPENSSL),
    ("htpasswd", _HTPASSWD),
    ("dentified", _IDENTIFIED),
    ("DENTIFIED", _IDENTIFIED),
    ("password ", _NETRC),
    (":5432:", _PGPASS),
)


def commanded(text: str) -> Iterator[Span]:
    """Every password that stands where a program expects one."""
    if "-u" in text or "--" in text or "-U" in text or "-a " in text:
        for found in _USER.finditer(text):
            if found.start() and text[found.start() - 1] not in " \t\n\"'`(":
                continue
            line = text[max(0, found.start() - 200) : found.start()].rpartition("\n")[2]
            value, user = found["value"], found["user"]
            if not (
                is_placeholder(value)
                or is_placeholder(user)
                or (value.isdigit() and user.isdigit())
                or value.lower() in WORDS_FOR_PASSWORD
                or _OTHER_USERS.search(line)
            ):
                first, last = found.span("value")
                before = text[found.start("user") - 1]
                quote = before if before in "\"'" else ""
                yield Span(first, _argument_end(text, first, last, quote), "command-line")
    for found in _PROGRAM.finditer(text) if _mentions_program(text) else ():
        option = _short_option(text, found.end(), found[0])
        if option:
            yield option
    for literal, pattern in _PHRASES:
        if literal in text:
            for found in pattern.finditer(text):
                if not is_placeholder(found["value"]) and found["value"].lower() not in WORDS_FOR_PASSWORD:
                    yield Span(*found.span("value"), "command-line")


def _argument_end(text: str, first: int, last: int, quote: str) -> int:
    """Where the argument ends that is known up to `last`: at its quote, else at white space."""
    if not quote:
        return whole_end(text, first, last)
    closing = text.find(quote, last, last + _ARGUMENT)
    return last if closing < 0 or "\n" in text[last:closing] else closing


def _mentions_program(text: str) -> bool:
    return " -p" in text or " -a " in text or " -w " in text or " -P" in text


def _short_option(text: str, start: int, program: str) -> Span | None:
    wanted = _TAKES_SECRET.get(program[:2])
    line = text[start : start + 240].partition("\n")[0]
    if wanted is None or (program in _AFTER_LOGIN and "login" not in line[:32]):
        return None
    for found in _SHORT_OPTION.finditer(line):
        value = found["value"]
        if found["name"] != wanted or (found["gap"] and program.startswith(_GLUED)):
            continue
        if is_placeholder(value):
            return None  # it has its password already
        if value.startswith("-"):
            continue
        if (re.fullmatch(r"[\d.:/a-z-]*\d{2,5}(?::\d+)?(?:/(?:tcp|udp))?", value) and ":" in value) or (
            value.isdigit() and len(value) < 6
        ):
            continue  # a port
        first, last = start + found.start("value"), start + found.end("value")
        return Span(first, _argument_end(text, first, last, found["quote"]), "command-line")
    return None
