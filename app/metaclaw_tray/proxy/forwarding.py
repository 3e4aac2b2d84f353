"""What goes upstream: one request, made ready for whichever upstream is asked."""

from __future__ import annotations

from functools import partial

import msgspec
from msgspec import Raw, Struct
from multidict import CIMultiDict
from yarl import URL

from metaclaw_tray.proxy.access import Entry, TokenTable
from metaclaw_tray.proxy.bodies import Body, Sent, Share
from metaclaw_tray.proxy.counted import Counted
from metaclaw_tray.proxy.endpoints import Endpoint
from metaclaw_tray.proxy.headers import query_towards_upstream, towards_upstream, translated_headers
from metaclaw_tray.proxy.loops import Hops
from metaclaw_tray.proxy.reasoning import Recollection
from metaclaw_tray.proxy.request import Request
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.translating import PATH, Translation
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.surrogates import masked, unmasked

_fields = msgspec.json.Decoder(dict[str, Raw]).decode


class Asked(Struct, frozen=True):
    """What an agent asks, let in and read."""

    request: Request
    entry: Entry
    endpoint: Endpoint
    path: str  # what follows `/v1`
    query: str
    body: Body
    share: Share


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
        asked: Asked,
        tokens: TokenTable,
        hops: Hops,
        route: Route,
        sent: Sent,
        counted: Counted,
        recollection: Recollection | None = None,
    ) -> None:
        """`sent` holds the names and blocks that go to `route`, `counted` what upstreams counted themselves,
        `recollection` what models have thought."""
        self._counted = counted
        self._recollection = recollection
        self._asked = asked
        self._tokens = tokens
        self._hops = hops
        self._route = route
        self._sent = sent

    def towards(self, route: Route) -> Outgoing:
        """The request as this upstream gets it: the route's own, or one of its fallbacks.

        Raises Untranslatable where the upstream speaks another dialect, in which this cannot be said.
        """
        asked, came = self._asked, self._asked.request.headers
        sent = self._sent if route.sends == self._route.sends else self._renamed(route.sends)
        body, path, query = sent.body, asked.path, asked.query
        translation: Translation | None = None
        if route.speaks != route.dialect:
            translation = self._translated(sent, route)
            body, path, query = translation.body, PATH, ""
        same_host = route is self._route or route.upstream.origin == self._route.upstream.origin
        query = query_towards_upstream(query, route, asked.entry, self._tokens) if same_host else ""
        url = route.url(path, query)
        headers = towards_upstream(
            came, route, asked.entry, self._tokens, recoded=sent.recoded, same_host=same_host
        )
        if translation is not None:
            headers = translated_headers(headers, streams=translation.streams)
        self._hops.mark(headers, came, url)
        return Outgoing(asked.request.method, url, headers, body, translation)

    def _renamed(self, model: str) -> Sent:
        """The body with another name for its model. What cannot be read stays as it is."""
        plain = self._sent.plain
        renamed = _renamed(plain, model) if plain else None
        if renamed is None:
            return self._sent
        self._asked.share.take(len(renamed))
        return Sent(renamed, renamed, recoded=True)

    def _translated(self, sent: Sent, route: Route) -> Translation:
        if sent.plain is None:
            raise WireError("its content encoding cannot be read")
        upstream = route.upstream
        translation = Translation(
            route.dialect,
            sent.plain,
            images=upstream.images,
            tool_text=upstream.tool_text,
            recalled=None if self._recollection is None else self._recollection.of(route.name),
            counted=partial(self._counted.learn, route.name),
        )
        self._asked.share.take(len(translation.body))
        return translation


def _renamed(plain: bytes, model: str) -> bytes | None:
    """A request with another name for its model; None where it cannot be read."""
    mask: int | None = None
    try:
        try:
            fields = _fields(plain)
        except msgspec.DecodeError:
            plain, mask = masked(plain)
            fields = _fields(plain)
    except (WireError, msgspec.DecodeError, ValueError, RecursionError):
        return None
    fields["model"] = Raw(msgspec.json.encode(model))
    renamed = msgspec.json.encode(fields)
    return renamed if mask is None else unmasked(renamed, mask)
