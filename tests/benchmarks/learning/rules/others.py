"""Requests of other kinds, which no house rule is meant for; half of them near to one."""

from __future__ import annotations

import re

from benchmarks.learning.rules.case import Case

_MARKS = re.compile(
    r"\b\d\dh\d\d\b|\A\s*(?:```\w*\s*)?---\s|\bstatus: *draft|\.bak\b|\blog\.info\b|\benter [a-z_]+[\"']"
    r"|\b\d{4}-\d\d-\d\d-[a-z]",
    re.I,
)


def is_clean(answer: str) -> bool:
    """Whether no house rule has crept in."""
    return not _MARKS.search(answer)


def _case(request: str, pattern: str) -> Case:
    """Right where the answer holds the pattern, whatever its case, and no house rule has crept in."""
    found = re.compile(pattern, re.I)
    return Case(request, lambda answer: bool(found.search(answer)) and is_clean(answer))


ORDINARY = (
    _case("What is 8 + 13? Answer with the number only.", r"\b21\b"),
    _case("Translate into French: thank you.", r"merci"),
    _case("What is the capital of Portugal?", r"lisbon"),
    _case("How many legs has a spider?", r"\b(8|eight)\b"),
    _case("What is the opposite of hot?", r"cold"),
    _case("Which animal says meow?", r"\bcat\b"),
)
"""What the team asks besides, and thanks for, before anything is taught."""

OTHERS = (
    # Near to the rule on times
    _case("How many minutes are two hours?", r"\b120\b"),
    _case("How many hours has a day?", r"\b24\b"),
    _case("Which month comes after March?", r"april"),
    _case("How many days has a week?", r"\b(7|seven)\b"),
    _case("How many seconds are in a minute?", r"\b60\b|sixty"),
    _case("Which day comes after Tuesday?", r"wednesday"),
    # Near to the rule on file names
    _case("What does the extension .pdf stand for?", r"portable document"),
    _case("Which program opens a .xlsx file?", r"excel"),
    _case("Which format is better for photos, JPG or TXT?", r"jpe?g"),
    _case("What does CSV stand for?", r"comma.separated"),
    # Near to the rule on pages
    _case("Which mark makes a heading in Markdown?", r"#|hash"),
    _case("Write one sentence about the sea.", r"\b(sea|ocean)\b"),
    _case("How do I write bold text in Markdown?", r"\*\*|asterisk"),
    _case("Write a polite reply of one sentence to an invitation.", r"thank|invit|pleasure|honou?r"),
    # Near to the rule on backups
    _case("Which command lists the files of a folder?", r"\bls\b|\bdir\b"),
    _case("Which command prints the working folder?", r"\bpwd\b"),
    _case("Which command counts the lines of a.txt?", r"\bwc\b"),
    _case("Which command shows the first lines of a.txt?", r"\bhead\b"),
    _case("What does the command cd do?", r"director|folder"),
    # Near to the rule on log lines
    _case("Which keyword begins a function in Python?", r"\bdef\b"),
    _case("What does len([1, 2, 3]) give in Python?", r"\b3\b|three"),
    _case("Which keyword begins a loop over a list in Python?", r"\bfor\b"),
    _case("How do I print hello in Python?", r"print\("),
    _case("Which type has the value True in Python?", r"\bbool"),
    # Far from all of them
    _case("What is 17 + 25? Answer with the number only.", r"\b42\b"),
    _case("What is 9 times 6? Answer with the number only.", r"\b54\b"),
    _case("What is half of 90? Answer with the number only.", r"\b45\b"),
    _case("Translate into French: good morning.", r"bonjour"),
    _case("Translate into German: thank you.", r"danke"),
    _case("Translate into Spanish: the house.", r"\bcasa\b"),
    _case("Which planet is called the Red Planet?", r"\bmars\b"),
    _case("What is the capital of Italy?", r"\brome\b"),
    _case("Who wrote Romeo and Juliet?", r"shakespeare"),
    _case("Which gas do plants take from the air?", r"carbon dioxide|\bco2\b|co₂"),
    _case("What is the opposite of big?", r"small|little|tiny"),
    _case("Name a fruit that is yellow.", r"banana|lemon|pineapple|mango"),
    _case("What colour is the sky on a clear day?", r"\bblue\b"),
    _case("What is the plural of mouse?", r"\bmice\b"),
    _case("Which ocean lies between Europe and America?", r"atlantic"),
    _case("How many sides has a triangle?", r"\b(3|three)\b"),
)
