"""An agent with a shell asks in the person's place: by pipe, by a terminal it makes itself, by another name.

Real processes, a real pseudo-terminal and the real command; the library behind them is one handler that
changes something when it gets its yes.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.admin.consent import AgentAskedError, ConsentError, ask
from metaclaw_tray.admin.peer import Origin, find_origin
from metaclaw_tray.admin.protocol import Challenge
from metaclaw_tray.admin.server import Call
from metaclaw_tray.paths import Paths
from support.admin_app import Answers, admin_app

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals"),
    pytest.mark.timeout(120),
]

ROW = api.ProposalRow(
    id="p1", op="create", skill="dates", why="asked for", evidence=["e1"], gate=None, outcome="not measured"
)
DETAIL = api.ProposalDetail(
    proposal=ROW, text="Use ISO.\n", diff="+Use ISO.", exchanges=[], gate_details=[], digest="d1", source=""
)
COMMAND = [sys.executable, "-m", "metaclaw_tray", "review", "approve", "p1"]

# What an agent does that plays a terminal: reads the code from the screen and types it.
PLAYER = """
import os, pty, re, sys, time
seen = b""
pid, screen = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
typed = False
while True:
    try:
        piece = os.read(screen, 4096)
    except OSError:
        break
    if not piece:
        break
    seen += piece
    code = re.search(rb"\\b([A-Z2-9]{4})\\b[^A-Z]*$", seen)
    if code and not typed and seen.rstrip().endswith((b":", b">")):
        os.write(screen, code[1] + b"\\n")
        typed = True
sys.stdout.buffer.write(seen)
"""


class Library:
    """Changes something when it gets its yes."""

    def __init__(self) -> None:
        self.approved: list[str] = []
        self.origins: list[list[str]] = []

    async def approve(self, verb: api.ApproveProposal, call: Call) -> api.Said:
        granted = await call.consent(f"approve the proposal {verb.id}", "Use ISO.", yes=verb.yes)
        self.approved.append(verb.id)
        self.origins.append(granted.ancestry)
        return api.Said(text="Approved.")


@pytest.fixture
def paths(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Paths:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path_factory.mktemp("h")))
    return Paths.find()


@contextmanager
def app(paths: Paths) -> Iterator[Library]:
    library = Library()
    with admin_app(paths, Answers({api.ApproveProposal: library.approve, api.ShowProposal: DETAIL})):
        yield library


def played(tmp_path: Path, name: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a terminal that a program of this name has made."""
    program = tmp_path / name
    program.write_text(PLAYER)
    return subprocess.run([sys.executable, str(program), *COMMAND], capture_output=True, timeout=60)


@pytest.mark.parametrize("keys", [b"", b"yes\n", b"ABCD\n" * 50])
def test_keystrokes_through_a_pipe_approve_nothing(paths: Paths, keys: bytes) -> None:
    with app(paths) as library:
        done = subprocess.run(COMMAND, input=keys, capture_output=True, start_new_session=True, timeout=60)
    assert done.returncode == 1
    assert library.approved == []
    assert b"no terminal to ask at" in done.stderr


def test_a_yes_on_the_command_line_approves_nothing(paths: Paths) -> None:
    with app(paths) as library:
        done = subprocess.run([*COMMAND, "--yes"], capture_output=True, start_new_session=True, timeout=60)
    assert done.returncode != 0
    assert library.approved == []


@pytest.mark.parametrize("name", ["claude", "codex", "openclaw.py", "hermes"])
def test_a_terminal_that_a_known_agent_has_made_approves_nothing(
    paths: Paths, tmp_path: Path, name: str
) -> None:
    with app(paths) as library:
        done = played(tmp_path, name)
    assert library.approved == []
    assert b"An agent asked" in done.stdout
    assert f"was started by {name.removesuffix('.py')} (".encode() in b" ".join(done.stdout.split())


def test_a_program_of_another_name_gets_through_but_stands_in_the_ancestry(
    paths: Paths, tmp_path: Path
) -> None:
    """What is hard, not impossible: the ledger says who it was."""
    with app(paths) as library:
        played(tmp_path, "tool.py")
    assert library.approved == ["p1"]
    assert len(library.origins[0]) > 2  # the command, the program that played, this test


def test_a_process_that_speaks_to_the_port_for_agents_is_one_whatever_its_name() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            assert find_origin(os.getpid()).agent == ""
            assert find_origin(os.getpid(), [port]).agent.endswith(f"({os.getpid()})")
        assert find_origin(os.getpid(), [port + 1]).agent == ""


def test_a_process_that_is_gone_has_no_origin() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert find_origin(gone.pid) == Origin(None, [])


async def _never(_challenge: Challenge) -> str:
    raise AssertionError("an agent was asked")


async def test_an_agent_is_not_even_asked_unless_scripts_were_allowed_at_the_start() -> None:
    origin = Origin("/dev/pts/1", ["metaclaw-tray (3)", "claude (2)"], "claude (2)")
    with pytest.raises(AgentAskedError, match="started by claude"):
        await ask("x", "y", origin=origin, scripted=False, allow_scripted=True, challenge=_never)
    with pytest.raises(ConsentError, match="not started for scripted use"):
        await ask("x", "y", origin=origin, scripted=True, allow_scripted=False, challenge=_never)
    granted = await ask("x", "y", origin=origin, scripted=True, allow_scripted=True, challenge=_never)
    assert granted.channel == "scripted"


async def test_what_an_agent_asked_for_is_told_to_whoever_keeps_the_ledger(paths: Paths) -> None:
    from metaclaw_tray.admin.peer import Peer

    told: list[tuple[str, str]] = []

    async def refused(action: str, origin: Origin) -> None:
        told.append((action, origin.agent))

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            peer = Peer(os.getuid(), os.getpid(), frozenset({port}))
            call = Call(api.ListReview(), peer, None, None, allow_scripted=False, refused=refused)  # type: ignore[arg-type]
            with pytest.raises(AgentAskedError):
                await call.consent("approve p1", "text", yes=False)
    assert [action for action, _ in told] == ["approve p1"]
