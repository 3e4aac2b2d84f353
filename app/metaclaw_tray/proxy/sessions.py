"""Sessions: a client's own, or one derived from the root of the conversation.

A derived session is the root node with an epoch. The epoch grows when somebody begins with the very same
words again after a silence; whoever goes on with a conversation stays in its session.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from metaclaw_tray.proxy.texts import encodable
from metaclaw_tray.wire.tree import Path

_HEADER_LENGTH = 200  # characters of a client's own id that count
_ROOTS = 20_000


@dataclass(frozen=True, slots=True)
class Remembered:
    """A session of an earlier run. `last` is in seconds since 1970."""

    session_id: str
    agent: str
    root: bytes
    last: float


@dataclass(slots=True)
class _Live:
    last: float
    open_turns: int = 0


@dataclass(slots=True)
class _Root:
    epoch: int
    last: float


class Sessions:
    """Who is in which session, and which sessions have gone silent. All times are seconds since 1970."""

    def __init__(self) -> None:
        self._live: dict[str, _Live] = {}
        self._roots: OrderedDict[tuple[str, bytes], _Root] = OrderedDict()
        self._observed: set[str] = set()

    def load(self, sessions: Iterable[Remembered]) -> None:
        """Take up sessions of earlier runs, so that conversations stay in them."""
        for known in sessions:
            prefix, _, epoch = known.session_id.rpartition(".")
            if prefix == _prefix(known.agent, known.root) and epoch.isdecimal():
                root = self._roots.setdefault((known.agent, known.root), _Root(int(epoch), known.last))
                if int(epoch) >= root.epoch:
                    root.epoch, root.last = int(epoch), max(root.last, known.last)
        self._trim()

    def identify(self, agent: str, own_id: str, path: Path, now: float, silence: float) -> str:
        """The session of a request. `own_id` is what the client said, `silence` the seconds that end one."""
        own_id = encodable(own_id.strip()[:_HEADER_LENGTH])
        if own_id:
            return f"{agent}/{own_id}"
        first = path.first
        root = self._roots.get((agent, first))
        if root is None:
            root = self._roots[agent, first] = _Root(0, now)
            self._trim()
        elif len(path.nodes) <= 1 and not path.before and now - root.last > silence:
            root.epoch += 1
        root.last = max(root.last, now)
        self._roots.move_to_end((agent, first))
        return f"{_prefix(agent, first)}.{root.epoch}"

    def observe(self, session_id: str, only: bool) -> None:
        """Whether to put nothing into a session's requests, and only learn from them."""
        if only:
            self._observed.add(session_id)
        else:
            self._observed.discard(session_id)

    def observes(self, session_id: str) -> bool:
        return session_id in self._observed

    def turn_begun(self, session_id: str, now: float) -> None:
        live = self._live.setdefault(session_id, _Live(now))
        live.last = now
        live.open_turns += 1

    def turn_ended(self, session_id: str, now: float) -> None:
        live = self._live.get(session_id)
        if live is not None:
            live.last = now
            live.open_turns -= 1

    def end(self, session_id: str) -> bool:
        """The client's word that it is over. False where it is over already."""
        return self._live.pop(session_id, None) is not None

    def sweep(self, now: float, silence: float) -> list[str]:
        """The sessions that have been silent for longer than `silence` seconds; they are over now."""
        silent = [
            session_id
            for session_id, live in self._live.items()
            if live.open_turns <= 0 and now - live.last > silence
        ]
        for session_id in silent:
            del self._live[session_id]
        return silent

    def end_all(self) -> list[str]:
        """Every session that is not over; they are over now."""
        ended = list(self._live)
        self._live.clear()
        return ended

    def _trim(self) -> None:
        while len(self._roots) > _ROOTS:
            self._roots.popitem(last=False)


def _prefix(agent: str, root: bytes) -> str:
    return f"{agent}/{root.hex()[:16]}"
