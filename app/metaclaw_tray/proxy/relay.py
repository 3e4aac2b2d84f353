"""One request to the upstream and its answer back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

import aiohttp
from aiohttp import web

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.proxy.attempts import Upstreams
from metaclaw_tray.proxy.forwarding import Outgoing
from metaclaw_tray.proxy.passage import Passage
from metaclaw_tray.proxy.problems import in_one_line, problem
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.seen import Seen
from metaclaw_tray.proxy.system_proxies import SystemProxies
from metaclaw_tray.proxy.translated_answer import TranslatedPassage
from metaclaw_tray.wire import WireError

log = logging.getLogger(__name__)

_AWAY = frozenset({500, 502, 503, 504, 529})  # answers for which a fallback is asked, where there is one


class Relay:
    """Carries requests to upstreams and their answers back."""

    def __init__(self, clock: Clock, proxies: SystemProxies | None = None) -> None:
        """To be made inside a running loop."""
        self._clock = clock
        self._upstreams = Upstreams(proxies)

    async def close(self) -> None:
        await self._upstreams.close()

    async def run(
        self,
        request: web.BaseRequest,
        towards: Callable[[Route], Outgoing],
        route: Route,
        ours: Mapping[str, str],
        seen: Seen,
    ) -> web.StreamResponse:
        """Send, and stream the answer to the client with the headers `ours` added.

        `towards` makes the request for the route, or for one of its fallbacks. What happens is noted in
        `seen`, also when this is cancelled because the client has left. An upstream that stops in the middle
        ends the client's connection too: an answer never ends well that did not.
        """
        try:
            outgoing, answer = await self._answer(towards, route, seen)
        except WireError as why:
            seen.outcome, seen.status, seen.error = "failed", 400, str(why)
            return problem(400, "not_translatable", str(why), dialect=route.dialect, headers=ours)
        except UpstreamError as why:
            seen.outcome, seen.status, seen.error = "failed", 502, why.detail
            return problem(502, "upstream_unreachable", in_one_line(why), dialect=route.dialect, headers=ours)
        try:
            if outgoing.translation is None:
                return await Passage(self._clock, request, answer, ours, seen, route.dialect).run()
            return await TranslatedPassage(
                self._clock, request, answer, ours, seen, outgoing.translation, route.dialect
            ).run()
        except ConnectionError:  # the client has left; `seen` says so already
            return web.Response(status=499)
        finally:
            answer.close() if seen.outcome in ("gone", "cut") else answer.release()

    async def _answer(
        self, towards: Callable[[Route], Outgoing], route: Route, seen: Seen
    ) -> tuple[Outgoing, aiohttp.ClientResponse]:
        """The answer of the route or, where that is away, of the first fallback that is not. The last one's
        own words come back where all are; UpstreamError is raised where none has any."""
        refused: tuple[Route, Outgoing, aiohttp.ClientResponse] | None = None
        unheard: tuple[Route, UpstreamError] | None = None
        here: Route | None = route
        try:
            while here is not None:
                seen.upstream, seen.model = here.name, here.sends
                try:
                    outgoing = towards(here)
                    answer = await self._upstreams.ask(outgoing, here)
                except WireError:
                    if here is route:
                        raise
                    log.warning("the fallback cannot be asked in its own dialect upstream=%s", here.name)
                except UpstreamError as why:
                    log.warning("no answer upstream=%s error=%s", here.name, why.detail)
                    unheard = unheard or (here, why)
                else:
                    if refused is not None:
                        refused[2].close()
                    refused = (here, outgoing, answer)
                    if answer.status not in _AWAY:
                        break
                    if here.fallback is not None:
                        log.warning("asking the fallback upstream=%s status=%d", here.name, answer.status)
                here = here.fallback
        except BaseException:
            if refused is not None:
                refused[2].close()
            raise
        if refused is None:
            assert unheard is not None
            seen.upstream, seen.model = unheard[0].name, unheard[0].sends
            raise unheard[1]
        seen.upstream, seen.model = refused[0].name, refused[0].sends
        return refused[1], refused[2]
