"""In which language a text is written, as far as its commonest words tell."""

from __future__ import annotations

import re

from metaclaw_tray.skills.words import fold

_COMMONEST = {
    "en": "the and is are to of in for with that this not you it be use as on or by always never when each",
    "nl": "de het een en is zijn van voor met dat dit niet je ik op te aan bij altijd nooit als geen elke",
    "de": "der die das und ist sind von fur mit dass nicht ich du ein eine im auf zu den immer nie wenn jede",
    "fr": "le la les et est sont de des du pour avec que ne pas je tu vous un une dans sur toujours jamais",
    "es": "el la los las y es son de del para con que no yo tu un una en por siempre nunca cuando cada al",
}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMONEST.items()}
_SCRIPTS = {
    "zh": re.compile("[\u3400-\u4dbf\u4e00-\u9fff]"),
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "ru": re.compile("[\u0400-\u04ff]"),
}
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_SCRIPT_SHARE = 0.3  # of the letters
_ENOUGH = 2  # words by which one language has to be ahead of the next


def language_of(text: str) -> str:
    """The language's code; empty where it cannot be told."""
    latin = len(_LATIN.findall(text))
    for language in ("ja", "ko", "ru", "zh"):
        count = len(_SCRIPTS[language].findall(text))
        if count and count >= _SCRIPT_SHARE * (count + latin / 3):  # a word of letters is about one character
            return language
    found = re.findall(r"[a-z']+", fold(text))
    counts = sorted(((sum(w in words for w in found), code) for code, words in _WORDS.items()), reverse=True)
    (most, language), (next_most, _) = counts[:2]
    return language if most >= next_most + _ENOUGH else ""
