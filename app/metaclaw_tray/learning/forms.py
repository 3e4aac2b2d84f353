"""Forms that a person shows in a remark, "07h30" or "2026/03/01": whether an answer has one, code can tell.

A figure stands for any other, so "16h40" has the form of "07h30". A token of code without a figure stands
for itself: `set -euo` or `---` is meant as it is written. Words have no form, and neither have bare numbers,
hyphenated words and addresses.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[^\s\"'“”„«»‘’()`，。；：！？、]+")
_EDGES = ".,;:!?…"
_CODE = re.compile(r"[_/\\<>=#$%&*+|~^@{}\[\]]|[a-z]\.[a-z]|^[^\w\s]{2,}$")
_LETTERS = re.compile(r"[^\W\d_]+")


def tokens(text: str) -> list[str]:
    """The pieces of a text between spaces, quotes and round brackets, without the stops around them."""
    return [each for piece in _TOKEN.findall(text) if (each := piece.strip(_EDGES) or piece)]


def form_of(token: str) -> str:
    """What a token looks like that is no word: with figures 0 and letters a; "" where it is a word."""
    figures = has_digit(token)
    if "://" in token or (figures and token.isdecimal()) or not (figures or _CODE.search(token)):
        return ""
    looks = _LETTERS.sub("a", re.sub(r"\d", "0", token.casefold()))
    return re.sub(r"(?:-a)+", "-a", looks)


def has_digit(token: str) -> bool:
    return any(letter.isdigit() for letter in token)


def forms_in(text: str) -> frozenset[str]:
    """The forms in a text: of what has a figure how it looks, of other code the token itself."""
    shown = ((each, form_of(each)) for each in tokens(text))
    return frozenset(form if has_digit(each) else each for each, form in shown if form)


def shown_in(remark: str, *before: str) -> frozenset[str]:
    """The forms that a remark asks for: those in it that neither the request nor the rejected answer has."""
    return forms_in(remark).difference(*map(forms_in, before))
