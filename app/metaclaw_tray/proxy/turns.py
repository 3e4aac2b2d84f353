"""Turns: what is known and decided about a request before it goes on, and what the scribe is told of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from msgspec import Struct
from multidict import CIMultiDictProxy

from metaclaw_tray.clock import Clock
from metaclaw_tray.ids import new_id
from metaclaw_tray.prices.upstreams import Tariffs
from metaclaw_tray.proxy.bodies import Body, Sent
from metaclaw_tray.proxy.clients import client_says
from metaclaw_tray.proxy.injection import Injected, Injector
from metaclaw_tray.proxy.kinds import Kind, kind_of
from metaclaw_tray.proxy.routing import NoRoute, Route
from metaclaw_tray.proxy.seen import Seen
from metaclaw_tray.proxy.sessions import Sessions
from metaclaw_tray.proxy.tee import ANSWER_LIMIT, Recorder
from metaclaw_tray.proxy.texts import encodable, label
from metaclaw_tray.proxy.threads import Thread, Threads, conversation_of, is_kept
from metaclaw_tray.settings import Settings
from metaclaw_tray.store.records import BlockInjected, SessionEnded, ThreadKnown, TurnBegun, TurnEnded
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.coding import decoded
from metaclaw_tray.wire.dialect import HEAD, Dialect
from metaclaw_tray.wire.responses import RESPONSES
from metaclaw_tray.wire.thinning import shortened, thinned
from metaclaw_tray.wire.tree import Path, Reader, root_of

log = logging.getLogger(__name__)

_YES = frozenset({"1", "true", "yes"})

# Bytes of a body that the scribe gets as it is, and without long base64; of a larger one its texts are cut.
_WHOLE, _ALL_TEXTS = 2 * 2**20, 4 * 2**20


FindRoute = Callable[[str], Route | NoRoute]
"""Where a request goes, by the model that the client asks for."""


class Turn(Struct, frozen=True, gc=False):
    """A turn that has begun."""

    turn_id: str
    session_id: str
    agent: str
    route: Route
    path: Path
    sent: Sent
    headers: Mapping[str, str]  # ours, for the answer
    last_of_session: bool
    recorded: bool
    kept: bool  # the upstream may keep the answer, for the client to go on with it
    conversation: str  # the one that the upstream keeps, as `threads` names it; "" where there is none
    headed: bool  # a block stands in what the client sends each time


class Counted(Struct, frozen=True, gc=False):
    """A request that only asks for a number."""

    route: Route
    sent: Sent


class _Plan(Struct, frozen=True, gc=False):
    """What becomes of a request. As it stands: one that could not be read, and goes on as it is."""

    route: Route
    plain: bytes  # the body without its content encoding; empty where it cannot be taken off
    path: Path
    session_id: str
    sent: Sent
    kind: Kind = "side"
    model: str = ""  # the model that the client asked for
    injected: Injected = Injected()
    kept: bool = False
    conversation: str = ""  # as `threads` names it


class Desk:
    """Begins and ends turns."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        injector: Injector,
        sessions: Sessions,
        threads: Threads,
        recorder: Recorder,
        clock: Clock,
        key: bytes,
    ) -> None:
        self._settings = settings
        self._tariffs = Tariffs(settings)
        self._injector = injector
        self._sessions = sessions
        self._threads = threads
        self._recorder = recorder
        self._clock = clock
        self._reader = Reader(key)
        self._key = key
        self.begun = 0
        self.open = 0
        self.faults = 0  # requests that reading stumbled over

    def begin(
        self, agent: str, dialect: Dialect, body: Body, headers: CIMultiDictProxy[str], find: FindRoute
    ) -> Turn | NoRoute:
        """Read a request, give it its session and its blocks, and tell the scribe before it goes on."""
        now = self._clock.now()
        at = now.timestamp()
        plan = self._plan(agent, dialect, body, headers, find, at)
        if isinstance(plan, NoRoute):
            return plan
        route, path, turn_id = plan.route, plan.path, new_id(now)
        generation = self._injector.generation
        new = plan.injected.new
        if new is not None:
            self._recorder.keep(
                BlockInjected(
                    path.tip, plan.session_id, new.text, list(new.skills), new.tokens, new.generation, at
                )
            )
        recorded = self._recorder.offer(
            TurnBegun(
                turn_id=turn_id,
                session_id=plan.session_id,
                agent=agent,
                kind=plan.kind,
                dialect=dialect.name,
                upstream=encodable(route.name),
                model=label(route.model or plan.model),
                body=_told(plan.plain),
                root=path.root,
                nodes=path.nodes,
                message_ids=path.ids,
                opening=path.opening,
                openings=[*path.before, *(path.nodes[place] for place in path.openings)],
                generation=generation,
                at=at,
            )
        )
        self._sessions.turn_begun(plan.session_id, at)
        self.begun += 1
        self.open += 1
        return Turn(
            turn_id=turn_id,
            session_id=plan.session_id,
            agent=agent,
            route=route,
            path=path,
            sent=plan.sent,
            headers=_headers(turn_id, generation, plan.injected.skills),
            last_of_session=headers.get("X-Session-Done", "").strip().lower() in _YES,
            recorded=recorded,
            kept=plan.kept,
            conversation=plan.conversation,
            headed=any(place == HEAD for place, _ in plan.injected.blocks),
        )

    def count(
        self, agent: str, dialect: Dialect, body: Body, headers: CIMultiDictProxy[str], find: FindRoute
    ) -> Counted | NoRoute:
        """A request that only asks how long another one would be, with the blocks that stand on its path. It
        is no turn, and decides nothing."""
        at = self._clock.now().timestamp()
        plan = self._plan(agent, dialect, body, headers, find, at, counts=True)
        if isinstance(plan, NoRoute):
            return plan
        return Counted(plan.route, plan.sent)

    def _plan(
        self,
        agent: str,
        dialect: Dialect,
        body: Body,
        headers: CIMultiDictProxy[str],
        find: FindRoute,
        at: float,
        *,
        counts: bool = False,
    ) -> _Plan | NoRoute:
        silence = self._settings().sessions.silence_minutes * 60
        own_id, plain = headers.get("X-Session-Id", ""), body.plain or b""
        try:
            request = dialect.parse(plain)
            route = find(request.model)
            if isinstance(route, NoRoute):
                return route
            says = client_says(headers, request)
            before = self._threads.before(agent, request)
            thread = before.thread
            path = self._reader.path(dialect, request, before.root, thread.openings if thread else ())
            own_id = says.session or own_id
            if thread is not None and not own_id:
                session_id = thread.session_id
            else:
                session_id = self._sessions.identify(agent, own_id, path, at, silence)
            kind = kind_of(headers.get("X-Turn-Type", ""), path, says)
            injected = Injected()
            if self._may_inject(agent, session_id):
                injected = self._injector.inject(
                    path,
                    session_id,
                    self._settings().injection,
                    now=at,
                    silence=silence,
                    may_decide=kind == "main",
                    remember=not counts,
                    head=dialect.has_system(request),
                    kept=before.kept,
                    headed=thread is not None and thread.headed,
                )
            changed = injected.blocks or route.model is not None
            sent = body.unchanged
            if changed:
                sent = body.changed(dialect.inject(request, injected.blocks, route.model))
            kept = dialect is RESPONSES and route.speaks == dialect.name and is_kept(request)
        except WireError:
            pass
        except Exception:  # whatever reading stumbles over, the agent's request goes on
            self.faults += 1
            log.exception("a request could not be read; it goes on as it is")
        else:
            conversation = conversation_of(request) if kept else ""
            return _Plan(
                route, plain, path, session_id, sent, kind, request.model, injected, kept, conversation
            )
        unread = find("")
        if isinstance(unread, NoRoute):
            return unread
        nowhere = Path(root_of(self._key, agent), [], [], [], [], "")
        session_id = self._sessions.identify(agent, own_id, nowhere, at, silence)
        return _Plan(unread, plain, nowhere, session_id, body.unchanged)

    def _may_inject(self, agent: str, session_id: str) -> bool:
        settings = self._settings()
        named = settings.agents.get(agent)
        observes = named is not None and named.observe_only
        return settings.injection.enabled and not observes and not self._sessions.observes(session_id)

    def end(self, turn: Turn, seen: Seen) -> None:
        """The answer has come, or never will."""
        at = self._clock.now().timestamp()
        self.open -= 1
        if turn.last_of_session:
            self._sessions.end(turn.session_id, "signal")  # with its last open turn, which may be this one
        over = self._sessions.turn_ended(turn.session_id, at)
        if turn.recorded:
            self._recorder.offer(
                TurnEnded(
                    turn_id=turn.turn_id,
                    outcome=seen.outcome,
                    status=seen.status,
                    error=encodable(seen.error),
                    body=seen.copy.body,
                    content_type=encodable(seen.content_type),
                    content_encoding=encodable(seen.content_encoding),
                    truncated=seen.copy.truncated,
                    first_byte_at=seen.first_byte_at,
                    at=at,
                    upstream=encodable(seen.upstream),
                    model=label(seen.model),
                    tariff=self._tariffs.get(seen.upstream or turn.route.name),
                )
            )
        if turn.kept and seen.outcome in ("ok", "gone"):
            self._remember(turn, seen, at)
        if over:
            self._recorder.keep(SessionEnded(turn.session_id, over, at))

    def _remember(self, turn: Turn, seen: Seen, at: float) -> None:
        """Know the answer again when the client goes on with it by its id."""
        try:
            body = decoded(seen.copy.body, seen.content_encoding, ANSWER_LIMIT * 4)
            thread = Thread(turn.agent, turn.session_id, turn.path.tip, (), turn.headed)
            found = self._threads.answered(thread, turn.path, turn.conversation, body, seen.content_type)
        except WireError:
            return
        except Exception:
            self.faults += 1
            log.exception("an answer could not be read; the client has it all the same")
            return
        for name, grown in found:
            self._recorder.keep(
                ThreadKnown(
                    encodable(name),
                    grown.agent,
                    grown.session_id,
                    grown.tip,
                    list(grown.openings),
                    grown.headed,
                    at,
                )
            )

    def sweep(self) -> None:
        """End the sessions that have gone silent."""
        at = self._clock.now().timestamp()
        for session_id in self._sessions.sweep(at, self._settings().sessions.silence_minutes * 60):
            self._recorder.keep(SessionEnded(session_id, "silence", at))

    def end_session(self, session_id: str) -> None:
        """End a session because a person said so: now, or with the last of its turns that are open."""
        self._sessions.end(session_id, "command")
        if self._sessions.is_open(session_id):
            return
        self._recorder.keep(SessionEnded(session_id, "command", self._clock.now().timestamp()))

    def quit(self) -> None:
        """End every session, since the program ends."""
        at = self._clock.now().timestamp()
        for session_id in self._sessions.end_all():
            self._recorder.keep(SessionEnded(session_id, "quit", at))


def _headers(turn_id: str, generation: int, skills: list[str]) -> dict[str, str]:
    headers = {"x-metaclaw-turn": turn_id, "x-metaclaw-generation": str(generation)}
    if skills:
        headers["x-metaclaw-skills"] = ", ".join(skills)
    return headers


def _told(plain: bytes) -> bytes:
    """A body as the scribe gets it: what is too long for the record anyway is left out on the way."""
    if len(plain) <= _WHOLE:
        return plain
    thin = thinned(plain)
    return thin if len(thin) <= _ALL_TEXTS else shortened(thin)
