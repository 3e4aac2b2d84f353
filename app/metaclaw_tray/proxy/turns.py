"""Turns: how they begin and end, and what the scribe is told of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from msgspec import Struct
from multidict import MultiMapping

from metaclaw_tray.clock import Clock
from metaclaw_tray.ids import new_id
from metaclaw_tray.prices.upstreams import Tariffs
from metaclaw_tray.proxy.bodies import Body, Sent
from metaclaw_tray.proxy.injection import Injector
from metaclaw_tray.proxy.planning import FindRoute, Plan, Planner
from metaclaw_tray.proxy.reasoning import ReasoningMemory, Recollection
from metaclaw_tray.proxy.routing import NoRoute, Route
from metaclaw_tray.proxy.seen import Seen
from metaclaw_tray.proxy.sessions import Sessions
from metaclaw_tray.proxy.tee import ANSWER_LIMIT, Recorder
from metaclaw_tray.proxy.texts import encodable, label
from metaclaw_tray.proxy.threads import Thread, Threads
from metaclaw_tray.settings import Settings
from metaclaw_tray.store.records import BlockInjected, SessionEnded, ThreadKnown, TurnBegun, TurnEnded
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.coding import decoded
from metaclaw_tray.wire.dialect import HEAD, Dialect
from metaclaw_tray.wire.thinning import shortened, thinned
from metaclaw_tray.wire.tree import Path

log = logging.getLogger(__name__)

_YES = frozenset({"1", "true", "yes"})

# Bytes of a body that the scribe gets as it is, and without long base64; of a larger one its texts are cut.
_WHOLE, _ALL_TEXTS = 2 * 2**20, 4 * 2**20


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
    recollection: Recollection | None  # what models thought on its path


class Counted(Struct, frozen=True, gc=False):
    """A request that only asks for a number."""

    route: Route
    sent: Sent
    recollection: Recollection | None


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
        reasoning: ReasoningMemory | None = None,
    ) -> None:
        self._settings = settings
        self._tariffs = Tariffs(settings)
        self._injector = injector
        self._sessions = sessions
        self._threads = threads
        self._recorder = recorder
        self._clock = clock
        self._key = key
        self._reasoning = reasoning or ReasoningMemory()
        self._planner = Planner(settings, injector, sessions, threads, key)
        self.begun = 0
        self.open = 0
        self.person_at = float("-inf")
        self.person_spoke: Callable[[], None] = lambda: None  # told of it; it must not wait
        self._person_tip = b""
        self._unread = 0  # answers that reading stumbled over

    @property
    def faults(self) -> int:
        """Requests and answers that reading stumbled over."""
        return self._planner.faults + self._unread

    def begin(
        self, agent: str, dialect: Dialect, body: Body, headers: MultiMapping[str], find: FindRoute
    ) -> Turn | NoRoute:
        """Read a request, give it its session and its blocks, and tell the scribe before it goes on."""
        now = self._clock.now()
        at = now.timestamp()
        plan = self._planner.plan(agent, dialect, body, headers, find, at)
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
        for said in plan.injected.of_trials:
            self._recorder.keep(said)
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
        if plan.kind == "main" and path.openings and path.openings[-1] == len(path.nodes) - 1:
            self._person_spoke(path.tip)
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
            recollection=self._recollection(agent, plan),
        )

    def count(
        self, agent: str, dialect: Dialect, body: Body, headers: MultiMapping[str], find: FindRoute
    ) -> Counted | NoRoute:
        """A request that only asks how long another one would be, with the blocks that stand on its path. It
        is no turn, and decides nothing."""
        at = self._clock.now().timestamp()
        plan = self._planner.plan(agent, dialect, body, headers, find, at, counts=True)
        if isinstance(plan, NoRoute):
            return plan
        return Counted(plan.route, plan.sent, self._recollection(agent, plan))

    def _person_spoke(self, tip: bytes) -> None:
        """A message of the person's begins an exchange; the same one sent again is a client's retry."""
        if tip != self._person_tip:
            self._person_tip = tip
            self.person_at = self._clock.monotonic()
            self.person_spoke()

    def _recollection(self, agent: str, plan: Plan) -> Recollection | None:
        """What models thought on the path of a request that could be read."""
        if not plan.elements:
            return None
        return Recollection(self._reasoning, self._key, agent, plan.path, plan.elements)

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
            self._unread += 1
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
