"""Texts as they are searched: letters without case and marks, words between single spaces.

A text is found by any part of it that is three letters long, and by shorter words where they stand alone.
Signs of Chinese and Japanese stand as words of their own, so that one of them is enough.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

VERSION = 1
"""Rises when any of this changes: an index that was made by another version is made anew."""

LIMIT = 20_000
"""Characters of one message that can be found."""

BETWEEN = "|"  # parts of what is searched together: no folded text has it

_PLAIN = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(128)) + bytes(128)
_NO_WORD = re.compile(r"[\W_]+")
_SIGNS = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_ASKED = re.compile(r'"([^"]*)"?|(\S+)')
_LETTERS = 3  # of a trigram
_MOST = 24  # trigrams of one part that are looked up: they are checked letter by letter afterwards
_PARTS = 12  # of what is asked


def folded(text: str) -> str:
    """The text as it is searched, with a space at either end."""
    if text.isascii():
        return f" {' '.join(text.encode().translate(_PLAIN).decode().split())} "
    plain = "".join(
        [each for each in unicodedata.normalize("NFKD", text).casefold() if not unicodedata.combining(each)]
    )
    return f" {' '.join(_NO_WORD.sub(' ', _SIGNS.sub(_apart, plain)).split())} "


@dataclass(frozen=True)
class Asked:
    """What somebody looks for: parts that must all be there, each folded, in any order."""

    parts: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.parts)

    def is_in(self, text: str) -> bool:
        """Whether a folded text holds all of it."""
        return all(part in text for part in self.parts)

    def held_by(self, text: str) -> int:
        """How much of it a folded text holds."""
        return sum(part in text for part in self.parts)

    def trigrams(self) -> list[str]:
        """What a text must hold in any case."""
        found: dict[str, None] = {}
        for part in self.parts:
            ends = len(part) - _LETTERS + 1
            for place in range(0, ends, max(1, ends // _MOST)):
                found[part[place : place + _LETTERS]] = None
        return list(found)


def asked(words: str) -> Asked:
    """What is looked for: words, and several words in quotation marks that stand side by side."""
    parts: dict[str, None] = {}
    for phrase, word in _ASKED.findall(words):
        inner = folded(phrase or word).strip()
        if inner:
            # A word shorter than three letters is found where it stands alone.
            parts[inner if len(inner) >= _LETTERS else f" {inner} "] = None
    return Asked(tuple(parts)[:_PARTS])


def marks(text: str, wanted: Asked) -> list[tuple[int, int]]:
    """Where the parts stand in a text as it was written: starts and ends, in order and apart."""
    letters, places = _mapped(text)
    found = sorted(
        (places[at], places[at + len(part) - 1] + 1)
        for part in (each.strip() for each in wanted.parts)
        for at in _occurrences(letters, part, alone=len(part) < _LETTERS)
    )
    merged: list[tuple[int, int]] = []
    for start, end in found:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _mapped(text: str) -> tuple[str, Sequence[int]]:
    """The folded text, and for each of its letters the place in the text that it comes from."""
    letters, places = [" "], [0]
    for place, each in enumerate(text):
        sign = bool(_SIGNS.match(each))
        for letter in unicodedata.normalize("NFKD", each).casefold():
            if unicodedata.combining(letter):
                continue
            letter = letter if letter.isalnum() else " "
            for made in (" ", letter, " ") if sign else (letter,):
                if made != " " or letters[-1] != " ":
                    letters.append(made)
                    places.append(place)
    if letters[-1] != " ":
        letters.append(" ")
        places.append(len(text))
    return "".join(letters), places


def _occurrences(text: str, part: str, *, alone: bool) -> Iterator[int]:
    wanted = f" {part} " if alone else part
    at = text.find(wanted)
    while at >= 0:
        yield at + alone
        at = text.find(wanted, at + len(part))


def _apart(sign: re.Match[str]) -> str:
    return f" {sign[0]} "
