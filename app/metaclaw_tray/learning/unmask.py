"""Text as it is read once its disguise is off.

Whoever hides an order from a person writes it with letters that look like others, characters that cannot be
seen, digits for letters, or encoded. A model reads it all the same, so whatever looks for orders has to.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from metaclaw_tray.skills.words import fold

_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0100-\U000e01ef]"
)
_TAGS = re.compile("[\U000e0020-\U000e007e]")  # a copy of ASCII that no font shows
_ALIKE = str.maketrans(
    "авекмнорстухіјѕԁԛԝһӏьгп" + "αβγεηικμνορστυχω" + "օոսցհ" + "ıɡɑℓ" + "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "abekmhopctyxijsdqwhlbrn" + "abyenikuvopotuxw" + "onugh" + "igal" + "abcdefghijklmnoprstuvwyz",
)
_LEET = str.maketrans("0134578@$!|", "oieastbasil")
_WORD = re.compile(r"\S+")
_LETTER = re.compile("[a-z]")
_SPACED = re.compile(r"(?<!\w)(?:\w[ .\-_*·]){3,60}\w(?!\w)")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,4000}={0,2}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}[ :]?){8,2000}")
_ESCAPES = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_LOOKED_AT = 40_000  # characters
_PRINTABLE_SHARE = 0.9
_LAYERS = 2  # of encoding


def unmasked(text: str) -> str:
    """The text in small plain letters: without what cannot be seen, without other alphabets' likenesses."""
    text = _TAGS.sub(lambda found: chr(ord(found.group()) - 0xE0000), text)
    text = _HIDDEN.sub("", html.unescape(text))
    return fold(fold(text).translate(_ALIKE))


def readings(text: str) -> tuple[str, ...]:
    """All the ways in which the text can be read, each in small plain letters; the plain one first."""
    found: dict[str, None] = {}
    text = text[:_LOOKED_AT]
    for layer in (text, *decoded(text)):
        plain = unmasked(layer)
        found[plain] = None
        found[_WORD.sub(_spelt_out, plain)] = None
        found[_SPACED.sub(lambda run: re.sub(r"[\W_]", "", run.group()), plain)] = None
    plain = unmasked(text)
    found[codecs.decode(plain, "rot13")] = None
    found[plain[::-1]] = None
    return tuple(found)


def decoded(text: str, layers: int = _LAYERS) -> list[str]:
    """What is encoded in a text: base64, hex, per cent, escapes; encoded again in that, too."""
    text = _HIDDEN.sub("", text[:_LOOKED_AT])
    found = [each for each in _decoded(text) if each and each != text]
    if layers > 1:
        found += [inner for each in list(found) for inner in decoded(each, layers - 1)]
    return found


def has_unseen(text: str) -> bool:
    """Whether a text holds characters that a person who reads it cannot see."""
    return bool(_TAGS.search(text) or _HIDDEN.search(text))


def _spelt_out(word: re.Match[str]) -> str:
    """A word with the letters that its digits stand for; a number stays one."""
    return word.group().translate(_LEET) if _LETTER.search(word.group()) else word.group()


def _decoded(text: str) -> Iterator[str]:
    for run in _BASE64.findall(text):
        plain = run.rstrip("=").replace("-", "+").replace("_", "/")
        try:
            yield _readable(base64.b64decode(plain + "=" * (-len(plain) % 4)))
        except (binascii.Error, ValueError):
            continue
    for run in _HEX.findall(text):
        yield _readable(bytes.fromhex(re.sub(r"[ :]", "", run)))
    if "%" in text:
        yield unquote(text, errors="ignore")
    if "\\" in text:
        yield _ESCAPES.sub(lambda found: chr(int(found[1] or found[2], 16)), text)


def _readable(raw: bytes) -> str:
    """The bytes as text; empty where they are none."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    shown = sum(each.isprintable() or each.isspace() for each in text)
    return text if text and shown >= _PRINTABLE_SHARE * len(text) else ""
