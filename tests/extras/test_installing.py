from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from extras.conftest import MODULE, extra_of, make_wheel
from metaclaw_tray.child import own_command
from metaclaw_tray.errors import ExtraError
from metaclaw_tray.extras import installing, places
from metaclaw_tray.extras import pip as pips
from metaclaw_tray.extras.installing import Progress, add, plan, remove
from metaclaw_tray.extras.places import extras_dir, find

SLOW_PIP = (
    "import sys, time, os, pathlib; pathlib.Path(sys.argv[1]).write_text(str(os.getpid())); time.sleep(600)"
)


def ignore(_progress: Progress) -> None: ...


def left(paths) -> list[str]:
    """What lies in the folder of extras, besides the lock."""
    room = extras_dir(paths)
    return sorted(each.name for each in room.iterdir() if each.name != ".lock") if room.exists() else []


def test_an_extra_is_installed_whole_and_can_be_imported_by_a_child(paths, shelf, offer) -> None:
    extra = offer(extra_of(make_wheel(shelf, "VALUE = 41 + 1\n")))
    assert find("tiny", paths).state == "missing"
    steps: list[str] = []
    found = add(plan(extra, paths), paths, lambda progress: steps.append(str(progress)))
    assert found.state == "here"
    assert found.folder is not None
    assert steps[-1].startswith("99 %: ")
    tried = subprocess.run([*own_command(), "--child", "try", str(found.folder), MODULE], check=False)
    assert tried.returncode == 0
    assert left(paths) == ["tiny"]


def test_removing_leaves_nothing(paths, shelf, offer) -> None:
    extra = offer(extra_of(make_wheel(shelf, "")))
    add(plan(extra, paths), paths, ignore)
    assert remove("tiny", paths) > 0
    assert find("tiny", paths).state == "missing"
    assert left(paths) == []
    with pytest.raises(ExtraError, match="not installed"):
        remove("tiny", paths)


def test_a_file_with_another_hash_is_refused_and_nothing_is_kept(paths, shelf, offer) -> None:
    wheel = make_wheel(shelf, "")
    extra = offer(extra_of(wheel))
    make_wheel(shelf, "EVIL = True\n")
    with pytest.raises(ExtraError, match="not the one that was tried"):
        add(plan(extra, paths), paths, ignore)
    assert left(paths) == []


def test_what_cannot_be_imported_here_is_not_kept(paths, shelf, offer) -> None:
    extra = offer(extra_of(make_wheel(shelf, "raise ImportError('no such instruction')\n")))
    with pytest.raises(ExtraError, match="no such instruction") as caught:
        add(plan(extra, paths), paths, ignore)
    assert "does not work" in caught.value.title
    assert left(paths) == []


def test_offline_it_is_said_who_could_not_be_reached(paths, shelf, offer, monkeypatch) -> None:
    extra = offer(extra_of(make_wheel(shelf, "")))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}/simple"
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_INDEX_URL", nobody)
    monkeypatch.setenv("PIP_RETRIES", "1")
    planned = plan(extra, paths)
    assert planned.host == "127.0.0.1"
    with pytest.raises(ExtraError, match="could not be reached"):
        add(planned, paths, ignore)
    assert left(paths) == []


def test_a_full_disk_is_seen_before_anything_is_fetched(paths, shelf, offer, monkeypatch) -> None:
    extra = offer(extra_of(make_wheel(shelf, "")))
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: usage(10**9, 10**9, 1_000_000))
    with pytest.raises(ExtraError, match="too full"):
        add(plan(extra, paths), paths, ignore)
    assert left(paths) == []


def test_one_who_gives_up_ends_pip_and_leaves_nothing(paths, shelf, offer, monkeypatch, tmp_path) -> None:
    extra = offer(extra_of(make_wheel(shelf, "")))
    planned, pid_file = plan(extra, paths), tmp_path / "pid"
    monkeypatch.setattr(pips, "own_pip", lambda: [sys.executable, "-c", SLOW_PIP, str(pid_file)])

    def give_up(_progress: Progress) -> None:
        if pid_file.exists() and pid_file.read_text():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add(planned, paths, give_up)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)
    assert left(paths) == []


def test_what_a_killed_installation_left_is_no_installation_and_is_swept(paths, shelf, offer) -> None:
    extra = offer(extra_of(make_wheel(shelf, "")))
    half = extras_dir(paths) / ".adding-0000" / "site"
    half.mkdir(parents=True)
    (half / f"{MODULE}.py").write_text("")
    assert find("tiny", paths).state == "missing"
    add(plan(extra, paths), paths, ignore)
    assert left(paths) == ["tiny"]


def test_new_pins_leave_the_old_installation_in_use_until_it_is_renewed(paths, shelf, offer) -> None:
    first = offer(extra_of(make_wheel(shelf, "VALUE = 1\n")))
    old = add(plan(first, paths), paths, ignore).folder
    second = offer(extra_of(make_wheel(shelf, "VALUE = 2\n", "2.0"), "2.0"))
    assert (find("tiny", paths).state, find("tiny", paths).folder) == ("older", old)
    new = add(plan(second, paths), paths, ignore)
    assert new.state == "here"
    assert new.folder != old
    assert old is not None
    assert not old.exists()


def test_an_installation_for_another_python_is_not_used(paths, shelf, offer) -> None:
    extra = offer(extra_of(make_wheel(shelf, "")))
    folder = add(plan(extra, paths), paths, ignore).folder
    assert folder is not None
    folder.rename(folder.with_name(folder.name.replace("cp3", "cp2", 1)))
    assert find("tiny", paths).state == "missing"


def test_a_system_that_nothing_is_built_for_is_told_so_before_anything_is_asked(paths, monkeypatch) -> None:
    odd = places.System((3, 11), "linux", "riscv64")
    monkeypatch.setattr(installing.System, "here", classmethod(lambda _cls: odd))
    with pytest.raises(ExtraError, match="riscv64"):
        plan(find("embedded", paths).extra, paths)


def test_a_python_without_pip_is_told_what_helps(paths, shelf, offer, monkeypatch) -> None:
    extra = offer(extra_of(make_wheel(shelf, "")))
    monkeypatch.setattr(pips, "own_pip", lambda: None)
    with pytest.raises(ExtraError, match="no pip"):
        plan(extra, paths)


def test_what_the_environment_has_is_used_from_there_and_not_removed(
    paths, offer, tmp_path, monkeypatch
) -> None:
    folder = tmp_path / "environment"
    folder.mkdir()
    (folder / f"{MODULE}.py").write_text("")
    monkeypatch.syspath_prepend(str(folder))
    offer(extra_of(make_wheel(tmp_path / "shelf", "")))
    assert find("tiny", paths).state == "environment"
    with pytest.raises(ExtraError, match="belongs to the Python environment"):
        remove("tiny", paths)


def test_the_plan_names_packages_sizes_and_the_place(paths, shelf, offer) -> None:
    extra = offer(extra_of(make_wheel(shelf, "")))
    said = "\n".join(plan(extra, paths).lines())
    assert f"{MODULE} 1.0 (MIT)" in said
    assert str(extras_dir(paths)) in said
    assert "MB to download" in said


def test_a_frozen_program_is_pip_itself(monkeypatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert pips.own_pip() == [sys.executable, "--child", "pip"]


def test_as_a_child_it_is_pip() -> None:
    done = subprocess.run(
        [*own_command(), "--child", "pip", "--version"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stdout.startswith("pip ")
    assert Path(done.stdout.split(" from ")[1].split(" (")[0]).exists()
