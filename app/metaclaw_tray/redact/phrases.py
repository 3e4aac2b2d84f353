"""Phrases that open a wallet: twelve to twenty-four plain words, known by the name before them.

The words of BIP 39 have three to eight letters; a sentence hardly ever has twelve such words in a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from metaclaw_tray.redact.spans import Span

HINTS: Final = frozenset({"mnemonic", "phrase", "seed"})
"""A text in small letters that holds none of these names no such phrase."""

_NAME = r"(?i:mnemonic|(?:seed|recovery|backup|wallet|secret)[ _-]?(?:recovery[ _-]?)?(?:phrase|words?)|seed)"
_NUMBER = r"(?:[0-9]{1,2}[.):]?[ ]{0,2})?"
_WORDS = rf"{_NUMBER}[a-z]{{3,8}}(?:(?:[ ,\t]{{1,3}}|\r?\n|\\n){_NUMBER}[a-z]{{3,8}}){{11,23}}(?![A-Za-z])"
_NAMED = re.compile(
    rf"{_NAME}[\"'`*]{{0,3}}[ \t]{{0,3}}(?:(?:is|=>?|:)[ \t]{{0,3}}(?:\r?\n){{0,2}}|(?:\r?\n){{1,2}})"
    rf"[\"'`*]{{0,3}}(?P<value>{_WORDS})"
)
_IS_NAME = re.compile(rf"(?:\w{{0,24}}[_-])?{_NAME}")
_IS_PHRASE = re.compile(rf"\s*{_WORDS}\s*")


def phrased(text: str, folded: str) -> Iterator[Span]:
    """Every phrase with its name before it. `folded` is the text in small letters."""
    if any(hint in folded for hint in HINTS):
        for found in _NAMED.finditer(text):
            yield Span(*found.span("value"), "seed-phrase")


def is_phrase(name: str, text: str) -> bool:
    """Whether the text under this name is such a phrase and nothing else."""
    return _IS_NAME.fullmatch(name) is not None and _IS_PHRASE.fullmatch(text) is not None
