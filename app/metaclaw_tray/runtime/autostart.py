"""Whether the app starts when the person logs in: a file or a key of the person's own, never system-wide.

Linux: an entry in XDG's autostart folder (Desktop Application Autostart Specification). macOS: a LaunchAgent.
Windows: a value under the Run key. The last two are written by their documents; they were not run here.
"""

from __future__ import annotations

import contextlib
import os
import plistlib
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from metaclaw_tray.child import own_command
from metaclaw_tray.errors import KnownError
from metaclaw_tray.files import in_words

HIDDEN = "--hidden"  # comes up as a tray icon, without the window

_LABEL = "io.github.metaclaw-tray"
_RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
_VALUE = "MetaClaw Tray"


class Autostart(Protocol):
    """One system's way. All of it blocks; raises KnownError where it cannot be read or written."""

    @property
    def place(self) -> str:
        """The file or key."""
        ...

    def is_on(self) -> bool: ...

    def set(self, on: bool) -> None: ...


def find_autostart(
    environ: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    command: Sequence[str] | None = None,
) -> Autostart:
    """The way of this system."""
    start = [*(command or own_command()), HIDDEN]
    home = Path(environ.get("HOME") or Path.home())
    carried = {name: environ[name] for name in ("METACLAW_TRAY_HOME",) if environ.get(name)}
    if platform == "win32":
        return _RunKey(start)
    if platform == "darwin":
        return _File(home / "Library" / "LaunchAgents" / f"{_LABEL}.plist", _agent(start, carried))
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    return _File(config / "autostart" / "metaclaw-tray.desktop", _entry(start, carried))


class _File:
    """A file that is there or not."""

    def __init__(self, path: Path, text: bytes) -> None:
        self._path = path
        self._text = text

    @property
    def place(self) -> str:
        return str(self._path)

    def is_on(self) -> bool:
        """A desktop's own settings page switches an entry off by a line in it."""
        try:
            lines = self._path.read_bytes().splitlines()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise _refused(self.place, error) from error
        return not {b"Hidden=true", b"X-GNOME-Autostart-enabled=false"} & set(lines)

    def set(self, on: bool) -> None:
        try:
            if on:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.write_bytes(self._text)
            else:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            raise _refused(self.place, error) from error


class _RunKey:
    """A value of the current user's Run key."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = " ".join(f'"{part}"' for part in command)

    @property
    def place(self) -> str:
        return rf"HKEY_CURRENT_USER\{_RUN_KEY}"

    def is_on(self) -> bool:
        if sys.platform == "win32":
            import winreg

            with (
                winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN_KEY) as key,
                contextlib.suppress(FileNotFoundError),
            ):
                winreg.QueryValueEx(key, _VALUE)
                return True
        return False

    def set(self, on: bool) -> None:
        if sys.platform == "win32":
            import winreg

            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN_KEY) as key:
                if on:
                    winreg.SetValueEx(key, _VALUE, 0, winreg.REG_SZ, self._command)
                elif self.is_on():
                    winreg.DeleteValue(key, _VALUE)


def _entry(command: Sequence[str], environ: Mapping[str, str]) -> bytes:
    """A desktop entry. How its Exec line quotes: Desktop Entry Specification, "The Exec key". An entry whose
    program was removed is skipped by its TryExec line."""
    program = command[0].replace("\\", "\\\\")
    words = [*(["env", *(f"{name}={value}" for name, value in environ.items())] if environ else []), *command]
    return (
        "[Desktop Entry]\nType=Application\nName=MetaClaw Tray\n"
        "Comment=Skills that your agents learn from their own use\n"
        f"TryExec={program}\nExec={' '.join(map(_exec_word, words))}\nIcon=metaclaw-tray\nTerminal=false\n"
        "X-GNOME-Autostart-enabled=true\nX-GNOME-Autostart-Delay=5\n"
    ).encode()


def _exec_word(word: str) -> str:
    if word == shlex.quote(word) and "%" not in word and "~" not in word:
        return word
    for letter in ("\\", '"', "`", "$"):
        word = word.replace(letter, f"\\{letter}")
    # A backslash is one escape of the file's strings more; a percent sign would begin a field code.
    return '"' + word.replace("\\", "\\\\").replace("%", "%%") + '"'


def _agent(command: Sequence[str], environ: Mapping[str, str]) -> bytes:
    return plistlib.dumps(
        {
            "Label": _LABEL,
            "ProgramArguments": list(command),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
            **({"EnvironmentVariables": dict(environ)} if environ else {}),
        }
    )


def _refused(place: str, error: OSError) -> KnownError:
    return KnownError(
        "Starting with your session cannot be changed",
        f"{place}: {in_words(error)}.",
        "Give permission to the folder, or use the settings of your desktop.",
    )
