from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from metaclaw_tray.admin import instance
from metaclaw_tray.admin import server as server_module
from metaclaw_tray.admin.api import (
    GetStatus,
    LearnNow,
    LearnOutcome,
    ListSecrets,
    Said,
    SecretRow,
    Undo,
    UseUpstream,
)
from metaclaw_tray.admin.client import AdminClient
from metaclaw_tray.admin.instance import Instance, is_held
from metaclaw_tray.admin.peer import Peer, find_origin, peer_of
from metaclaw_tray.admin.protocol import Challenge
from metaclaw_tray.errors import KnownError, NotFoundError, NotRunningError, UsageError
from metaclaw_tray.paths import Paths
from support.admin_app import Answers, admin_app


@pytest.fixture
def paths(tmp_path_factory: pytest.TempPathFactory) -> Paths:
    return Paths.find({"METACLAW_TRAY_HOME": str(tmp_path_factory.mktemp("h"))})


def raw(paths: Paths, data: bytes) -> list[dict]:
    """What the app says to these bytes."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(paths.socket_file))
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        with connection.makefile("rb") as stream:
            return [json.loads(line) for line in stream]


def test_a_verb_is_answered_with_its_own_type(paths: Paths):
    rows = [SecretRow(name="agent:claw", kept_in="keyring")]
    answers = Answers({ListSecrets: rows, UseUpstream: Said(text="Done.")})
    with admin_app(paths, answers):
        assert AdminClient(paths).running()
        assert AdminClient(paths).call(ListSecrets()) == rows
        assert AdminClient(paths).call(UseUpstream("é\n")).text == "Done."
    assert answers.asked == [ListSecrets(), UseUpstream("é\n")]


def test_without_an_app_a_command_says_so_with_exit_code_3(paths: Paths):
    assert not AdminClient(paths).running()
    with pytest.raises(NotRunningError, match="Nothing answers for") as caught:
        AdminClient(paths).call(GetStatus())
    assert caught.value.exit_code == 3


def test_a_socket_that_a_killed_app_left_behind_is_no_app(paths: Paths):
    paths.prepare()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(paths.socket_file))
    with pytest.raises(NotRunningError):
        AdminClient(paths).call(ListSecrets())
    with admin_app(paths, Answers({ListSecrets: []})):
        assert AdminClient(paths).call(ListSecrets()) == []


def test_the_socket_and_its_folder_are_private_and_go_with_the_app(paths: Paths):
    with admin_app(paths, {}):
        assert stat.S_IMODE(paths.socket_file.stat().st_mode) == 0o600
        assert stat.S_IMODE(paths.socket_file.parent.stat().st_mode) == 0o700
    assert not paths.socket_file.exists()


@pytest.mark.parametrize(
    ("error", "code"),
    [(NotFoundError("Not found", "there is no x", "look"), 1), (UsageError("Wrong", "no", ""), 2)],
)
def test_an_error_of_the_app_keeps_its_words_and_exit_code(paths: Paths, error: KnownError, code: int):
    with admin_app(paths, Answers({ListSecrets: error})), pytest.raises(KnownError) as caught:
        AdminClient(paths).call(ListSecrets())
    assert caught.value.lines() == error.lines()
    assert caught.value.exit_code == code


def test_a_bug_in_the_app_is_logged_there_and_tells_the_command_only_its_name(paths: Paths, caplog):
    answers = Answers({ListSecrets: RuntimeError("secret detail")})
    with admin_app(paths, answers), pytest.raises(KnownError, match="RuntimeError in the app") as caught:
        AdminClient(paths).call(ListSecrets())
    assert "secret detail" not in str(caught.value)
    assert "secret detail" in caplog.text


def test_progress_is_told_while_the_command_waits(paths: Paths):
    outcome = LearnOutcome(judged=2, proposals=["p1"], notes=[])

    async def learn(verb: LearnNow, call: server_module.Call) -> LearnOutcome:
        await call.progress("judged one")
        await call.progress("judged two")
        return outcome

    heard: list[str] = []
    with admin_app(paths, Answers({LearnNow: learn})):
        assert AdminClient(paths).call(LearnNow(), on_progress=heard.append) == outcome
    assert heard == ["judged one", "judged two"]


def test_work_goes_on_when_whoever_asked_has_left(paths: Paths):
    left, done = asyncio.Event(), []

    async def learn(verb: LearnNow, call: server_module.Call) -> LearnOutcome:
        await left.wait()
        for _ in range(5):
            await call.progress("x" * 100_000)
        done.append(True)
        return LearnOutcome(judged=0, proposals=[], notes=[])

    async def leave(verb: GetStatus, call: server_module.Call) -> None:
        left.set()
        while not done:
            await asyncio.sleep(0.001)
        raise NotFoundError("done", "", "")

    with admin_app(paths, Answers({LearnNow: learn, GetStatus: leave})):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(paths.socket_file))
            connection.sendall(b'{"verb":"learn.now"}\n')
        with pytest.raises(KnownError, match="done"):
            AdminClient(paths).call(GetStatus())
    assert done == [True]


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        (b"hello\n", "JSON is malformed"),
        (b"[]\n", "Expected `object`"),
        (b"{}\n", "missing required field `verb`"),
        (b'{"verb":"make.tea"}\n', "Invalid value 'make.tea'"),
        (b'{"verb":"undo"}\n', "missing required field `entry`"),
        (b'{"verb":"undo","entry":1}\n', "Expected `str`, got `int`"),
        (b'{"verb":"undo","entry":"x","force":true}\n', "unknown field `force`"),
        (b"\xff\xfe\n", "JSON is malformed"),
        (b"[" * 5000 + b"\n", "Expected `object`"),
    ],
)
def test_what_is_no_verb_is_refused_and_the_app_goes_on(paths: Paths, line: bytes, detail: str):
    with admin_app(paths, Answers({ListSecrets: []})):
        (problem, after) = raw(paths, line + b'{"verb":"secret.list"}\n')
    assert (problem["kind"], problem["exit_code"]) == ("failed", 2)
    assert detail in problem["detail"]
    assert after == {"kind": "done", "value": []}


def test_a_verb_that_nobody_handles_is_said(paths: Paths):
    with admin_app(paths, {}):
        assert raw(paths, b'{"verb":"status"}\n')[0]["detail"] == "This app does not answer 'status'."


def test_a_line_without_end_is_cut_off(paths: Paths, monkeypatch):
    monkeypatch.setattr(server_module, "LINE_LIMIT", 1000)
    with admin_app(paths, {}):
        (problem,) = raw(paths, b" " * 1001 + b"\n")
        assert problem["title"] == "The request is too long"
        assert raw(paths, b'{"verb":') == []


def test_a_command_that_never_says_what_it_wants_is_let_go(paths: Paths, monkeypatch):
    monkeypatch.setattr(server_module, "SILENCE_SECONDS", 0.01)
    with admin_app(paths, {}), socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(30)  # a guard
        connection.connect(str(paths.socket_file))
        connection.sendall(b'{"verb":')
        assert connection.recv(100) == b""


def test_commands_beyond_a_number_are_turned_away_at_once(paths: Paths, monkeypatch):
    monkeypatch.setattr(server_module, "MOST_AT_ONCE", 3)
    with admin_app(paths, Answers({ListSecrets: []})), contextlib.ExitStack() as stack:
        for _ in range(3):
            idle = stack.enter_context(socket.socket(socket.AF_UNIX))
            idle.connect(str(paths.socket_file))
            idle.sendall(b"x\n")
            assert idle.recv(1000)
        with pytest.raises(KnownError, match="ended before it answered"):
            AdminClient(paths).call(ListSecrets())
        stack.close()
        while True:  # until the app has seen them leave
            with contextlib.suppress(KnownError):
                assert AdminClient(paths).call(ListSecrets()) == []
                break


_INTRUDER = """
import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
with socket.socket(socket.AF_UNIX) as connection:
    try:
        connection.connect(sys.argv[1])
        connection.sendall(b'{"verb":"secret.list"}\\n')
        print(connection.recv(1000))
    except OSError as error:
        print(type(error).__name__)
"""


def _intrude(path: Path) -> str:
    """What a process of the user nobody gets out of a socket."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", _INTRUDER, str(path)], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start a process of another user")
def test_a_process_of_another_user_gets_nothing(caplog):
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # pytest's own folders are closed to others
        Path(folder).chmod(0o755)
        paths, answers = Paths.find({"METACLAW_TRAY_HOME": folder}), Answers({ListSecrets: []})
        with admin_app(paths, answers):
            assert _intrude(paths.socket_file) == "PermissionError"
            # Even where somebody opened all the doors, the kernel says who comes.
            paths.state_dir.chmod(0o755)
            paths.socket_file.chmod(0o666)
            assert _intrude(paths.socket_file) in ("b''", "ConnectionResetError", "BrokenPipeError")
            assert "refused a command of another user uid=65534" in caplog.text
            assert answers.asked == []


def test_another_users_commands_are_refused(paths: Paths, monkeypatch):
    monkeypatch.setattr(server_module, "peer_of", lambda connection: Peer(12345, 1))
    answers = Answers({ListSecrets: []})
    with admin_app(paths, answers), pytest.raises(KnownError, match="ended before it answered"):
        AdminClient(paths).call(ListSecrets())
    assert answers.asked == []


def test_a_socket_of_another_user_is_not_trusted(paths: Paths, monkeypatch):
    answers = Answers({ListSecrets: []})
    with admin_app(paths, answers):
        with monkeypatch.context() as patch:
            patch.setattr("metaclaw_tray.admin.client.peer_of", lambda connection: Peer(12345, 1))
            with pytest.raises(KnownError, match="held by another user"):
                AdminClient(paths).call(ListSecrets())
        assert answers.asked == []
        AdminClient(paths).call(ListSecrets())


def test_an_app_that_ends_in_the_middle_is_said(paths: Paths):
    async def never(verb: ListSecrets, call: server_module.Call) -> None:
        asyncio.get_running_loop().call_soon(asyncio.current_task().cancel)  # type: ignore[union-attr]
        await asyncio.Event().wait()

    with admin_app(paths, Answers({ListSecrets: never})), pytest.raises(KnownError, match="ended before"):
        AdminClient(paths).call(ListSecrets())


def test_an_answer_of_another_version_is_said(paths: Paths):
    answers = Answers({ListSecrets: {"not": "a list"}})
    with admin_app(paths, answers), pytest.raises(KnownError, match="was not understood") as caught:
        AdminClient(paths).call(ListSecrets())
    assert "restart it" in caught.value.remedy


def test_a_second_app_is_told_who_has_the_home(paths: Paths):
    words = rf"process {os.getpid()}\) has {paths.home}"
    with Instance.hold(paths), pytest.raises(KnownError, match=words):
        Instance.hold(paths)
    with Instance.hold(paths):
        pass


def test_a_killed_apps_lock_is_free_again(paths: Paths):
    code = (
        "from metaclaw_tray.admin.instance import Instance, is_held; from metaclaw_tray.paths import Paths\n"
    )
    code += "Instance.hold(Paths.find()); print('held', flush=True); input()"
    environment = {
        **os.environ,
        "METACLAW_TRAY_HOME": str(paths.home),
        "PYTHONPATH": str(Path(__file__).parents[2] / "app"),
    }
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(KnownError, match=rf"process {holder.pid}\)"):
            Instance.hold(paths)
        holder.kill()
    Instance.hold(paths).release()


def test_a_folder_that_somebody_else_made_is_not_used(paths: Paths, monkeypatch):
    paths.prepare()
    monkeypatch.setattr("metaclaw_tray.admin.instance.os.getuid", lambda: 12345)
    with pytest.raises(KnownError, match="belongs to somebody else"):
        Instance.hold(paths)


def test_a_folder_that_only_points_elsewhere_is_not_used(paths: Paths, tmp_path: Path):
    paths.home.mkdir(exist_ok=True)
    paths.state_dir.symlink_to(tmp_path)
    with pytest.raises(KnownError, match="belongs to somebody else"):
        Instance.hold(paths)


def test_a_lock_that_only_points_elsewhere_is_not_written(paths: Paths, tmp_path: Path):
    paths.prepare()
    other = tmp_path / "other"
    other.write_text("mine")
    paths.socket_file.with_suffix(".lock").symlink_to(other)
    with pytest.raises(KnownError, match="cannot start"):
        Instance.hold(paths)
    assert other.read_text() == "mine"


def test_a_socket_that_only_points_elsewhere_is_replaced(paths: Paths, tmp_path: Path):
    paths.prepare()
    other = tmp_path / "other"
    other.write_text("mine")
    paths.socket_file.symlink_to(other)
    with admin_app(paths, Answers({ListSecrets: []})):
        assert AdminClient(paths).call(ListSecrets()) == []
        assert stat.S_ISSOCK(paths.socket_file.lstat().st_mode)
    assert other.read_text() == "mine"


def test_a_home_that_is_deep_gets_a_short_private_socket(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", tempfile.mkdtemp(dir="/tmp"))
    paths = Paths.find({"METACLAW_TRAY_HOME": str(tmp_path / ("deep" * 30))})
    with admin_app(paths, Answers({ListSecrets: []})):
        assert AdminClient(paths).call(ListSecrets()) == []
        assert len(os.fsencode(paths.socket_file)) <= 100
        assert stat.S_IMODE(paths.socket_file.parent.stat().st_mode) == 0o700
    shutil.rmtree(os.environ["XDG_RUNTIME_DIR"])


def test_a_folder_that_others_can_enter_is_closed(paths: Paths):
    paths.prepare()
    paths.state_dir.chmod(0o755)
    with Instance.hold(paths):
        assert stat.S_IMODE(paths.state_dir.stat().st_mode) == 0o700


def test_a_home_that_cannot_be_made_is_said(tmp_path: Path):
    (tmp_path / "f").write_text("")
    with pytest.raises(KnownError, match="a part of its path is not a folder"):
        Instance.hold(Paths.find({"METACLAW_TRAY_HOME": str(tmp_path / "f")}))


def test_the_kernel_says_who_is_there():
    one, other = socket.socketpair()
    with one, other:
        peer = peer_of(one)
    assert (peer.uid, peer.pid) == (os.getuid(), os.getpid())
    ancestry = find_origin(os.getpid()).ancestry
    assert ancestry[0].endswith(f"({os.getpid()})")
    assert ancestry[1].endswith(f"({os.getppid()})")
    assert find_origin(2**22 + 1).ancestry == []


def test_a_yes_without_permission_is_refused_over_the_socket(paths: Paths):
    async def undo(verb: Undo, call: server_module.Call) -> Said:
        granted = await call.consent("undo x", "the whole text", yes=verb.yes)
        return Said(text=granted.channel)

    def never(challenge: Challenge) -> str:
        raise AssertionError("asked all the same")

    words = "--yes does not count here"
    with admin_app(paths, Answers({Undo: undo})), pytest.raises(KnownError, match=words):
        AdminClient(paths).call(Undo(entry="x", yes=True), on_challenge=never)
    with admin_app(paths, Answers({Undo: undo}), allow_scripted=True):
        assert AdminClient(paths).call(Undo(entry="x", yes=True), on_challenge=never).text == "scripted"


def test_an_app_that_starts_is_waited_for_and_not_said_to_be_away(paths: Paths):
    with Instance.hold(paths):
        with pytest.raises(KnownError, match="still starting, or already ending"):
            AdminClient(paths, patience=0).call(Undo(entry="x"))
        assert is_held(paths)
    assert not is_held(paths)
    with pytest.raises(NotRunningError):
        AdminClient(paths).call(Undo(entry="x"))


def test_a_command_that_looks_whether_the_home_is_held_keeps_no_app_from_starting(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
):
    with Instance.hold(paths):
        pass
    looking = os.open(paths.socket_file.with_suffix(".lock"), os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)
    monkeypatch.setattr(instance.time, "sleep", lambda seconds: os.close(looking))
    with Instance.hold(paths):
        assert is_held(paths)
