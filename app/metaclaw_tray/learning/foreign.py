"""Links, addresses and commands in a note: each has to stand in the person's own words.

A rule that a person gives is general; what an attacker wants is a place to send something to, or a thing to
run. So these are not weighed, they have to be there letter by letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from metaclaw_tray.learning.unmask import decoded, unmasked
from metaclaw_tray.learning.wording import without_wrong

_LINK = re.compile(
    r"(?:https?|hxxps?|ftp|file|ssh|wss?|data|javascript)\s?:/{0,2}[^\s<>\"'`“”„）)\]]{3,}", re.I
)
_MAIL = re.compile(
    r"[\w.+-]{1,64}(?:@|\s?[\[(](?:at|@)[\])]\s?)[\w-]{1,64}(?:(?:\.|\s?[\[(]dot[\])]\s?)[\w-]{2,})+", re.I
)
_TLDS = (
    "com|net|org|io|ai|app|dev|co|info|biz|xyz|top|site|online|shop|store|cloud|link|click|page|example|test|invalid"
    "|onion|local|nl|de|fr|es|be|eu|uk|us|cn|ru|it|pl|ch|at|me|tv|cc|tk|ml|gg|to|ly"
)
_HOST = re.compile(
    r"(?<![\w@/.-])(?:[a-z0-9](?:[a-z0-9-]{0,62})(?:\.|\[\.\]|\s?[\[(]dot[\])]\s?| dot )){1,6}"
    rf"(?:{_TLDS})(?![\w-])",
    re.I,
)
_ADDRESS = re.compile(
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\b0x[0-9a-f]{20,}\b|\b(?:bc1|[13])[a-km-z0-9]{25,60}\b", re.I
)
_PROGRAMS = (
    "curl|wget|bash|sh|zsh|powershell|pwsh|cmd|python3?|node|npx|npm|pnpm|yarn|pip3?|pipx|uvx?|gem|cargo|go|brew|apt"
    "|apt-get|dnf|yum|docker|kubectl|ssh|scp|sftp|rsync|nc|ncat|telnet|git|gh|chmod|chown|sudo|su|rm|mv|cp|dd|mkfs"
    "|kill|crontab|systemctl|launchctl|eval|exec|source|make|export|openssl|gpg|base64|osascript|reg|start|iwr|irm"
    "|iex|invoke-webrequest|invoke-expression|metaclaw-tray|claude|codex"
)
_SPAN = re.compile(r"`([^`\n]{2,300})`")
_COMMAND = re.compile(rf"^(?:[$>#]\s*)?(?:sudo\s+)?(?:{_PROGRAMS})\b(?:\s|$)|^\.{{0,2}}/[\w.-]+", re.I)
# In running text only where it cannot be an English word: with a flag, a path or an address behind it.
_BARE = re.compile(
    rf"(?<![\w/-])(?:{_PROGRAMS})(?:\s+[\w.-]+){{0,3}}\s+(?:-{{1,2}}[a-z][\w-]*|[~.]{{0,2}}/[\w./-]+|https?:\S+)"
    r"[^\n.;。\"“”„«»‘’`]{0,80}"
    r"|(?<![\w/.~-])(?:~|\.{1,2})?/(?:[\w.-]+/)+[\w.-]*|(?<!\w)[a-z]:\\[\w\\.-]+"
    r"|(?<![\w-])--[a-z][\w-]{3,}(?:=\S+)?"
    r"|\b[\w-]+\.(?:sh|ps1|bat|exe|cmd)\b",
    re.I,
)
_PLAIN = re.compile(r"[\w.]+")
_END = " \t.,;:!?)]}>’”\"'`。，；："


def foreign_things(text: str, own: str, seen: str = "") -> list[str]:
    """Links, addresses and commands of a text that are not in the person's own words. Of a command its plain
    words may stand in what the agent itself did (`seen`); its options and paths may not."""
    said, known = _squeezed(own), _squeezed(f"{own}\n{seen}")
    found = []
    for each in (text, *decoded(text)):
        plain = unmasked(each)
        found += [thing for thing in _places(plain) if _squeezed(thing) not in said]
        found += [thing for thing in _commands(without_wrong(plain)) if not _is_known(thing, said, known)]
    return list(dict.fromkeys(found))


def _places(plain: str) -> Iterator[str]:
    for pattern in (_LINK, _MAIL, _HOST, _ADDRESS):
        for found in pattern.finditer(plain):
            yield found.group().strip(_END)


def _commands(plain: str) -> Iterator[str]:
    for span in _SPAN.finditer(plain):
        if _COMMAND.search(span[1].strip()):
            yield span[1].strip()
    for found in _BARE.finditer(_SPAN.sub(" ", plain)):
        yield found.group().strip(_END)


def _is_known(command: str, said: str, known: str) -> bool:
    if _squeezed(command) in said:
        return True
    words = command.split()
    return all(_squeezed(word) in (known if _PLAIN.fullmatch(word) else said) for word in words)


def _squeezed(text: str) -> str:
    return re.sub(r"[\s`]+", "", unmasked(text))
