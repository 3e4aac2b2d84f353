"""Which headers travel, in which direction."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import unquote

from multidict import CIMultiDict, MultiMapping

from metaclaw_tray.proxy.access import Entry, TokenTable
from metaclaw_tray.proxy.credentials import holds_ours, is_credential, is_credential_parameter
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.wire.coding import READABLE

Headers = MultiMapping[str]

# RFC 9110, 7.6.1, and what each connection settles for itself.
_HOP_BY_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
_FOR_US = frozenset(
    {"content-length", "expect", "host", "origin", "referer", "x-session-id", "x-session-done", "x-turn-type"}
)
# Whose account it is: no secret, but it belongs to the client's own credential.
_ACCOUNTS = frozenset({"chatgpt-account-id", "openai-organization", "openai-project", "x-goog-user-project"})
_KEPT_BACK = _HOP_BY_HOP | _FOR_US
_OURS = "x-metaclaw-"
_LONG_NAME = 100  # characters from which on a header's name is not remembered
# All that another provider than the one the client means has to know.
_FOR_ANYBODY = frozenset(
    {
        "accept",
        "accept-encoding",
        "anthropic-beta",
        "anthropic-version",
        "content-encoding",
        "content-type",
        "openai-beta",
        "user-agent",
    }
)


def towards_upstream(
    headers: MultiMapping[str],
    route: Route,
    entry: Entry,
    tokens: TokenTable,
    *,
    recoded: bool,
    same_host: bool = True,
) -> CIMultiDict[str]:
    """The client's headers as the upstream gets them, with the credential that it takes.

    The client's own credentials go on only where the upstream is "pass-through" and our token did not need
    the same headers; a header that holds a token of ours goes nowhere. `same_host` says that the route is on
    the host that the client's request is meant for: another one gets what it needs to read the request, and
    no more. `recoded` says that the body lost its content encoding on the way.
    """
    kept: CIMultiDict[str] = CIMultiDict()
    named = _named(headers)
    passes = same_host and _passes(route, entry)
    for name, value in headers.items():
        key, stays, opens = _known(name) if len(name) < _LONG_NAME else _looked_at(name)
        if stays or not (same_host or key in _FOR_ANYBODY) or (opens and not passes):
            continue
        if key in named or (recoded and key == "content-encoding"):
            continue
        if holds_ours(value, entry, tokens):
            continue
        kept.add(name, _readable(value) if key == "accept-encoding" else value)
    if route.upstream.credential == "key" and route.key:
        kept.update(route.upstream.opened_by(route.key, route.speaks))
    return kept


def _looked_at(name: str) -> tuple[str, bool, bool]:
    """A header's name in small letters, whether it goes nowhere, whether it is of the client's account."""
    key = name.lower()
    return key, key in _KEPT_BACK or key.startswith(_OURS), key in _ACCOUNTS or is_credential(key)


_known = lru_cache(1024)(_looked_at)


def query_towards_upstream(query: str, route: Route, entry: Entry, tokens: TokenTable) -> str:
    """The client's query as the host that it is meant for gets it, byte for byte but for the parameters that
    open something: by the same rules as headers."""
    if not query:
        return ""
    passes = _passes(route, entry)
    return "&".join(
        part
        for part in query.split("&")
        if (passes or not is_credential_parameter(unquote(part.partition("=")[0])))
        and not holds_ours(part, entry, tokens)
    )


def _passes(route: Route, entry: Entry) -> bool:
    """Whether the client's own credentials go on to the host that they are meant for."""
    return entry.own_credentials and route.upstream.credential == "pass-through"


def translated_headers(headers: CIMultiDict[str], *, streams: bool) -> CIMultiDict[str]:
    """The headers of a request that goes on in chat completions: who asks and what opens the upstream, and
    nothing that belongs to the other dialect. `headers` is what `towards_upstream` gave."""
    kept: CIMultiDict[str] = CIMultiDict()
    for name in ("User-Agent", "Authorization"):
        if name in headers:
            kept[name] = headers[name]
    if "Authorization" not in kept and "x-api-key" in headers:
        kept["Authorization"] = f"Bearer {headers['x-api-key']}"
    kept["Content-Type"] = "application/json"
    kept["Accept"] = "text/event-stream" if streams else "application/json"
    kept["Accept-Encoding"] = "identity"
    return kept


def encoding_of(headers: Headers) -> str:
    """The content encodings of a body, in the order in which they were applied; "" where there is none."""
    return ", ".join(headers.getall("Content-Encoding", ()))


def towards_client(headers: Headers) -> CIMultiDict[str]:
    """The upstream's headers as the client gets them. Content-Length stays: the body is the same."""
    named = _named(headers)
    return CIMultiDict(
        (name, value)
        for name, value in headers.items()
        if (key := name.lower()) not in _HOP_BY_HOP and key not in named
    )


def _named(headers: Headers) -> frozenset[str]:
    """Headers that the Connection header declares to be of this hop only."""
    if "Connection" not in headers:
        return frozenset()
    return frozenset(
        name.strip().lower()
        for line in headers.getall("Connection")
        for name in line.split(",")
        if name.strip()
    )


def _readable(accepted: str) -> str:
    """The encodings that the client takes and the scribe can read, so that no answer goes unread."""
    kept = [one.strip() for one in accepted.split(",") if one.partition(";")[0].strip().lower() in READABLE]
    return ", ".join(kept) or "identity"
