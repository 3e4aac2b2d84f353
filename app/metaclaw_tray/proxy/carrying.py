"""Carrying one request to its upstream and the answer back: as a turn, or as what is none."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from metaclaw_tray.proxy.access import TokenTable
from metaclaw_tray.proxy.bodies import Sent
from metaclaw_tray.proxy.counted import Counted
from metaclaw_tray.proxy.counting import estimated
from metaclaw_tray.proxy.forwarding import Asked, Forwarding
from metaclaw_tray.proxy.loops import Hops
from metaclaw_tray.proxy.problems import problem
from metaclaw_tray.proxy.reasoning import Recollection
from metaclaw_tray.proxy.relay import Relay
from metaclaw_tray.proxy.reply import Reply
from metaclaw_tray.proxy.routing import NoRoute, Route, Routing
from metaclaw_tray.proxy.seen import Seen
from metaclaw_tray.proxy.tee import AnswerCopy, CopyRoom
from metaclaw_tray.proxy.turns import Desk
from metaclaw_tray.wire.dialects import DIALECTS


class Carrier:
    """Carries what was let in and read."""

    def __init__(
        self, relay: Relay, routing: Routing, desk: Desk, tokens: TokenTable, hops: Hops, copies: CopyRoom
    ) -> None:
        self._relay = relay
        self._routing = routing
        self._desk = desk
        self._tokens = tokens
        self._hops = hops
        self._copies = copies
        self._counted = Counted()
        self.cutting = False  # the program ends, and takes the clients' connections away

    async def carry(self, asked: Asked) -> Reply | None:
        """The answer; None where it has gone to the client already, as it came."""
        match asked.endpoint.use:
            case "turn":
                return await self._turn(asked)
            case "count":
                return await self._count(asked)
            case "plain":
                return await self._plain(asked)

    async def _turn(self, asked: Asked) -> Reply | None:
        dialect = asked.endpoint.dialect
        find = partial(self._routing.route_for, asked.entry.agent, dialect)
        headers = asked.request.headers
        turn = self._desk.begin(asked.entry.agent, DIALECTS[dialect], asked.body, headers, find)
        if isinstance(turn, NoRoute):
            return _nowhere(turn, dialect)
        seen, forwarding = self._seen(), self._forwarding(asked, turn.route, turn.sent, turn.recollection)
        try:
            return await self._relay.run(asked.request, forwarding.towards, turn.route, turn.headers, seen)
        except Exception:
            seen.outcome, seen.error = "failed", "a fault of the proxy's own; the log has it"
            raise
        finally:
            if seen.outcome == "gone" and self.cutting:
                seen.outcome, seen.error = "cut", "the program ended in the middle of the answer"
            self._desk.end(turn, seen)
            seen.copy.close()

    async def _count(self, asked: Asked) -> Reply | None:
        """Ask how long a request would be. Who speaks another dialect cannot be asked."""
        dialect = asked.endpoint.dialect
        find = partial(self._routing.route_for, asked.entry.agent, dialect)
        headers = asked.request.headers
        counted = self._desk.count(asked.entry.agent, DIALECTS[dialect], asked.body, headers, find)
        if isinstance(counted, NoRoute):
            return _nowhere(counted, dialect)
        if counted.route.speaks != dialect:
            kept = counted.recollection
            recalled = None if kept is None else kept.of(counted.route.name)
            return await estimated(counted.sent.plain, dialect, counted.route.name, self._counted, recalled)
        return await self._pass_on(asked, counted.route, counted.sent)

    async def _plain(self, asked: Asked) -> Reply | None:
        route = self._routing.route_for(asked.entry.agent, asked.endpoint.dialect)
        if isinstance(route, NoRoute):
            return _nowhere(route, asked.endpoint.dialect)
        if asked.endpoint.method == "POST":
            route = replace(route, fallback=None)  # another one's numbers would lie in another space
        return await self._pass_on(asked, route, asked.body.unchanged)

    async def _pass_on(self, asked: Asked, route: Route, sent: Sent) -> Reply | None:
        """Carry a request of which nothing is told."""
        seen, forwarding = self._seen(), self._forwarding(asked, route, sent)
        try:
            return await self._relay.run(asked.request, forwarding.towards, route, {}, seen)
        finally:
            seen.copy.close()

    def _forwarding(
        self, asked: Asked, route: Route, sent: Sent, recollection: Recollection | None = None
    ) -> Forwarding:
        if sent.body is not asked.body.came and sent.body is not asked.body.plain:
            asked.share.take(len(sent.body))
        return Forwarding(asked, self._tokens, self._hops, route, sent, self._counted, recollection)

    def _seen(self) -> Seen:
        return Seen(copy=AnswerCopy(room=self._copies))


def _nowhere(why: NoRoute, dialect: str) -> Reply:
    return problem(why.status, why.code, why.message, dialect=dialect)
