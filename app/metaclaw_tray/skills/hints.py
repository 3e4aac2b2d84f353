"""What the next exchange of a session may be about, by the meaning of what was said before.

Written off the hot path, after an exchange was recorded; read on it, by one lookup in a dictionary. Both
happen on the one loop, so nothing is locked.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from metaclaw_tray.skills.retrieval import NO_HINTS, Hints

_SESSIONS = 5_000  # with hints at the same time; the oldest make room
SKILLS = 2
"""Skills that one session may have hints for."""


class HintTable:
    """Hints by session, bounded in sessions and in skills for each."""

    def __init__(self) -> None:
        self._by_session: dict[str, Hints] = {}

    def of(self, session_id: str) -> Hints:
        """The hints of a session; none where nothing is known of it."""
        return self._by_session.get(session_id, NO_HINTS)

    def put(self, session_id: str, hints: Mapping[str, float]) -> None:
        """These hints hold for the session from now on, the surest few of them; those before are gone."""
        self._by_session.pop(session_id, None)
        surest = sorted(hints.items(), key=lambda hint: (-hint[1], hint[0]))[:SKILLS]
        if not surest:
            return
        self._by_session[session_id] = MappingProxyType(dict(surest))
        while len(self._by_session) > _SESSIONS:
            del self._by_session[next(iter(self._by_session))]

    def clear(self) -> None:
        """No session has hints any more."""
        self._by_session.clear()

    def __len__(self) -> int:
        return len(self._by_session)
