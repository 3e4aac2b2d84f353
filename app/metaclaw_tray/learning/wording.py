"""Words as patterns that can be read, and the form in which a note shows an example."""

from __future__ import annotations

import re

_WRONG = re.compile(
    r"\b(?:not|niet|nicht|non|pas|no)\b\s*(?:only |just |the |alleen )?"
    r"[“„«\"'‘][^”“»\"'’\n]{0,300}[”“»\"'’]|不是\s*[“「\"][^”」\"\n]{0,300}[”」\"]",
    re.I,
)


def either(words: str) -> str:
    """A pattern for any of these words; a low line stands for a space. They may be patterns themselves."""
    return "(?:" + "|".join(words.split()).replace("_", r"\s") + ")"


def order(verbs: str, things: str, apart: int = 24) -> str:
    """A pattern for one of these verbs with one of these things behind it in the same sentence, at most so
    many characters further on."""
    return rf"\b{either(verbs)}\b[^.!?。\n]{{0,{apart}}}?(?<!\w){either(things)}(?!\w)"


def without_wrong(text: str) -> str:
    """An example without what it shows as wrong: of “not this but that” the second."""
    return _WRONG.sub(" ", text)
