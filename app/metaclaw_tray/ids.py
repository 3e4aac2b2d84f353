"""Identifiers that sort by the time they were made."""

from __future__ import annotations

import os
from datetime import datetime

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32, lower case
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_SHIFTS = range(120, -1, -10)


def new_id(now: datetime) -> str:
    """26 characters: 48 bits of milliseconds, then 80 random bits (the layout of a ULID).

    Ids made in different milliseconds sort by time as text.
    """
    value = int(now.timestamp() * 1000) << 80 | int.from_bytes(os.urandom(10), "big")
    return "".join([_PAIRS[value >> shift & 1023] for shift in _SHIFTS])


def first_id(moment: datetime) -> str:
    """No id of that moment or later sorts before this one."""
    value = int(moment.timestamp() * 1000) << 80
    return "".join([_PAIRS[value >> shift & 1023] for shift in _SHIFTS])
