"""Who is on the other end of the socket, by the word of the kernel."""

from __future__ import annotations

import asyncio
import socket
import struct
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import psutil

from metaclaw_tray.admin.agents import agent_among

_SOL_LOCAL, _LOCAL_PEERCRED, _LOCAL_PEERPID = 0, 1, 2  # macOS, sys/un.h


@dataclass(frozen=True)
class Peer:
    """A process that talks to us."""

    uid: int
    pid: int
    ports: frozenset[int] = frozenset()  # where this app serves agents

    async def origin(self) -> Origin:
        """How it came to be. Looked up off the loop; gone processes have no terminal."""
        return await asyncio.to_thread(find_origin, self.pid, self.ports)


@dataclass(frozen=True)
class Origin:
    """Where a process comes from, for the ledger and for the question whether a person can see it."""

    terminal: str | None  # its controlling terminal
    ancestry: list[str]  # "name (pid)": itself first, then its parents
    agent: str = ""  # the one among these that is an agent, if one is known to be


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


def find_origin(pid: int, ports: Collection[int] = ()) -> Origin:
    """Blocking: reads the process table."""
    try:
        process = psutil.Process(pid)
        family = [process, *process.parents()]
    except psutil.Error:
        return Origin(None, [])
    return Origin(_terminal(pid), [_named(each) for each in family], agent_among(family, ports))


def _terminal(pid: int) -> str | None:
    """The controlling terminal. psutil knows only those that were open when it was first asked."""
    if sys.platform == "linux":
        try:
            # The name of the program stands in brackets and may hold anything; the state comes after.
            fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            return None
        number = int(fields[4])  # tty_nr, proc(5): minor in bits 31-20 and 7-0, major in 15-8
        if number == 0:
            return None
        major, minor = number >> 8 & 0xFFF, number & 0xFF | number >> 12 & 0xFFF00
        return f"/dev/pts/{minor + (major - 136) * 256}" if 136 <= major <= 143 else f"tty {major}:{minor}"
    else:
        told = subprocess.run(["ps", "-o", "tty=", "-p", str(pid)], capture_output=True, text=True, timeout=5)
        name = told.stdout.strip()
        return None if name in ("", "-", "?", "??") else name


def _named(process: psutil.Process) -> str:
    try:
        return f"{process.name()} ({process.pid})"
    except psutil.Error:
        return f"? ({process.pid})"
