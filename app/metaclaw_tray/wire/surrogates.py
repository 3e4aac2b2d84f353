"""Escaped surrogates that stand alone.

Agents in JavaScript cut texts in the middle of an emoji and send half of it: `"\\ud83d"`. Such a body is
JSON by the grammar, but no strict reader takes it. `masked` writes another escape of the same length in each
place, `unmasked` puts the surrogates back, so that a body can be read, and sent on as it was.
"""

from __future__ import annotations

import re

# Two blocks of the private use area, each as large as the surrogates: one that the body does not use is free.
_STAND_INS = ((b"eE", b"01234567"), (b"fF", b"01234567"))
_SURROGATES = b"89abcdef"
_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a pair is a character, and stays
    rb"|\\u([dD])([89a-fA-F])([0-9a-fA-F]{2})"
    rb"|\\."
)


def masked(body: bytes) -> tuple[bytes, int]:
    """The body with stand-ins for lone surrogates, and the number that `unmasked` asks for.

    Raises ValueError where the body uses both blocks of stand-ins itself.
    """
    for number, (letters, digits) in enumerate(_STAND_INS):
        if re.search(rb"\\u[%b][%b]" % (letters, digits), body):
            continue
        letter = letters[:1]

        def stand_in(match: re.Match[bytes], letter: bytes = letter, digits: bytes = digits) -> bytes:
            if match[1] is None:
                return match[0]
            return rb"\u" + letter + digits[_nibble(match[2])] + match[3]

        return _ESCAPE.sub(stand_in, body), number
    raise ValueError("no escapes are free to stand in for lone surrogates")


def unmasked(body: bytes, number: int) -> bytes:
    """`body` with the surrogates back."""
    letters, digits = _STAND_INS[number]
    stand_in = re.compile(rb"\\u([%b])([%b])([0-9a-fA-F]{2})|\\." % (letters, digits))

    def surrogate(match: re.Match[bytes]) -> bytes:
        if match[1] is None:
            return match[0]
        place = digits.index(match[2])
        return rb"\ud" + _SURROGATES[place : place + 1] + match[3]

    return stand_in.sub(surrogate, body)


def _nibble(digit: bytes) -> slice:
    place = int(digit, 16) - 8
    return slice(place, place + 1)
