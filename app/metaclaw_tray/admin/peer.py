"""Who is on the other end of the socket, by the word of the kernel."""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
from dataclasses import dataclass

import psutil

_SOL_LOCAL, _LOCAL_PEERCRED, _LOCAL_PEERPID = 0, 1, 2  # macOS, sys/un.h


@dataclass(frozen=True)
class Peer:
    """A process that talks to us."""

    uid: int
    pid: int

    async def origin(self) -> Origin:
        """How it came to be. Looked up off the loop; gone processes have no terminal."""
        return await asyncio.to_thread(find_origin, self.pid)


@dataclass(frozen=True)
class Origin:
    """Where a process comes from, for the ledger and for the question whether a person can see it."""

    terminal: str | None  # its controlling terminal
    ancestry: list[str]  # "name (pid)": itself first, then its parents


def peer_of(connection: socket.socket) -> Peer:
    """The peer of a connected Unix socket, as of when it connected. Raises OSError."""
    if sys.platform == "linux":
        size = struct.calcsize("3i")
        pid, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
        return Peer(uid, pid)
    else:
        # struct xucred begins with its version and the uid. From the manual; not run on a Mac so far.
        credentials = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 76)
        (pid,) = struct.unpack("i", connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID, 4))
        return Peer(struct.unpack_from("2I", credentials)[1], pid)


def find_origin(pid: int) -> Origin:
    """Blocking: reads the process table."""
    try:
        process = psutil.Process(pid)
        terminal = process.terminal()
        family = [process, *process.parents()]
    except psutil.Error:
        return Origin(None, [])
    return Origin(terminal, [_named(each) for each in family])


def _named(process: psutil.Process) -> str:
    try:
        return f"{process.name()} ({process.pid})"
    except psutil.Error:
        return f"? ({process.pid})"
