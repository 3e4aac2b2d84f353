"""What can be asked for, and what becomes of it."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import unquote

from msgspec import Struct

Use = Literal["turn", "count", "plain"]


class Endpoint(Struct, frozen=True, gc=False):
    """One address below the base URL. `dialect` "" is one that servers of each dialect have."""

    method: str
    dialect: str
    use: Use  # a turn; a question how long one would be; or nothing that we read


_ENDPOINTS = {
    "/v1/chat/completions": Endpoint("POST", "chat", "turn"),
    "/v1/messages": Endpoint("POST", "messages", "turn"),
    "/v1/messages/count_tokens": Endpoint("POST", "messages", "count"),
    "/v1/responses": Endpoint("POST", "responses", "turn"),
    "/v1/embeddings": Endpoint("POST", "", "plain"),
    "/v1/completions": Endpoint("POST", "", "plain"),
    "/v1/models": Endpoint("GET", "", "plain"),
}
_MODELS = "/v1/models/"
# An answer that the upstream keeps, and what it was asked with.
_KEPT = re.compile(r"/v1/responses/(?!(?:input_tokens|compact)(?:/|\Z))[A-Za-z0-9_-]{1,256}(?:/input_items)?")
_LAYERS = 3  # times that a name may be percent-encoded, for the servers in a row that each take one off


def endpoint(path: str) -> Endpoint | None:
    """The endpoint at a path, less an agent's token; None where there is nothing."""
    found = _ENDPOINTS.get(path)
    if found is None and path.startswith(_MODELS) and _is_model(path[len(_MODELS) :]):
        return _ENDPOINTS["/v1/models"]
    if found is None and _KEPT.fullmatch(path):
        return Endpoint("GET", "responses", "plain")
    return found


def _is_model(name: str) -> bool:
    """Whether what follows is a model's name, which may have slashes, and no way out of the list of models.

    A dot segment leads out of it (RFC 3986, 5.2.4), however the upstream or what stands before it reads it:
    encoded, with a backslash, or with parameters behind it (RFC 3986, 3.3).
    """
    for _ in range(_LAYERS):
        segments = name.replace("\\", "/").split("/")
        if any(segment.partition(";")[0].strip() in (".", "..") for segment in segments):
            return False
        if not name or not name.isprintable() or "#" in name:
            return False
        plain = unquote(name)
        if plain == name:
            return True
        name = plain
    return False
