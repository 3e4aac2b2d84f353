from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from metaclaw_tray.paths import Paths, resources_dir


def test_a_home_of_ones_own_holds_everything_but_the_models(tmp_path: Path):
    paths = Paths.find({"METACLAW_TRAY_HOME": str(tmp_path)})
    for place in (
        paths.config_file,
        paths.store_file,
        paths.secrets_file,
        paths.choices_file,
        paths.skills_dir,
        paths.logs_dir,
    ):
        assert place.is_relative_to(tmp_path)
    assert not paths.models_dir.is_relative_to(tmp_path)
    assert Paths.find({"METACLAW_TRAY_MODELS": "/m"}).models_dir == Path("/m")


def test_finding_the_places_creates_nothing(tmp_path: Path):
    Paths.find({"METACLAW_TRAY_HOME": str(tmp_path / "home")})
    assert list(tmp_path.iterdir()) == []


def test_without_a_home_the_system_decides():
    paths = Paths.find({})
    assert paths.config_file.name == "config.toml"
    assert "metaclaw-tray" in str(paths.state_dir)


def test_a_relative_home_and_a_tilde_become_whole_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert Paths.find({"METACLAW_TRAY_HOME": "here"}).home == tmp_path / "here"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Paths.find({"METACLAW_TRAY_HOME": "~/there"}).home == tmp_path / "there"


def test_a_deep_home_still_has_a_socket_that_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1")
    deep = Paths.find({"METACLAW_TRAY_HOME": str(tmp_path / ("x" * 90))})
    other = Paths.find({"METACLAW_TRAY_HOME": str(tmp_path / ("y" * 90))})
    assert len(os.fsencode(deep.socket_file)) < 104
    assert deep.socket_file.is_relative_to("/run/user/1")
    assert deep.socket_file.parent != other.socket_file.parent
    short = Paths.find({"METACLAW_TRAY_HOME": "/h"})
    assert short.socket_file == Path("/h/state/admin.sock")


def test_folders_that_others_could_enter_are_closed(tmp_path: Path):
    paths = Paths.find({"METACLAW_TRAY_HOME": str(tmp_path)})
    for folder in (paths.config_dir, paths.skills_dir, paths.logs_dir):
        folder.mkdir(mode=0o755)
    tmp_path.chmod(0o755)
    paths.prepare()
    for folder in (paths.config_dir, paths.state_dir, paths.skills_dir, paths.logs_dir):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755  # it may be a folder of the person's own


def test_prepared_folders_are_private(tmp_path: Path):
    paths = Paths.find({"METACLAW_TRAY_HOME": str(tmp_path / "home")})
    paths.prepare()
    paths.prepare()
    for folder in (paths.home, paths.config_dir, paths.state_dir, paths.skills_dir, paths.logs_dir):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_source_checkout_finds_its_resources():
    assert resources_dir().name == "resources"
    assert resources_dir().is_dir()
