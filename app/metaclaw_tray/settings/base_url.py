"""What may be the address of an upstream."""

from __future__ import annotations

from typing import Any, LiteralString
from urllib.parse import urlsplit

from pydantic_core import PydanticCustomError

_ENDPOINTS = ("/chat/completions", "/completions", "/messages", "/responses", "/embeddings", "/models")


def checked_base_url(value: str) -> str:
    """The address without a slash at its end. Raises ValueError (pydantic's own) with the reason."""

    def refuse(reason: LiteralString, **context: Any) -> PydanticCustomError:
        return PydanticCustomError("base_url", reason, context)

    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise refuse("must be an address such as https://host/v1") from None
    if parts.scheme not in ("http", "https"):
        raise refuse("must begin with http:// or https://")
    if not host or any(letter.isspace() for letter in value):
        raise refuse("must name a host, as in https://host/v1")
    if parts.username is not None or parts.password is not None:
        raise refuse("must not hold a user name or password: keys belong in the keyring")
    if "?" in value or "#" in value:
        raise refuse("must end at the path, without '?' or '#'")
    trimmed = value.rstrip("/")
    for endpoint in _ENDPOINTS:
        if trimmed.endswith(endpoint):
            shorter = trimmed.removesuffix(endpoint)
            raise refuse("must end where the protocol's own path begins: {shorter}", shorter=shorter)
    return trimmed
