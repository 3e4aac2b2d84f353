"""From text to the terms that skills are found by.

Words are folded (case, width, accents). Chinese, Japanese kana and other scripts without spaces become pairs
of neighbouring characters. Function words vanish; words that any request may hold count for little.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

from metaclaw_tray.skills.common import COMMON

_ACCENTS = re.compile("[\u0300-\u036f]")
_UNSPACED = (
    "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN = re.compile(f"[{_UNSPACED}]+|[^\\W_{_UNSPACED}]+")
_FIRST_UNSPACED = re.compile(f"[{_UNSPACED}]")
_WORD_LIMIT = 40  # characters; what is longer is a key or a hash, not a word

# Words that carry no subject, in the languages people here write most.
_FUNCTION = frozenset(
    """
    a about after again all also always am an and any are as at be because been before being both but by can
    could did do does don done down each else every few for from get go got had has have having he her here
    hers him his how i if in into is it its just let like make makes me more most much must my no not now of
    off ok okay on once one only or other our out over own please same shall she should so some such than
    thank thanks that the their them then there these they this those to too under until up us use using very
    want was we were what when where which while who whom why will with would yes yet you your
    aan al alle als altijd ander andere ben bij dan dat de deze die dit doe doen door dus een eens eerst en er
    ga gaan geen graag had heb hebben heeft het hier hij hoe iets ik in is je jij jou jouw kan kun kunnen maak
    maar mag me meer met mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons ook op over
    te tegen toch toen tot u uit van veel voor waar waarom was wat we wel welke werd wie wij wil willen worden
    wordt zal ze zeer zich zij zijn zo zonder zou zullen
    aber als am an auch auf aus bei bin bis bitte da das dass dein dem den der des die dies diese dir du ein
    eine einem einen einer er es fur hat habe haben ich ihr im in ist ja kann kein mein mich mir mit nach
    nicht noch nur oder sein sich sie sind so und uns vom von vor war was wenn wer wie wir wird zu zum zur
    au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur lui ma mais me mes moi mon
    ne nous on ou par pas plus pour qu que qui sa sans se ses son sont sur ta te tes toi ton tu un une vos
    votre vous y
    al como con cual del el ella en es esta este esto la las lo los mas mi muy no nos o para pero por que se
    sin su sus un una y ya yo
    """.split()  # noqa: SIM905 - a list of some hundred literals reads worse
) | frozenset(
    ("我们", "你们", "他们", "这个", "那个", "一个", "什么", "怎么", "可以", "一下", "帮我", "请你")
)

_COMMON_WEIGHT = 0.45
_ENDINGS = ("s", "es", "d", "ed", "ing", "er", "ly", "t", "e", "en")


def fold(text: str) -> str:
    """The text without case, width or accents."""
    text = unicodedata.normalize("NFKC", text).casefold()
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text)))


def words(text: str) -> list[str]:
    """All words and pairs of unspaced characters in their order, function words too."""
    found: list[str] = []
    for run in _RUN.findall(fold(text)):
        if _FIRST_UNSPACED.match(run):
            found += [run[at : at + 2] for at in range(max(1, len(run) - 1))]
        elif 1 < len(run) <= _WORD_LIMIT:
            found.append(run)
    return found


def unspaced(text: str) -> bool:
    """Whether a text has characters of a script that is written without spaces."""
    return _FIRST_UNSPACED.search(text) is not None


def telling(found: Iterable[str]) -> list[str]:
    """Those words that carry a subject."""
    return [word for word in found if word not in _FUNCTION]


def terms(text: str) -> list[str]:
    """The terms of a text in their order, repetitions kept."""
    return telling(words(text))


def pairs(found: list[str]) -> list[str]:
    """Neighbours among words, function words too, as terms of their own: "what time"."""
    return [f"{one} {other}" for one, other in pairwise(found)]


def weight(term: str) -> float:
    """How much this term tells about a subject, 0 to 1, whatever the library."""
    if term in COMMON:
        return _COMMON_WEIGHT
    for ending in _ENDINGS:
        if term.endswith(ending) and term[: -len(ending)] in COMMON:
            return _COMMON_WEIGHT
    return 1.0


def grams(word: str) -> frozenset[str]:
    """The character trigrams of a word, its ends marked."""
    marked = f"^{word}$"
    return frozenset(marked[at : at + 3] for at in range(len(marked) - 2))
