"""Whether a value looks as if a machine had drawn it, or as if somebody had written it.

The measure is how often a run changes between small letters, capitals and digits. Random letters change at
every second character; words, camelCase, versions and dates far less often.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as NotBase64
from typing import Final

_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_RUNS = re.compile(r"[A-Za-z0-9]+")
_HEX = re.compile(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
_UUID = re.compile(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\Z")

_CONSONANTS = re.compile(r"(?i)[b-df-hj-np-tv-xz]{5}")
_VOWELS = re.compile(r"(?i)[aeiouy]")

_LONGEST_MEAN: Final = 3.4  # characters between two changes; random base64 has under 2, camelCase over 4


def turns_within(value: str) -> int:
    """How often the kind of character changes within the runs of letters and digits."""
    return len(_WORDS.findall(value)) - len(_RUNS.findall(value))


def opaque(value: str, least: int) -> bool:
    """Whether a value of at least this many characters looks random."""
    if len(value) < least:
        return False
    words = _WORDS.findall(value)
    letters = sum(map(len, words))
    runs = _RUNS.findall(value)
    within = len(words) - len(runs)
    if not words or letters * 3 < len(value) * 2 or within < max(2, letters // 8):
        return False
    if letters / len(words) > _LONGEST_MEAN:
        return False
    digits = sum(len(word) for word in words if word[0].isdigit())
    if digits == 0:  # camelCase changes at capitals alone, and its words are longer
        return letters >= 16 and letters / len(words) < 3.2
    return True


def hexadecimal(value: str) -> bool:
    """Whether the value may be a hash or an id as well as a key."""
    return bool(_HEX.match(value) or _UUID.match(value))


def user_and_password(value: str) -> bool:
    """Whether the value is `user:password` in base64, as basic authentication and Docker write it."""
    try:
        decoded = b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (NotBase64, ValueError):
        return False
    return b":" in decoded[1:-1] and decoded.isascii() and decoded.decode().isprintable()


def pronounceable(value: str) -> bool:
    """Whether letters may be a word, or words without a space: vowels, and nowhere five consonants."""
    return not (
        len(value) >= 20 and (_CONSONANTS.search(value) or len(_VOWELS.findall(value)) * 4 < len(value))
    )
