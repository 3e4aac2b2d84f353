"""What can be asked for, and what becomes of it."""

from __future__ import annotations

from typing import Literal

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


def endpoint(path: str) -> Endpoint | None:
    """The endpoint at a path, less an agent's token; None where there is nothing."""
    found = _ENDPOINTS.get(path)
    if found is None and path.startswith(_MODELS) and len(path) > len(_MODELS):
        return _ENDPOINTS["/v1/models"]
    return found
