"""The one way to start a child process.

A child is this program again, as `metaclaw-tray --child ROLE` (a frozen program has no `python -m`). Its
standard input and output carry frames: four bytes of length, big-endian, then one MessagePack value of a
tagged union of structs. What it writes to standard error goes to our log.

A child ends by the end of its input, after it has read all that the pipe still held: so a parent killed
with -9 loses nothing that it had already written. Signals meant for the whole process group (Ctrl-C, the
end of a login) are therefore left to the parent.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

import msgspec

log = logging.getLogger(__name__)

FRAME_LIMIT = 256 * 1024 * 1024  # bytes; a longer frame is a fault of ours, never a message
PIPE_BYTES = 1024 * 1024  # what an unprivileged process may ask of a Linux pipe

ROLES: Mapping[str, str] = {
    "scribe": "metaclaw_tray.store.scribe",
    "llm": "metaclaw_tray.embedded.serving",
    "embedder": "metaclaw_tray.embedder.serving",
    "window": "metaclaw_tray.desktop.start",
    "calendar": "metaclaw_tray.omls.calendars.serving",
    "pip": "metaclaw_tray.extras.pip",
    "try": "metaclaw_tray.extras.trying",
}
"""Role → module with `child_main(args: list[str]) -> int`. By name, so that no layer is imported upwards."""

To = TypeVar("To")
From = TypeVar("From")

_LEVELS = logging.getLevelNamesMapping()

_encoder = msgspec.msgpack.Encoder()


class ChildEndedError(ConnectionError):
    """The child is gone, so the message did not reach it."""


class FrameError(ValueError):
    """A frame is too long, cut short, or holds no message of the agreed types."""


def encode(message: Any) -> bytes:
    """One frame, ready for `Child.offer`. Raises FrameError above the frame limit."""
    payload = _encoder.encode(message)
    if len(payload) > FRAME_LIMIT:
        raise FrameError(f"a message of {len(payload)} bytes is over the limit of {FRAME_LIMIT}")
    return len(payload).to_bytes(4, "big") + payload


def _checked_length(header: bytes) -> int:
    length = int.from_bytes(header, "big")
    if length > FRAME_LIMIT:
        raise FrameError(f"a frame announces {length} bytes, over the limit of {FRAME_LIMIT}")
    return length


class Child(Generic[To, From]):
    """A running child, seen from its parent. Made by `start_child` only."""

    def __init__(
        self,
        role: str,
        process: asyncio.subprocess.Process,
        decoder: msgspec.msgpack.Decoder[From],
        limit_bytes: int,
    ) -> None:
        assert process.stdin is not None
        self.role = role
        self._process = process
        self._decoder = decoder
        self._limit_bytes = limit_bytes
        self._stdin = process.stdin
        self._transport = process.stdin.transport
        self._inbox: asyncio.Queue[From | FrameError | None] = asyncio.Queue()
        # The output is always read, even when nobody iterates: a child blocked on a full pipe could not end.
        self._tasks = [
            asyncio.create_task(self._read_messages(), name=f"{role}-messages"),
            asyncio.create_task(self._read_log(), name=f"{role}-log"),
        ]

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """None while it runs; the negative signal number if a signal ended it."""
        return self._process.returncode

    @property
    def waiting_bytes(self) -> int:
        """Bytes accepted but not yet in the pipe."""
        return self._transport.get_write_buffer_size()

    def offer(self, frame: bytes) -> bool:
        """Hand over a frame made by `encode` without ever waiting.

        False when the child is gone or more than the limit waits already; the frame is then dropped whole.
        """
        transport = self._transport
        if transport.is_closing() or transport.get_write_buffer_size() + len(frame) > self._limit_bytes:
            return False
        transport.write(frame)
        return True

    async def send(self, message: To) -> None:
        """Write a message and wait while the pipe is full. Raises ChildEndedError if the child is gone."""
        if self._transport.is_closing():
            raise ChildEndedError(f"the {self.role} process has ended")
        try:
            self._stdin.write(encode(message))
            await self._stdin.drain()
        except ConnectionError as error:
            raise ChildEndedError(f"the {self.role} process has ended") from error

    async def messages(self) -> AsyncIterator[From]:
        """What the child says, until it ends; `returncode` is known then. One reader at a time.

        Raises FrameError when the child says something that is no message (it is killed then).
        """
        while (item := await self._inbox.get()) is not None:
            if isinstance(item, FrameError):
                raise item
            yield item
        self._inbox.put_nowait(None)  # a later reader finds the end too

    async def stop(self, grace: float = 5.0) -> int:
        """Close its input and wait `grace` seconds for it to drain and end; kill it after that."""
        self._transport.close()
        try:
            async with asyncio.timeout(grace):
                await self._process.wait()
        except TimeoutError:
            log.warning("child did not end in time role=%s pid=%d grace=%s", self.role, self.pid, grace)
        finally:
            if self._process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    self._process.kill()
        code = await self._process.wait()
        # Something the child started may still hold its pipes open: what it says no longer concerns us.
        _, unfinished = await asyncio.wait(self._tasks, timeout=1.0)
        for task in unfinished:
            task.cancel()
        await asyncio.wait(self._tasks)
        return code

    async def _read_messages(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        try:
            while True:
                length = _checked_length(await stdout.readexactly(4))
                self._inbox.put_nowait(self._decoder.decode(await stdout.readexactly(length)))
        except asyncio.IncompleteReadError as end:
            if end.partial:
                log.warning("child ended within a message role=%s pid=%d", self.role, self.pid)
        except (FrameError, msgspec.DecodeError) as error:
            log.error("child broke the protocol role=%s pid=%d error=%s", self.role, self.pid, error)  # noqa: TRY400
            self._process.kill()
            self._inbox.put_nowait(FrameError(f"the {self.role} process broke the protocol: {error}"))
        await self._process.wait()
        self._inbox.put_nowait(None)

    async def _read_log(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        out = logging.getLogger(f"{__name__}.{self.role}")
        while True:
            try:
                line = await stderr.readline()
            except ValueError:  # a line beyond the reader's limit; it has been thrown away
                out.warning("a very long line was left out")
                continue
            if not line:
                return
            text = line.decode("utf-8", "replace").rstrip()
            level, _, rest = text.partition(" ")
            if level in _LEVELS:  # written by `logs.configure_child`
                out.log(_LEVELS[level], "%s", rest)
            else:
                out.info("%s", text)


def own_command() -> list[str]:
    """How this very program is started again."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    # -P: never import from the working directory, which anybody may have written to.
    return [sys.executable, "-P", "-m", "metaclaw_tray"]


def _source_checkout() -> dict[str, str]:
    """Where the program runs from its source, uninstalled, a child must find the package as we did."""
    folder = Path(__file__).parents[1]
    if getattr(sys, "frozen", False) or folder.name in ("site-packages", "dist-packages"):
        return {}
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))}


@asynccontextmanager
async def start_child(
    role: str,
    *args: str,
    to_child: type[To] | Any,
    from_child: type[From] | Any,
    env: Mapping[str, str] | None = None,
    limit_bytes: int = 64 * 1024 * 1024,
    grace: float = 5.0,
    command: Sequence[str] | None = None,
) -> AsyncIterator[Child[Any, Any]]:
    """Start a child and stop it at the end of the block.

    `to_child` and `from_child` are a tagged struct or a union of them; `env` is added to our environment;
    `limit_bytes` bounds what may wait for the pipe; `command` stands in for this program in tests.
    """
    del to_child  # names the contract at the call; the child is who decodes it
    process = await asyncio.create_subprocess_exec(
        *(command or own_command()),
        "--child",
        role,
        *args,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **_source_checkout(), **(env or {})},
        limit=1024 * 1024,
    )
    child: Child[To, From] = Child(role, process, msgspec.msgpack.Decoder(from_child), limit_bytes)
    try:
        yield child
    finally:
        await child.stop(grace)


class ChildPipe(Generic[To, From]):
    """The child's own end: iterate over what the parent says, `send` what it should know. Blocking."""

    def __init__(self, source: IO[bytes], sink: IO[bytes], decoder: msgspec.msgpack.Decoder[To]) -> None:
        self._source = source
        self._sink = sink
        self._decoder = decoder

    def __iter__(self) -> Iterator[To]:
        """Messages until the parent closes the pipe or dies. A frame cut short by its death is left out."""
        while (message := self.receive()) is not None:
            yield message

    def receive(self) -> To | None:
        """The next message, or None at the end. Raises FrameError for what is no message."""
        header = self._source.read(4)
        if len(header) < 4:
            return None
        payload = self._source.read(_checked_length(header))
        if len(payload) < int.from_bytes(header, "big"):
            return None
        try:
            return self._decoder.decode(payload)
        except msgspec.DecodeError as error:
            raise FrameError(str(error)) from error

    def send(self, message: From) -> bool:
        """Tell the parent. False if it is gone, which is no fault: the input ends then too."""
        try:
            self._sink.write(encode(message))
            self._sink.flush()
        except (BrokenPipeError, ConnectionResetError):
            return False
        return True


def serve_child(to_child: type[To] | Any, from_child: type[From] | Any) -> ChildPipe[Any, Any]:
    """Take over standard input and output for messages. Call once, before anything else reads or prints.

    What is printed afterwards, by us or by a C library, goes to standard error and so to the log.
    """
    del from_child
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    for descriptor in (source, sink):
        _widen(descriptor)
    return ChildPipe(
        os.fdopen(source, "rb", buffering=PIPE_BYTES),
        os.fdopen(sink, "wb", buffering=PIPE_BYTES),
        msgspec.msgpack.Decoder(to_child),
    )


def _widen(descriptor: int) -> None:
    """Ask for a larger pipe where that exists: what lies in it survives the parent."""
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):  # not a pipe, or the user's share of pipe memory is spent
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def run_child(argv: Sequence[str], roles: Mapping[str, str] = ROLES) -> int:
    """Be a child: `argv` is what follows `--child`. Returns the exit code."""
    role = argv[0] if argv else ""
    if role not in roles:
        sys.stderr.write(f"metaclaw-tray: there is no child role {role!r}\n")
        return 2
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    code: int = importlib.import_module(roles[role]).child_main(list(argv[1:]))
    return code
