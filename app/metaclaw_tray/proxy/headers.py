"""Which headers travel, in which direction."""

from __future__ import annotations

from multidict import CIMultiDict, CIMultiDictProxy

from metaclaw_tray.proxy.access import Entry, TokenTable, bearer
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.wire.coding import READABLE

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
_CREDENTIALS = frozenset({"api-key", "authorization", "cookie", "x-api-key", "x-goog-api-key"})
_CREDENTIAL_ENDINGS = (
    "-api-key",
    "-access-key",
    "-subscription-key",
    "-auth",
    "-authorization",
    "-secret",
    "-token",
)
# Whose account it is: no secret, but nothing that another provider should learn.
_ACCOUNTS = frozenset({"chatgpt-account-id", "openai-organization", "openai-project", "x-goog-user-project"})
_KEPT_BACK = _HOP_BY_HOP | _FOR_US
_OURS = "x-metaclaw-"


def towards_upstream(
    headers: CIMultiDictProxy[str],
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
    the host that the client's request is meant for. `recoded` says that the body lost its content encoding on
    the way.
    """
    kept: CIMultiDict[str] = CIMultiDict()
    named = _named(headers)
    passes = same_host and entry.own_credentials and route.upstream.credential == "pass-through"
    for name, value in headers.items():
        key = name.lower()
        if key in _KEPT_BACK or (key in _ACCOUNTS and not same_host):
            continue
        if key in _CREDENTIALS or key.endswith(_CREDENTIAL_ENDINGS):
            if not passes or tokens.agent_of(bearer(value)) is not None:
                continue
        elif key in named or key.startswith(_OURS) or (recoded and key == "content-encoding"):
            continue
        elif key == "accept-encoding":
            value = _readable(value)
        kept.add(name, value)
    if route.upstream.credential == "key" and route.key:
        kept.update(route.upstream.opened_by(route.key, route.speaks))
    return kept


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


def encoding_of(headers: CIMultiDictProxy[str]) -> str:
    """The content encodings of a body, in the order in which they were applied; "" where there is none."""
    return ", ".join(headers.getall("Content-Encoding", ()))


def towards_client(headers: CIMultiDictProxy[str]) -> CIMultiDict[str]:
    """The upstream's headers as the client gets them. Content-Length stays: the body is the same."""
    named = _named(headers)
    return CIMultiDict(
        (name, value)
        for name, value in headers.items()
        if (key := name.lower()) not in _HOP_BY_HOP and key not in named
    )


def _named(headers: CIMultiDictProxy[str]) -> frozenset[str]:
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
