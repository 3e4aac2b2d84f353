"""Ids of calls, for clients that take letters, digits, `_` and `-` only, and back.

An id that fits is never changed. One that does not (`functions.read:0`) is spelled out in hexadecimal, so
that it can be read back from the client's next request without a memory, behind a mark of the turn: servers
that count calls up give the same ids in each conversation.
"""

from __future__ import annotations

import re
from hashlib import blake2b

_FITS = re.compile(r"[A-Za-z0-9_-]{1,200}")
_SPELLED = re.compile(r"calledx[0-9a-f]{16}x((?:[0-9a-f]{2})+)")


def to_client(call_id: str, salt: str) -> str:
    """The upstream's id (not empty) as the client gets it, in a turn of that salt."""
    if _FITS.fullmatch(call_id) and not _SPELLED.fullmatch(call_id):
        return call_id
    turn = blake2b(salt.encode(), digest_size=8).hexdigest()
    return f"calledx{turn}x{call_id.encode('utf-8', 'surrogatepass').hex()}"


def to_chat(call_id: str) -> str:
    """The client's id as the upstream gave it."""
    if (spelled := _SPELLED.fullmatch(call_id)) is None:
        return call_id
    try:
        return bytes.fromhex(spelled[1]).decode()
    except UnicodeDecodeError:
        return call_id


def made(salt: str, index: int) -> str:
    """An id for a call that the upstream gave none: the `index`th of the answer."""
    return f"call_{blake2b(f'{salt}/{index}'.encode(), digest_size=12).hexdigest()}"
