"""What opens something: by which names clients and servers know it, and where a token of ours stands.

A client has one place for its key, and programs between it and us copy what they see: an address into
`X-Original-Url`, a key into a cookie. So names alone tell what is the client's own, and what is ours is found
by its value, wherever it stands.
"""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote

from metaclaw_tray.proxy.access import Entry, TokenTable

_NAMES = frozenset({"apikey", "authorization", "cookie", "key", "token", "x-auth-email"})
_BEGINNINGS = ("x-auth-",)
_ENDINGS = ("-key", "-apikey", "-auth", "-authorization", "-secret", "-token")
_NO_SECRETS = ("idempotency-key", "cache-key", "affinity-key")  # names that only sound like one
_PARAMETERS = frozenset({"code", "sig", "signature"})  # of a query, beside those that headers have too

_SHORTEST = 32  # characters of a token of ours, which are 256 bits in base64
_WORDS = re.compile(r"[A-Za-z0-9_-]{32,}")


def is_credential(name: str) -> bool:
    """Whether a header of this name, in small letters, opens something."""
    if name in _NAMES or name.startswith(_BEGINNINGS):
        return True
    return name.endswith(_ENDINGS) and not name.endswith(_NO_SECRETS)


def is_credential_parameter(name: str) -> bool:
    """Whether a parameter of a query opens something."""
    plain = name.lower().replace("_", "-")
    return plain in _PARAMETERS or is_credential(plain)


def holds_ours(value: str, entry: Entry, tokens: TokenTable) -> bool:
    """Whether a text holds the token that let this request in, or another one of ours, in whatever dress."""
    if entry.token in value:
        return True
    if len(value) < _SHORTEST:
        return False
    if "%" in value:
        value = unquote(value)
        if entry.token in value:
            return True
    scheme, _, word = value.partition(" ")
    if scheme.lower() == "basic":
        value = f"{value} {_plain(word)}"
        if entry.token in value:
            return True
    return any(tokens.agent_of(each) is not None for each in _WORDS.findall(value))


def _plain(word: str) -> str:
    """The name and password of basic authentication (RFC 7617); "" where there are none."""
    try:
        return base64.b64decode(word.strip() + "==").decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""
