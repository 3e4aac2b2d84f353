"""The app's end of the admin socket."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Literal

import msgspec

from metaclaw_tray.admin import consent
from metaclaw_tray.admin.api import Verb, verb_name
from metaclaw_tray.admin.consent import Asker, Channel, Granted
from metaclaw_tray.admin.instance import Instance
from metaclaw_tray.admin.peer import Origin, Peer, peer_of
from metaclaw_tray.admin.protocol import (
    LINE_LIMIT,
    Challenge,
    Done,
    Failed,
    Progress,
    failed,
    read_typed,
    read_verb,
    to_line,
)
from metaclaw_tray.errors import KnownError, UsageError

log = logging.getLogger(__name__)

MOST_AT_ONCE = 64  # commands; each of them may hold a line of `LINE_LIMIT`
SILENCE_SECONDS = 60.0  # until a command says all of what it wants


Speaker = Channel | Literal["program"]

Refused = Callable[[str, Origin], Awaitable[None]]
"""Told what an agent asked for, and where it came from."""


class Call:
    """One request on its way: who asks, and how to speak with them before the answer."""

    place = ""  # tray or window, where it was asked there

    def __init__(
        self,
        verb: Verb[Any],
        peer: Peer,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        allow_scripted: bool,
        refused: Refused | None = None,
    ) -> None:
        self.verb = verb
        self.peer = peer
        self._reader = reader
        self._writer = writer
        self._allow_scripted = allow_scripted
        self._refused = refused

    async def progress(self, text: str) -> None:
        """Tell a step. If nobody listens any more the work goes on all the same."""
        with contextlib.suppress(ConnectionError):
            self._writer.write(to_line(Progress(text)))
            await self._writer.drain()

    async def consent(self, action: str, text: str, *, yes: bool) -> Granted:
        """Have the person read `text` and say yes to `action`. Raises ConsentError.

        What `text` shows has to be read again after this, and be the same: minutes may have passed.
        """
        origin = await self.peer.origin()
        try:
            granted = await consent.ask(
                action,
                text,
                origin=origin,
                scripted=yes,
                allow_scripted=self._allow_scripted,
                challenge=self._challenge,
            )
        except consent.AgentAskedError:
            await self._note_agent(action, origin)
            raise
        log.info("consent action=%r channel=%s pid=%d", action, granted.channel, self.peer.pid)
        return granted

    async def speaker(self, action: str) -> Speaker:
        """Who says this, which needs no code: a person, by which way, or a program, which has no terminal
        that a person could have typed it at. Where the app was started for scripted use, a script speaks for
        the person. Raises AgentAskedError where an agent started the command."""
        origin = await self.peer.origin()
        if self._allow_scripted:
            return "terminal" if origin.terminal and not origin.agent else "scripted"
        if origin.agent:
            await self._note_agent(action, origin)
            raise consent.agent_asked(f"To {action} is a person's matter", origin)
        return "terminal" if origin.terminal else "program"

    async def spoken(self, action: str) -> None:
        """Make sure that this is a person's word, which needs no code. Raises ConsentError where it is an
        agent's or a program's."""
        if await self.speaker(action) == "program":
            raise consent.no_terminal(f"To {action} is a person's matter, and this command has no terminal.")

    async def _note_agent(self, action: str, origin: Origin) -> None:
        log.warning("an agent asked for consent action=%r agent=%s", action, origin.agent)
        if self._refused is not None:
            await self._refused(action, origin)

    async def confirm(self, action: str, text: str, *, yes: bool) -> Granted:
        """Have the person read `text` and say a plain yes to `action`. Raises ConsentError."""
        origin = await self.peer.origin()
        granted = await consent.confirm(action, text, origin=origin, yes=yes, challenge=self._challenge)
        log.info("confirmed action=%r channel=%s pid=%d", action, granted.channel, self.peer.pid)
        return granted

    def asker(self, *, yes: bool) -> Asker:
        """Both ways of asking, for a command that was given `--yes` or not."""
        return _CallAsker(self, yes)

    async def _challenge(self, challenge: Challenge) -> str:
        try:
            self._writer.write(to_line(challenge))
            await self._writer.drain()
            async with asyncio.timeout(challenge.seconds):
                return read_typed(await self._reader.readline())
        except (ConnectionError, ValueError):
            return ""


class _CallAsker:
    def __init__(self, call: Call, yes: bool) -> None:
        self._call = call
        self._yes = yes

    async def consent(self, action: str, text: str) -> Granted:
        return await self._call.consent(action, text, yes=self._yes)

    async def confirm(self, action: str, text: str) -> Granted:
        return await self._call.confirm(action, text, yes=self._yes)

    async def spoken(self, action: str) -> None:
        await self._call.spoken(action)


Handler = Callable[[Any, Call], Awaitable[Any]]
"""Takes a verb and its call; returns the verb's answer, or raises KnownError."""

Handlers = Mapping[type[Verb[Any]], Handler]


class AdminServer:
    """Answers commands on the socket of an `Instance`, each connection one request after the other."""

    def __init__(
        self,
        instance: Instance,
        handlers: Handlers,
        *,
        allow_scripted: bool,
        ports: Callable[[], Collection[int]] = tuple,
        refused: Refused | None = None,
    ) -> None:
        """`ports`: where this app serves agents, by which their processes are known; `refused` is told of
        each that asked in the person's place."""
        self._instance = instance
        self._handlers = handlers
        self._allow_scripted = allow_scripted
        self._ports = ports
        self._refused = refused
        self._server: asyncio.Server | None = None
        self._connections: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._closing: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def __aenter__(self) -> AdminServer:
        """Listen. The folder is private already, so the moment before the chmod is harmless."""
        path = self._instance.socket_file
        self._server = await asyncio.start_unix_server(self._connected, path, limit=LINE_LIMIT)
        path.chmod(0o600)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening and let go of who is still connected."""
        assert self._server is not None
        self._server.close()
        for task in self._connections:
            task.cancel()
        for writer in self._closing.values():
            writer.transport.abort()
        if unfinished := [*self._connections, *self._closing]:
            await asyncio.wait(unfinished)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        try:
            await self._converse(reader, writer)
        except ConnectionError:
            pass  # the command was interrupted
        except asyncio.CancelledError:
            writer.transport.abort()  # the app ends; whoever waits sees the connection close
        finally:
            del self._connections[task]
            self._closing[task] = writer
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
            del self._closing[task]

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = replace(peer_of(writer.get_extra_info("socket")), ports=frozenset(self._ports()))
        if peer.uid != os.getuid():  # not root either: who may be anybody has no need of us
            log.warning("refused a command of another user uid=%d pid=%d", peer.uid, peer.pid)
            return
        if len(self._connections) > MOST_AT_ONCE:
            log.warning("refused a command, as too many are open pid=%d", peer.pid)
            return
        while True:
            try:
                async with asyncio.timeout(SILENCE_SECONDS):
                    line = await reader.readline()
            except TimeoutError:
                return
            except ValueError:
                problem = UsageError("The request is too long", f"More than {LINE_LIMIT} bytes.", "")
                writer.write(to_line(failed(problem)))
                await writer.drain()
                return
            if not line.endswith(b"\n"):
                return
            writer.write(to_line(await self._answer(line, peer, reader, writer)))
            await writer.drain()

    async def _answer(
        self, line: bytes, peer: Peer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> Done | Failed:
        try:
            verb = read_verb(line)
            handler = self._handlers.get(type(verb))
            if handler is None:
                raise UsageError(
                    "Not possible", f"This app does not answer {verb_name(verb)!r}.", "Update it."
                )
            call = Call(
                verb, peer, reader, writer, allow_scripted=self._allow_scripted, refused=self._refused
            )
            return Done(msgspec.Raw(msgspec.json.encode(await handler(verb, call))))
        except KnownError as error:
            return failed(error)
        except Exception as error:
            log.exception("a command failed pid=%d", peer.pid)
            return Failed(
                "This is a bug", f"{type(error).__name__} in the app.", "Its log holds the details.", 1
            )
