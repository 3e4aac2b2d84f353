"""How much of anything one program on this machine may ask of us.

What an agent may do is generous: it is let in. What somebody without a token may do is little, and ends soon.
"""

from __future__ import annotations

import sys

from msgspec import Struct

BODY_BYTES = 100 * 2**20  # of a request, as it travels and once its content encoding is taken off
ALL_BODIES_BYTES = 2**30  # of all requests that are open
LINE_BYTES = 16 * 1024  # of a request line: method, target, version
FIELD_BYTES = 64 * 1024  # of one header
HEAD_BYTES = 128 * 1024  # of a request line and its headers
HEADERS = 128
LINGERING = 2.0  # seconds in which the rest of a refused request is thrown away, so that the refusal is read
PARTING = 0.5  # seconds in which whoever sent no request at all may read that

_KEPT_BACK = 128  # descriptors for the store, the scribe, logs, commands
_MOST_DESCRIPTORS = 65_536  # no more is asked for: some systems walk through all of them at every start


class Patience(Struct, frozen=True, gc=False):
    """Seconds after which a connection is closed on which nothing moves."""

    head: float = 30.0  # from a connection to its first request that shows a token
    body: float = 60.0  # from one piece of a request's body to the next
    idle: float = 600.0  # from an answer to an agent to its next request; longer than clients keep theirs
    stalled: float = 600.0  # from one piece of an answer that the client takes to the next


PATIENCE = Patience()


def raise_descriptors() -> int:
    """Let this process open as many files as the system lets it; how many that are.

    Raises nothing: where the system says no, what there is has to do.
    """
    if sys.platform == "win32":
        return _MOST_DESCRIPTORS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return _MOST_DESCRIPTORS
    wanted = _MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MOST_DESCRIPTORS)
    for most in (wanted, 10_240):  # macOS says "unlimited" and takes no more than its OPEN_MAX
        if soft < most:
            try:
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            except (OSError, ValueError):
                continue
            return most
    return soft


def connections_for(wanted: int, descriptors: int) -> int:
    """How many connections to hold, of so many wanted: each may need a second one, to an upstream."""
    return max(16, min(wanted, (descriptors - _KEPT_BACK) // 2))
