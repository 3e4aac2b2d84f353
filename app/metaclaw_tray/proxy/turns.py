"""Turns: what is known and decided about a request before it goes on, and what the scribe is told of it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping

from msgspec import Struct
from multidict import CIMultiDictProxy

from metaclaw_tray.clock import Clock
from metaclaw_tray.ids import new_id
from metaclaw_tray.proxy.injection import Injected, Injector
from metaclaw_tray.proxy.kinds import Kind, kind_of
from metaclaw_tray.proxy.relay import Seen
from metaclaw_tray.proxy.routing import Route
from metaclaw_tray.proxy.sessions import Sessions
from metaclaw_tray.proxy.tee import Recorder
from metaclaw_tray.proxy.texts import encodable
from metaclaw_tray.settings import Settings
from metaclaw_tray.store.records import BlockInjected, SessionEnded, TurnBegun, TurnEnded
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.chat import parse_request
from metaclaw_tray.wire.coding import decoded
from metaclaw_tray.wire.splice import inject_into
from metaclaw_tray.wire.tree import Path, path_of, root_of

log = logging.getLogger(__name__)

BODY_LIMIT = 100 * 2**20
"""Bytes of a request's body, also once its content encoding is taken off."""


class Turn(Struct, frozen=True, gc=False):
    """A turn that has begun."""

    turn_id: str
    session_id: str
    body: bytes  # what goes upstream
    recoded: bool  # the body lost its content encoding on the way
    headers: Mapping[str, str]  # ours, for the answer
    last_of_session: bool
    recorded: bool


class _Plan(Struct, frozen=True, gc=False):
    """What becomes of a request. As it stands: one that could not be read, and goes on as it is."""

    plain: bytes  # the body without its content encoding; empty where it cannot be taken off
    path: Path
    session_id: str
    sent: bytes  # what goes upstream
    kind: Kind = "side"
    model: str = ""  # the model that the client asked for
    injected: Injected = Injected()


class Desk:
    """Begins and ends turns."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        injector: Injector,
        sessions: Sessions,
        recorder: Recorder,
        clock: Clock,
        key: bytes,
    ) -> None:
        self._settings = settings
        self._injector = injector
        self._sessions = sessions
        self._recorder = recorder
        self._clock = clock
        self._key = key
        self._idle = asyncio.Event()
        self._idle.set()
        self.begun = 0
        self.open = 0
        self.faults = 0  # requests that reading stumbled over

    def begin(self, agent: str, body: bytes, headers: CIMultiDictProxy[str], route: Route) -> Turn:
        """Read a request, give it its session and its blocks, and tell the scribe before it goes on."""
        now = self._clock.now()
        at = now.timestamp()
        plan = self._plan(agent, body, headers, route, at)
        turn_id = new_id(now)
        generation = self._injector.generation
        new = plan.injected.new
        if new is not None:
            self._recorder.keep(
                BlockInjected(
                    plan.path.tip, plan.session_id, new.text, list(new.skills), new.tokens, new.generation, at
                )
            )
        recorded = self._recorder.offer(
            TurnBegun(
                turn_id=turn_id,
                session_id=plan.session_id,
                agent=agent,
                kind=plan.kind,
                dialect="chat",
                upstream=encodable(route.name),
                model=encodable(route.model or plan.model),
                body=plan.plain,
                nodes=plan.path.nodes,
                opening=plan.path.opening,
                generation=generation,
                at=at,
            )
        )
        self._sessions.turn_begun(plan.session_id, at)
        self.begun += 1
        self.open += 1
        self._idle.clear()
        return Turn(
            turn_id=turn_id,
            session_id=plan.session_id,
            body=plan.sent,
            recoded=plan.sent is not body and "Content-Encoding" in headers,
            headers=_headers(turn_id, generation, plan.injected.skills),
            last_of_session=headers.get("X-Session-Done", "").strip().lower() == "true",
            recorded=recorded,
        )

    def _plan(
        self, agent: str, body: bytes, headers: CIMultiDictProxy[str], route: Route, at: float
    ) -> _Plan:
        own_id = headers.get("X-Session-Id", "")
        silence = self._settings().sessions.silence_minutes * 60
        plain = b"" if "Content-Encoding" in headers else body
        try:
            if plain is not body:
                plain = decoded(body, headers["Content-Encoding"], BODY_LIMIT)
            request = parse_request(plain)
            path = path_of(request, self._key, agent)
            session_id = self._sessions.identify(agent, own_id, path, at, silence)
            kind = kind_of(headers.get("X-Turn-Type", ""), request, path)
            injected = self._injector.inject(
                path,
                session_id,
                self._settings().injection,
                now=at,
                silence=silence,
                may_decide=kind == "main" and self._may_inject(agent),
            )
            model = route.model if route.model != request.model else None
            sent = inject_into(request, injected.blocks, model) if injected.blocks or model else body
        except WireError:
            pass
        except Exception:  # whatever reading stumbles over, the agent's request goes on
            self.faults += 1
            log.exception("a request could not be read; it goes on as it is")
        else:
            return _Plan(plain, path, session_id, sent, kind, request.model, injected)
        nowhere = Path(root_of(self._key, agent), [], [], [], "")
        return _Plan(plain, nowhere, self._sessions.identify(agent, own_id, nowhere, at, silence), body)

    def _may_inject(self, agent: str) -> bool:
        settings = self._settings()
        named = settings.agents.get(agent)
        return settings.injection.enabled and not (named is not None and named.observe_only)

    def end(self, turn: Turn, seen: Seen) -> None:
        """The answer has come, or never will."""
        at = self._clock.now().timestamp()
        self.open -= 1
        if not self.open:
            self._idle.set()
        self._sessions.turn_ended(turn.session_id, at)
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
                )
            )
        if turn.last_of_session and self._sessions.end(turn.session_id):
            self._recorder.keep(SessionEnded(turn.session_id, "signal", at))

    async def idle(self, seconds: float) -> None:
        """Wait until no turn is open, at most so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._idle.wait()

    def sweep(self) -> None:
        """End the sessions that have gone silent."""
        at = self._clock.now().timestamp()
        for session_id in self._sessions.sweep(at, self._settings().sessions.silence_minutes * 60):
            self._recorder.keep(SessionEnded(session_id, "silence", at))

    def end_session(self, session_id: str) -> None:
        """End a session because a person said so."""
        self._sessions.end(session_id)
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
