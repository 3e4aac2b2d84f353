"""One request to the upstream and its answer back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from metaclaw_tray.clock import Clock
from metaclaw_tray.errors import UpstreamError
from metaclaw_tray.proxy.answers import Answer
from metaclaw_tray.proxy.attempts import Upstreams
from metaclaw_tray.proxy.forwarding import Outgoing
from metaclaw_tray.proxy.passage import Passage
from metaclaw_tray.proxy.problems import in_one_line, problem
from metaclaw_tray.proxy.reply import Reply
from metaclaw_tray.proxy.request import Request
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.seen import Seen
from metaclaw_tray.proxy.system_proxies import SystemProxies
from metaclaw_tray.proxy.translated_answer import TranslatedPassage
from metaclaw_tray.wire import WireError

log = logging.getLogger(__name__)

_AWAY = frozenset({500, 502, 503, 504, 529})  # answers for which a fallback is asked, where there is one
_REFUSED = 300  # from this status on nothing of what was asked is done

Asked = tuple[Outgoing, Answer]
"""A request as one upstream got it, and its answer."""


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
        request: Request,
        towards: Callable[[Route], Outgoing],
        route: Route,
        ours: Mapping[str, str],
        seen: Seen,
    ) -> Reply | None:
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
        if seen.upstream != route.name:  # whoever looks at the answer sees that another one gave it
            ours = {**ours, "x-metaclaw-upstream": seen.upstream}
        try:
            if outgoing.translation is None:
                return await Passage(self._clock, request, answer, ours, seen, route.dialect).run()
            return await TranslatedPassage(
                self._clock, request, answer, ours, seen, outgoing.translation, route.dialect
            ).run()
        except ConnectionError:  # the client has left; `seen` says so already
            return None
        finally:
            answer.close() if seen.outcome in ("gone", "cut") else answer.release()

    async def _answer(self, towards: Callable[[Route], Outgoing], route: Route, seen: Seen) -> Asked:
        """The answer of the route or, where that is away, of the first fallback that does what is asked.

        Where none does, the first upstream's own words come back, or UpstreamError is raised where it had
        none: it is the one that the agent means, and it may be there again in a moment. A fallback's refusal
        (of its key, of the model's name) would tell the agent to give up.
        """
        first = await self._ask(towards, route, seen)
        if not isinstance(first, UpstreamError) and first[1].status not in _AWAY:
            return first
        try:
            instead = await self._instead(towards, route.fallback, seen)
        except BaseException:
            _close(first)
            raise
        if instead is not None:
            _close(first)
            return instead
        seen.upstream, seen.model = route.name, route.sends
        if isinstance(first, UpstreamError):
            raise first
        return first

    async def _ask(
        self, towards: Callable[[Route], Outgoing], route: Route, seen: Seen
    ) -> Asked | UpstreamError:
        """What an upstream says, or why it says nothing. Raises Untranslatable."""
        seen.upstream, seen.model = route.name, route.sends
        outgoing = towards(route)
        try:
            return outgoing, await self._upstreams.ask(outgoing, route)
        except UpstreamError as why:
            log.warning("no answer upstream=%s error=%s", route.name, why.detail)
            return why

    async def _instead(
        self, towards: Callable[[Route], Outgoing], fallback: Route | None, seen: Seen
    ) -> Asked | None:
        """What the first fallback says that does what is asked."""
        while fallback is not None:
            said = await self._ask_fallback(towards, fallback, seen)
            if said is not None:
                return said
            fallback = fallback.fallback
        return None

    async def _ask_fallback(
        self, towards: Callable[[Route], Outgoing], route: Route, seen: Seen
    ) -> Asked | None:
        """What a fallback says, if it does what is asked."""
        log.warning("asking the fallback upstream=%s", route.name)
        try:
            said = await self._ask(towards, route, seen)
        except WireError:
            log.warning("the fallback cannot be asked in its own dialect upstream=%s", route.name)
            return None
        if isinstance(said, UpstreamError):
            return None
        if said[1].status < _REFUSED:
            return said
        log.warning("the fallback refused upstream=%s status=%d", route.name, said[1].status)
        _close(said)
        return None


def _close(said: Asked | UpstreamError) -> None:
    """Let go of an answer that nobody will read."""
    if not isinstance(said, UpstreamError):
        said[1].close()
