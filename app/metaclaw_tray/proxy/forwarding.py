"""What goes upstream: one request, made ready for whichever upstream is asked."""

from __future__ import annotations

import msgspec
from aiohttp import web
from msgspec import Raw, Struct
from multidict import CIMultiDict
from yarl import URL

from metaclaw_tray.proxy.access import Entry, TokenTable
from metaclaw_tray.proxy.headers import (
    encoding_of,
    query_towards_upstream,
    towards_upstream,
    translated_headers,
)
from metaclaw_tray.proxy.limits import BODY_BYTES
from metaclaw_tray.proxy.loops import Hops
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.translating import PATH, Translation
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.coding import decoded
from metaclaw_tray.wire.surrogates import masked, unmasked

_fields = msgspec.json.Decoder(dict[str, Raw]).decode


class Outgoing(Struct, frozen=True, gc=False):
    """A request as it goes to one upstream."""

    method: str
    url: URL
    headers: CIMultiDict[str]
    body: bytes
    translation: Translation | None = None  # where the upstream speaks another dialect than the client


class Forwarding:
    """A client's request on its way. Its body is made for its own route; a fallback may call the model by
    another name."""

    def __init__(
        self,
        request: web.BaseRequest,
        entry: Entry,
        tokens: TokenTable,
        hops: Hops,
        route: Route,
        path: str,
        query: str,
        body: bytes = b"",
        *,
        recoded: bool = True,
    ) -> None:
        """`path` is what follows `/v1`. `body` holds the names and blocks that go to `route`; `recoded` says
        that it lost its content encoding."""
        self._request = request
        self._entry = entry
        self._tokens = tokens
        self._hops = hops
        self._route = route
        self._path = path
        self._query = query
        self._body = body
        self._recoded = recoded

    def towards(self, route: Route) -> Outgoing:
        """The request as this upstream gets it: the route's own, or one of its fallbacks.

        Raises Untranslatable where the upstream speaks another dialect, in which this cannot be said.
        """
        body, recoded = self._body, self._recoded
        came = self._request.headers
        if route.sends != self._route.sends and body:
            encoding = "" if recoded else encoding_of(came)
            body, recoded = _renamed(body, encoding, route.sends)
        translation: Translation | None = None
        path, query = self._path, self._query
        if route.speaks != route.dialect:
            encoding = "" if recoded else encoding_of(came)
            plain = decoded(body, encoding, BODY_BYTES) if encoding else body
            upstream = route.upstream
            translation = Translation(
                route.dialect, plain, images=upstream.images, tool_text=upstream.tool_text
            )
            body, path, query = translation.body, PATH, ""
        same_host = route is self._route or route.upstream.origin == self._route.upstream.origin
        query = query_towards_upstream(query, route, self._entry, self._tokens) if same_host else ""
        url = route.url(path, query)
        headers = towards_upstream(
            came, route, self._entry, self._tokens, recoded=recoded, same_host=same_host
        )
        if translation is not None:
            headers = translated_headers(headers, streams=translation.streams)
        self._hops.mark(headers, came, url)
        return Outgoing(self._request.method, url, headers, body, translation)


def _renamed(body: bytes, encoding: str, model: str) -> tuple[bytes, bool]:
    """A request with another name for its model, and whether it lost its content encoding.

    What cannot be read stays as it is.
    """
    mask: int | None = None
    try:
        plain = decoded(body, encoding, BODY_BYTES) if encoding else body
        try:
            fields = _fields(plain)
        except msgspec.DecodeError:
            plain, mask = masked(plain)
            fields = _fields(plain)
    except (WireError, msgspec.DecodeError, ValueError, RecursionError):
        return body, not encoding
    fields["model"] = Raw(msgspec.json.encode(model))
    renamed = msgspec.json.encode(fields)
    return (renamed if mask is None else unmasked(renamed, mask)), True
