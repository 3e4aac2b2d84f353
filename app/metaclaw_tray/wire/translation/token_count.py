"""How many tokens a text will be, without a model's own tokenizer.

Tokenizers of today cut a text into pieces first (words with the character before them, digits, runs of
marks, white space), all by nearly the same rule, and then each piece into tokens of their vocabulary. The
first step is done here; the second is replaced by what a piece of its kind costs on average (`token_rates`).
That depends on the language, which small words and letters tell (`token_languages`), and on the vocabulary,
which the model's name tells (`token_families`): the same Vietnamese is 190 tokens to one and 310 to another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from metaclaw_tray.wire.translation.token_families import ANY
from metaclaw_tray.wire.translation.token_languages import ENGLISH, OTHER, language_of
from metaclaw_tray.wire.translation.token_rates import RESTS, WORDS

_PIECE = re.compile(
    r"(?:[^\r\n\w]|_)?[^\W\d_]+(?:[\u0300-\u036f\u0900-\u0e7f]+[^\W\d_]*)*"  # a word, one mark before
    r"|\d"
    r"| ?(?:[^\s\w]|_)+[\r\n]*"  # marks
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]")  # of camelCase
_COMMON = 9  # letters up to which an English word is mostly one token
_REMEMBERED = 32  # characters; longer pieces are rare, and would fill the memory of costs
_MOST = 16_384  # pieces whose cost is remembered
_LONG = 600  # characters of a text from which on its parts may be in different languages
_ENGLISH_WORD, _MARK = 0.99, 0.95  # tokens

# Scripts by their first code points, and the language whose rates count for them; where there is none, tokens
# for each character, as in the vocabulary of Qwen 2.5.
_SCRIPTS: tuple[tuple[int, str | float], ...] = (
    (0x0000, OTHER),
    (0x0250, 1.0),
    (0x0370, "greek"),
    (0x0400, "russian"),
    (0x0530, 0.9),
    (0x0590, "hebrew"),
    (0x0600, "arabic"),
    (0x0700, 0.9),
    (0x0900, "hindi"),
    (0x0980, 0.9),
    (0x1E00, OTHER),
    (0x1F00, "greek"),
    (0x2000, 0.9),
    (0x2E80, "chinese"),
    (0x3040, "japanese"),
    (0x3100, "chinese"),
    (0xAC00, "korean"),
    (0xD7B0, 0.6),
    (0xFF00, 1.2),  # wide forms
    (0xFFF0, 1.7),
)
_KANA = re.compile(r"[\u3040-\u30ff]")
_UKRAINIAN = re.compile(r"[іїєґІЇЄҐ]")


def tokens_in(text: str, family: int = ANY) -> int:
    """The text's tokens, about, in the vocabulary of a family of models (`token_families.family_of`). Takes
    time linear in the text."""
    if len(text) < _LONG:
        return round(_tokens(text, family))
    return round(sum(_tokens(part, family) for part in _parts(text)))


def _parts(text: str) -> Iterator[str]:
    """The text in parts of some length that end between paragraphs."""
    start = 0
    while (end := text.find("\n\n", start + _LONG)) >= 0:
        yield text[start : end + 2]
        start = end + 2
    yield text[start:]


def _tokens(text: str, family: int) -> float:
    pieces = Counter(_PIECE.findall(text))
    latin, cyrillic, han = _languages(text, pieces)
    known = _costs(latin, cyrillic, han, family)
    if len(known) > _MOST:
        known.clear()
    total = 0.0
    for piece, times in pieces.items():
        cost = known.get(piece)
        if cost is None:
            cost = _measured(piece, latin, cyrillic, han, family)
            if len(piece) <= _REMEMBERED:
                known[piece] = cost
        total += cost * times
    return total


@lru_cache(maxsize=64)
def _costs(latin: str, cyrillic: str, han: str, family: int) -> dict[str, float]:  # noqa: ARG001
    """What pieces cost in texts of these languages, as far as it was measured before."""
    return {}


def _languages(text: str, pieces: Mapping[str, int]) -> tuple[str, str, str]:
    """The languages of the text's words in Latin letters, in Cyrillic ones, and in Chinese characters."""
    words: dict[str, int] = {}
    for piece, times in pieces.items():
        word = _word_of(piece)
        if word:
            words[word] = words.get(word, 0) + times
    if text.isascii():
        return language_of(words), "russian", "chinese"
    cyrillic = "ukrainian" if _UKRAINIAN.search(text) else "russian"
    return language_of(words), cyrillic, "japanese" if _KANA.search(text) else "chinese"


@lru_cache(maxsize=16384)
def _word_of(piece: str) -> str:
    """The word of Latin letters in a piece, in small letters; nothing where it is none."""
    word = piece if piece[0].isalpha() else piece[1:]
    if len(word) > _REMEMBERED or not word[:1].isalpha():
        return ""
    return word.lower() if _script(word[0]) is OTHER else ""


def _measured(piece: str, latin: str, cyrillic: str, han: str, family: int) -> float:
    rest, last = RESTS[family], piece[-1]
    if last.isspace() and piece.isspace():
        return 1.9 * rest.breaks if "\n" in piece else 0.85 * rest.blanks
    before = "" if piece[0].isalpha() else piece[0]
    word = piece[len(before) :]
    if word and word[0].isalpha():
        return _of_word(word, before, latin, cyrillic, han, family)
    if last.isdecimal():
        return rest.digits
    marks = piece.strip(" \r\n")
    if marks.isascii():
        return (1.0 + 0.05 * max(0, len(marks) - 2)) * rest.marks
    return sum(_of_mark(mark) for mark in marks)


def _of_mark(mark: str) -> float:
    """A mark that ASCII does not have: quotes and dashes of books are one token, pictures more."""
    return _MARK if mark < "\u2190" or "\u3000" <= mark < "\u3040" or "\uff00" <= mark < "\ufff0" else 1.9


def _of_word(word: str, before: str, latin: str, cyrillic: str, han: str, family: int) -> float:
    language = _script(word[0])
    if language is OTHER:
        language = latin
        if word.isascii() and (latin == ENGLISH or _is_name(word)):
            return _english(word, before, RESTS[family].words)
        if latin == ENGLISH:  # a word from elsewhere
            language = OTHER
    elif language == "russian":
        language = cyrillic
    elif language in ("chinese", "japanese"):
        language = han
    if isinstance(language, float):
        return 0.28 + sum(_alone(letter) for letter in word)
    each, plain, other = WORDS[language][family]
    plainly = sum(map(_is_plain, word))
    glued = 0.3 if before not in ("", " ") else 0.0
    return each + plain * plainly + other * (len(word) - plainly) + glued


def _is_plain(letter: str) -> bool:
    return letter.isascii() or "\u3040" <= letter <= "\u30ff"


def _is_name(word: str) -> bool:
    """Whether a word is written as names in programs are."""
    return len(word) > 1 and not word[1:].islower()


def _english(word: str, before: str, factor: float) -> float:
    """A word of plain letters. `before` is the character that stands before it. All vocabularies have the
    common words of English whole, by `factor` they differ in what else there is."""
    if before == " " and len(word) <= _COMMON and word[1:].islower():
        return _ENGLISH_WORD
    return _strange(word, before) * factor


def _strange(word: str, before: str) -> float:
    humps = _HUMP.findall(word)
    if len(humps) > 1:
        return 0.5 + 1.27 * (len(humps) - 1) + 0.6 * sum(map(str.isupper, humps))
    if len(word) > 1 and word.isupper():
        return {"": 2.1, " ": 1.05}.get(before, 1.2)
    beyond = max(0, len(word) - _COMMON)
    return 0.95 + 0.06 * beyond if before == " " else 1.35 + 0.25 * beyond


def _script(letter: str) -> str | float:
    point = ord(letter)
    return next(each for first, each in reversed(_SCRIPTS) if point >= first)


def _alone(letter: str) -> float:
    cost = _script(letter)
    return cost if isinstance(cost, float) else 0.6
