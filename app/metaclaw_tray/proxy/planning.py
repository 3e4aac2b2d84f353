"""What becomes of a request: where it goes, to which session it belongs, and what is put into it."""

from __future__ import annotations

import logging
from collections.abc import Callable

from msgspec import Struct
from multidict import MultiMapping

from metaclaw_tray.proxy.bodies import Body, Sent
from metaclaw_tray.proxy.clients import client_says
from metaclaw_tray.proxy.injection import Injected, Injector
from metaclaw_tray.proxy.kinds import Kind, kind_of
from metaclaw_tray.proxy.routing import NoRoute, Route
from metaclaw_tray.proxy.sessions import Sessions
from metaclaw_tray.proxy.threads import Threads, conversation_of, is_kept
from metaclaw_tray.settings import Settings
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.dialect import Dialect
from metaclaw_tray.wire.responses import RESPONSES
from metaclaw_tray.wire.tree import Path, Reader, root_of

log = logging.getLogger(__name__)

FindRoute = Callable[[str], Route | NoRoute]
"""Where a request goes, by the model that the client asks for."""


class Plan(Struct, frozen=True, gc=False):
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
    elements: int = 0  # of the request; 0 where it could not be read


class Planner:
    """Reads requests and decides."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        injector: Injector,
        sessions: Sessions,
        threads: Threads,
        key: bytes,
    ) -> None:
        self._settings = settings
        self._injector = injector
        self._sessions = sessions
        self._threads = threads
        self._reader = Reader(key)
        self._key = key
        self.faults = 0  # requests that reading stumbled over

    def plan(
        self,
        agent: str,
        dialect: Dialect,
        body: Body,
        headers: MultiMapping[str],
        find: FindRoute,
        at: float,
        *,
        counts: bool = False,
    ) -> Plan | NoRoute:
        """Read a request, and decide. With `counts` nothing new is put in.

        What cannot be read goes on as it is: whatever reading stumbles over, the agent has its answer.
        """
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
        except Exception:
            self.faults += 1
            log.exception("a request could not be read; it goes on as it is")
        else:
            conversation = conversation_of(request) if kept else ""
            return Plan(
                route=route,
                plain=plain,
                path=path,
                session_id=session_id,
                sent=sent,
                kind=kind,
                model=request.model,
                injected=injected,
                kept=kept,
                conversation=conversation,
                elements=len(request.items),
            )
        unread = find("")
        if isinstance(unread, NoRoute):
            return unread
        nowhere = Path(root_of(self._key, agent), [], [], [], [], "")
        session_id = self._sessions.identify(agent, own_id, nowhere, at, silence)
        return Plan(unread, plain, nowhere, session_id, body.unchanged)

    def _may_inject(self, agent: str, session_id: str) -> bool:
        settings = self._settings()
        named = settings.agents.get(agent)
        observes = named is not None and named.observe_only
        return settings.injection.enabled and not observes and not self._sessions.observes(session_id)
