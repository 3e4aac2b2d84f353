"""How many tokens a text will be, without a model's own tokenizer.

Tokenizers of today cut a text into pieces first (words with the character before them, digits, runs of
marks, white space), all by nearly the same rule, and then each piece into tokens of their vocabulary. The
first step is done here; the second is replaced by what a piece of its kind costs on average, measured with
the vocabulary of Qwen 2.5 on English, program code, JSON, Chinese, Japanese, Korean and others. On texts of
some thousand characters of the first six the error is seldom above 10 %, and smaller on longer ones.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

_PIECE = re.compile(
    r"(?:[^\r\n\w]|_)?[^\W\d_]+"  # a word, with the one character before it
    r"|\d"
    r"| ?(?:[^\s\w]|_)+[\r\n]*"  # marks
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]")  # of camelCase
_COMMON = 9  # letters up to which a word is mostly one token
_REMEMBERED = 32  # characters; longer pieces are rare, and would fill the memory of costs

# Tokens for each character of a script, from its first code point on.
_SCRIPTS = (
    (0x0000, 0.29),
    (0x0080, 1.0),  # accents
    (0x0370, 0.9),
    (0x0400, 0.37),  # Cyrillic
    (0x0530, 0.9),
    (0x1E00, 0.2),  # Vietnamese, beside plain letters
    (0x1F00, 0.9),
    (0x3040, 0.55),  # kana
    (0x3100, 0.6),  # Chinese characters
    (0xAC00, 0.7),  # hangul
    (0xD7B0, 0.6),
    (0xFF00, 1.2),  # wide forms
    (0xFFF0, 1.7),
)


def tokens_in(text: str) -> int:
    """The text's tokens, about. Takes time linear in the text: some 2 ms for 10,000 characters."""
    pieces = Counter(_PIECE.findall(text))
    return round(sum(_cost(piece) * times for piece, times in pieces.items()))


def _cost(piece: str) -> float:
    return _remembered(piece) if len(piece) <= _REMEMBERED else _measured(piece)


def _measured(piece: str) -> float:
    last = piece[-1]
    if last.isspace() and piece.isspace():
        return 1.9 if "\n" in piece else 0.85
    if last.isalpha():
        before = "" if piece[0].isalpha() else piece[0]
        word = piece[len(before) :]
        if not word.isascii():
            return 0.28 + sum(map(_script, word))
        return _word(word, before)
    if last.isdecimal():
        return 1.0
    marks = piece.strip(" \r\n")
    if marks.isascii():
        return 1.0 + 0.05 * max(0, len(marks) - 2)
    return sum(max(1.17, _script(mark)) for mark in marks)


def _word(word: str, before: str) -> float:
    """A word of plain letters. `before` is the character that stands before it."""
    humps = _HUMP.findall(word)
    if len(humps) > 1:
        return 0.5 + 1.27 * (len(humps) - 1) + 0.6 * sum(map(str.isupper, humps))
    if len(word) > 1 and word.isupper():
        return {"": 2.1, " ": 1.05}.get(before, 1.2)
    beyond = max(0, len(word) - _COMMON)
    return 0.95 + 0.06 * beyond if before == " " else 1.35 + 0.25 * beyond


def _script(character: str) -> float:
    point = ord(character)
    return next(cost for first, cost in reversed(_SCRIPTS) if point >= first)


_remembered = lru_cache(maxsize=16384)(_measured)
