"""The proxy: lets requests in, sends them on, and tells the scribe."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import msgspec
from multidict import CIMultiDict

from metaclaw_tray.clock import Clock
from metaclaw_tray.proxy.access import Door, Entry, TokenTable, enter, is_json, split_path
from metaclaw_tray.proxy.anchors import Anchors
from metaclaw_tray.proxy.bodies import Bodies, Body, Share
from metaclaw_tray.proxy.carrying import Carrier
from metaclaw_tray.proxy.endpoints import Endpoint, endpoint
from metaclaw_tray.proxy.forwarding import Asked
from metaclaw_tray.proxy.injection import Injector, SkillSource
from metaclaw_tray.proxy.limits import PATIENCE, Patience, connections_for, raise_descriptors
from metaclaw_tray.proxy.loops import Hops
from metaclaw_tray.proxy.port import Listening, listen
from metaclaw_tray.proxy.problems import problem
from metaclaw_tray.proxy.reasoning import ReasoningMemory
from metaclaw_tray.proxy.relay import Relay
from metaclaw_tray.proxy.reply import Reply
from metaclaw_tray.proxy.request import Request
from metaclaw_tray.proxy.routing import NoRoute, Routing
from metaclaw_tray.proxy.sessions import Sessions
from metaclaw_tray.proxy.tee import CopyRoom, Recorder, Tee
from metaclaw_tray.proxy.threads import Threads
from metaclaw_tray.proxy.turns import Desk
from metaclaw_tray.proxy.visitors import Visitors
from metaclaw_tray.settings import Settings, Upstream

_HEALTH = ("/healthz", "/readyz")
_SWEEP_SECONDS = 5
_CANCEL_SECONDS = 0.5  # for turns that did not end in time, to close what they hold


@dataclass(frozen=True, slots=True)
class Counters:
    """What happened since the start."""

    turns: int
    open_turns: int
    dropped: int  # records of turns that the pipe would not take
    faults: int  # look-ups, readings and records that failed by a fault of ours; the agent did not notice


class Proxy:
    """The server on one port. One event loop, no global state."""

    def __init__(
        self,
        *,
        settings: Callable[[], Settings],
        tokens: TokenTable,
        skills: SkillSource,
        tee: Tee,
        clock: Clock,
        key: bytes,
        readiness: Callable[[], str] = lambda: "",
        anchors: Anchors | None = None,
        sessions: Sessions | None = None,
        threads: Threads | None = None,
        reasoning: ReasoningMemory | None = None,
        patience: Patience = PATIENCE,
    ) -> None:
        """`settings` gives the settings in force, `key` is the key of the conversation tree, `readiness`
        says what is missing (besides an upstream) for the program to be ready, or nothing. `anchors`,
        `sessions`, `threads` and `reasoning` may hold what earlier runs left."""
        self._settings = settings
        self._tokens = tokens
        self._clock = clock
        self._patience = patience
        self._readiness = readiness
        self._routing = Routing()
        self._recorder = Recorder(tee, clock)
        self._injector = Injector(anchors or Anchors(), skills)
        self._sessions = sessions or Sessions()
        self._desk = Desk(
            settings,
            self._injector,
            self._sessions,
            threads or Threads(key),
            self._recorder,
            clock,
            key,
            reasoning,
        )
        self._hops = Hops()
        self._bodies = Bodies(patience.body)
        self._copies = CopyRoom()
        self._door = Door(0)
        self._port = 0
        self._relay: Relay | None = None
        self._carrier: Carrier | None = None
        self._server: Visitors | None = None
        self._open = 0  # requests that are being read, or answered by an upstream
        self._idle = asyncio.Event()
        self._idle.set()
        self._listening: Listening | None = None
        self._draining = False

    @property
    def person_at(self) -> float:
        """When a message of the person's last began an exchange, by the clock's monotonic reading."""
        return self._desk.person_at

    def tell_of_person(self, spoke: Callable[[], None]) -> None:
        """Call this at each message of the person's that begins an exchange. It must not wait or raise."""
        self._desk.person_spoke = spoke

    @property
    def counters(self) -> Counters:
        faults = self._injector.faults + self._desk.faults + self._recorder.faults
        return Counters(self._desk.begun, self._desk.open, self._recorder.dropped, faults)

    def replace_routing(
        self,
        upstreams: Mapping[str, Upstream],
        default: str,
        credentials: Mapping[str, str],
        agents: Mapping[str, str] | None = None,
    ) -> Mapping[str, str]:
        """Route by these upstreams from the next request on; `credentials` maps their names to keys, `agents`
        names of agents to the upstreams they reach instead of the default one. Returns, by upstream, why one
        cannot be called."""
        self._routing.replace(upstreams, default, credentials, self._port, agents)
        return self._routing.faults

    async def start(self, port: int, host: str = "127.0.0.1") -> int:
        """Listen; the port in use (`port` 0 takes a free one).

        Raises PortTakenError with the holder's name, and UsageError for a host that others can reach.
        """
        self._server = Visitors(
            self._handle,
            clock=self._clock,
            most=connections_for(self._settings().server.connections, raise_descriptors()),
            patience=self._patience,
        )
        self._listening = await listen(self._server, host, port)
        bound = self._listening.addresses[0][1]
        self._door = Door(bound)
        self._port = bound
        self._relay = Relay(self._clock)
        self._carrier = Carrier(
            self._relay, self._routing, self._desk, self._tokens, self._hops, self._copies
        )
        self._draining = False
        return bound

    async def tend(self) -> None:
        """End silent sessions, close silent connections, and offer again what the pipe would not take. Runs
        until it is cancelled."""
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            self.sweep()

    def sweep(self) -> None:
        """Do once what `tend` does over and over."""
        self._desk.sweep()
        self._recorder.retry()
        if self._server is not None:
            self._server.sweep()

    def observe_session(self, session_id: str, only: bool) -> None:
        """Whether to put nothing into a session's requests any more."""
        self._sessions.observe(session_id, only)

    def end_session(self, session_id: str) -> None:
        """End a session because a person said so."""
        self._desk.end_session(session_id)

    async def drain(self, seconds: float) -> None:
        """Take no more requests, let the open ones end for so many seconds, be they turns or not, cut the
        others, and close."""
        if self._listening is None or self._server is None:
            return
        self._draining = True
        self._listening.close()
        self._listening = None
        self._server.end()
        await self._nothing_open(seconds)
        if self._carrier is not None:
            self._carrier.cutting = True
        await self._server.close(_CANCEL_SECONDS)
        await self._nothing_open(_CANCEL_SECONDS)
        if self._relay is not None:
            await self._relay.close()
        self._desk.quit()

    async def _nothing_open(self, seconds: float) -> None:
        """Wait until no request is open, at most so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._idle.wait()

    async def _handle(self, request: Request) -> Reply | None:
        headers = request.headers
        refusal = self._door.refusal(request.target, headers)
        if refusal:
            return problem(403, "forbidden", refusal, close=True)
        if headers.get("Upgrade", "").lower() == "websocket":
            message = "This server speaks plain HTTP, no websockets."
            return problem(426, "no_websockets", message, headers={"Upgrade": "HTTP/1.1"}, close=True)
        target, _, query = request.target.partition("?")
        token, path = split_path(target)
        if token is None and path in _HEALTH:
            return self._health(path)
        wanted = endpoint(path)
        entry = enter(self._tokens, token, headers) if wanted else None
        if wanted is None or (entry is None and request.method == "HEAD"):
            return problem(404, "unknown_url", f"There is nothing at {path}.", close=True)
        if entry is None:
            return self._stranger(wanted.dialect)
        return await self._serve(request, entry, wanted, path.removeprefix("/v1"), query)

    async def _serve(
        self, request: Request, entry: Entry, wanted: Endpoint, path: str, query: str
    ) -> Reply | None:
        """Do what an agent asks, or say why not."""
        refuse = partial(problem, dialect=wanted.dialect, close=True)
        if self._draining or self._carrier is None or self._server is None:
            return refuse(503, "shutting_down", "MetaClaw Tray is ending. Start it again.")
        self._server.know(request.line)
        if request.method != wanted.method:
            message = f"/v1{path} takes {wanted.method} only."
            return refuse(405, "method_not_allowed", message, headers={"Allow": wanted.method})
        if wanted.method == "POST" and not is_json(request.headers):
            return refuse(415, "unsupported_media_type", "Send it as `Content-Type: application/json`.")
        if circle := self._hops.refusal(request.headers):
            return refuse(508, "loop", circle)
        route = self._routing.route_for(entry.agent, wanted.dialect)
        if isinstance(route, NoRoute):
            return refuse(route.status, route.code, route.message)
        if self._open >= self._settings().server.requests:
            return refuse(429, "too_many_requests", f"{self._open} requests are open. Try again soon.")
        self._open += 1
        self._idle.clear()
        share = Share(self._bodies)
        try:
            body = Body()
            if wanted.method == "POST":
                decode = wanted.use != "plain"
                read = await self._bodies.read(request, wanted.dialect, share, decode=decode)
                if isinstance(read, Reply):
                    return read
                body = read
            return await self._carrier.carry(Asked(request, entry, wanted, path, query, body, share))
        finally:
            self._open -= 1
            if not self._open:
                self._idle.set()
            share.let_go()

    def _stranger(self, dialect: str) -> Reply:
        if self._tokens.known:
            return problem(401, "invalid_api_key", _STRANGER, dialect=dialect, close=True)
        # A client that is told 401 asks the person to log in again; one that is told 503 comes back.
        starting = "MetaClaw Tray is starting. Try again in a moment."
        return problem(503, "starting", starting, dialect=dialect, headers={"Retry-After": "1"}, close=True)

    def _health(self, path: str) -> Reply:
        missing = "" if path == "/healthz" else self._routing.missing or self._readiness()
        status = {"status": "not ready", "reason": missing} if missing else {"status": "ok"}
        headers = CIMultiDict({"Content-Type": "application/json; charset=utf-8"})
        return Reply(503 if missing else 200, headers, msgspec.json.encode(status))


_STRANGER = (
    "No agent of MetaClaw Tray has this token. `metaclaw-tray agents add NAME` gives one; "
    "use the base URL that it prints, or send the token as `Authorization: Bearer TOKEN`."
)
