"""Starting at log-in is a file of the person's own, which the desktop reads as it was meant."""

from __future__ import annotations

import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest

from metaclaw_tray.errors import KnownError
from metaclaw_tray.runtime.autostart import HIDDEN, find_autostart


def entry(tmp_path: Path, *command: str, **environ: str) -> tuple[Path, list[str]]:
    """The file that is written, and the words that a desktop would run."""
    found = find_autostart({"XDG_CONFIG_HOME": str(tmp_path), **environ}, "linux", command)
    found.set(True)
    path = Path(found.place)
    (line,) = [each for each in path.read_text().splitlines() if each.startswith("Exec=")]
    return path, desktop_words(line.removeprefix("Exec="))


def desktop_words(line: str) -> list[str]:
    """The words of an Exec line, by the Desktop Entry Specification."""
    line = line.replace("\\\\", "\\")  # the file's own escapes
    words, word, quoted, at = [], "", False, 0
    while at < len(line):
        letter = line[at]
        if letter == '"':
            quoted = not quoted
        elif letter == "\\" and quoted:
            at += 1
            word += line[at]
        elif letter == "%":
            at += 1
            assert line[at] == "%"
            word += "%"
        elif letter == " " and not quoted:
            words.append(word)
            word = ""
        else:
            word += letter
        at += 1
    return [*words, word]


def test_an_entry_whose_program_was_removed_is_skipped_by_the_desktop(tmp_path: Path) -> None:
    path, _ = entry(tmp_path, "/opt/my app/metaclaw-tray", METACLAW_TRAY_HOME="/srv/home")
    assert "TryExec=/opt/my app/metaclaw-tray" in path.read_text().splitlines()


def test_it_is_off_until_it_is_set_and_off_again_after(tmp_path: Path) -> None:
    found = find_autostart({"XDG_CONFIG_HOME": str(tmp_path)}, "linux", ["/opt/app"])
    assert not found.is_on()
    found.set(True)
    assert found.is_on()
    assert Path(found.place) == tmp_path / "autostart" / "metaclaw-tray.desktop"
    found.set(False)
    found.set(False)
    assert not found.is_on()
    assert not Path(found.place).exists()


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_what_the_desktop_switched_off_is_off(tmp_path: Path, line: str) -> None:
    found = find_autostart({"XDG_CONFIG_HOME": str(tmp_path)}, "linux", ["/opt/app"])
    found.set(True)
    path = Path(found.place)
    path.write_text(path.read_text().replace("X-GNOME-Autostart-enabled=true", line))
    assert not found.is_on()


@pytest.mark.parametrize(
    "program", ["/opt/app", "/home/jo anne/app", '/odd/"quoted"', "/odd/100%/$HOME/`x`", "/odd/back\\slash"]
)
def test_the_command_is_run_as_it_is(tmp_path: Path, program: str) -> None:
    _, words = entry(tmp_path, program, "-P")
    assert words == [program, "-P", HIDDEN]


def test_a_home_of_ones_own_is_taken_along(tmp_path: Path) -> None:
    _, words = entry(tmp_path, "/opt/app", METACLAW_TRAY_HOME="/my home")
    assert words == ["env", "METACLAW_TRAY_HOME=/my home", "/opt/app", HIDDEN]


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="desktop-file-utils is not there")
def test_the_entry_is_valid(tmp_path: Path) -> None:
    path, _ = entry(tmp_path, "/opt/my app", METACLAW_TRAY_HOME="/my home")
    done = subprocess.run(["desktop-file-validate", str(path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_mac_gets_an_agent_of_its_own(tmp_path: Path) -> None:
    found = find_autostart({"HOME": str(tmp_path), "METACLAW_TRAY_HOME": "/h"}, "darwin", ["/opt/app"])
    found.set(True)
    assert found.is_on()
    agent = plistlib.loads(Path(found.place).read_bytes())
    assert Path(found.place).parent == tmp_path / "Library" / "LaunchAgents"
    assert agent["ProgramArguments"] == ["/opt/app", HIDDEN]
    assert agent["EnvironmentVariables"] == {"METACLAW_TRAY_HOME": "/h"}


def test_a_folder_that_refuses_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "autostart").write_text("a file")
    found = find_autostart({"XDG_CONFIG_HOME": str(tmp_path)}, "linux", ["/opt/app"])
    with pytest.raises(KnownError, match="autostart"):
        found.set(True)
