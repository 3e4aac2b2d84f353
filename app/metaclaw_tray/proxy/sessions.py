"""Sessions: a client's own, or one derived from the root of the conversation.

A derived session is the node of the person's first message with an epoch. The epoch grows when somebody
begins with the very same words again after a silence, or after the session was ended; whoever goes on with a
conversation stays in its session. Two conversations of one agent that begin at the same time with the same
words share a session, not more: blocks and exchanges hang on nodes, which differ as soon as the words do.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from metaclaw_tray.proxy.texts import label
from metaclaw_tray.wire.tree import Path

_ROOTS = 20_000
_DERIVED = re.compile(r"(.*/[0-9a-f]{16})\.([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Remembered:
    """A session of an earlier run. `last` is in seconds since 1970."""

    session_id: str
    last: float


@dataclass(slots=True)
class _Live:
    last: float
    open_turns: int = 0
    ending: str = ""  # why it is over once no turn of it is open


@dataclass(slots=True)
class _Root:
    epoch: int
    last: float
    over: bool = False  # it was ended, not left


class Sessions:
    """Who is in which session, and which sessions have gone silent. All times are seconds since 1970."""

    def __init__(self) -> None:
        self._live: dict[str, _Live] = {}
        self._roots: OrderedDict[str, _Root] = OrderedDict()  # by what comes before the epoch
        self._observed: set[str] = set()

    def load(self, sessions: Iterable[Remembered]) -> None:
        """Take up sessions of earlier runs, so that conversations stay in them."""
        for known in sessions:
            found = _DERIVED.fullmatch(known.session_id)
            if found is None:
                continue
            epoch = int(found[2])
            root = self._roots.setdefault(found[1], _Root(epoch, known.last))
            if epoch >= root.epoch:
                root.epoch, root.last = epoch, max(root.last, known.last)
        self._trim()

    def identify(self, agent: str, own_id: str, path: Path, now: float, silence: float) -> str:
        """The session of a request. `own_id` is what the client said, `silence` the seconds that end one."""
        own_id = label(own_id.strip())
        if own_id:
            return f"{agent}/{own_id}"
        prefix = f"{agent}/{path.first.hex()[:16]}"
        root = self._roots.get(prefix)
        if root is None:
            root = self._roots[prefix] = _Root(0, now)
            self._trim()
        elif _begins(path) and (root.over or now - root.last > silence):
            root.epoch += 1
        root.last, root.over = max(root.last, now), False
        self._roots.move_to_end(prefix)
        return f"{prefix}.{root.epoch}"

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

    def turn_ended(self, session_id: str, now: float) -> str:
        """Why the session is over, if this was the last open turn of one that was ended; else nothing."""
        live = self._live.get(session_id)
        if live is None:
            return ""
        live.last = now
        live.open_turns -= 1
        if live.open_turns > 0 or not live.ending:
            return ""
        del self._live[session_id]
        return live.ending

    def end(self, session_id: str, reason: str) -> bool:
        """The word of the client or of the person that it is over. False where it is over already, or will
        only be when its open turns have ended."""
        if found := _DERIVED.fullmatch(session_id):
            root = self._roots.get(found[1])
            if root is not None and root.epoch == int(found[2]):
                root.over = True
        live = self._live.get(session_id)
        if live is None:
            return False
        if live.open_turns > 0:
            live.ending = live.ending or reason
            return False
        del self._live[session_id]
        return True

    def is_open(self, session_id: str) -> bool:
        """Whether a turn of the session is open."""
        live = self._live.get(session_id)
        return live is not None and live.open_turns > 0

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


def _begins(path: Path) -> bool:
    """Whether a conversation begins with this request: the person has spoken for the first time."""
    return path.answered < 0 and len(path.openings) <= 1 and not path.before and not path.resumed
