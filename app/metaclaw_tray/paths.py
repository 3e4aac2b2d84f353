"""Where everything lies.

`METACLAW_TRAY_HOME=DIR` puts configuration, state, skills, sockets and logs under DIR. Without it each kind
goes where the operating system keeps such things. Model files are a cache that several homes share.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from platformdirs import PlatformDirs

_APP = "metaclaw-tray"
_SOCKET_PATH_LIMIT = 100  # bytes; sun_path holds 104 on macOS and 108 on Linux


@dataclass(frozen=True)
class Paths:
    """The places of one installation. Nothing is created until `prepare` is called."""

    home: Path
    config_dir: Path
    state_dir: Path
    skills_dir: Path
    logs_dir: Path
    models_dir: Path

    @classmethod
    def find(cls, environ: Mapping[str, str] = os.environ) -> Paths:
        """The places that this environment asks for."""
        dirs = PlatformDirs(_APP, appauthor=False)
        models = Path(environ.get("METACLAW_TRAY_MODELS") or dirs.user_cache_path / "models")
        chosen = environ.get("METACLAW_TRAY_HOME")
        if chosen:
            home = Path(chosen).expanduser().absolute()
            return cls(home, home / "config", home / "state", home / "skills", home / "logs", models)
        return cls(
            home=dirs.user_data_path,
            config_dir=dirs.user_config_path,
            state_dir=dirs.user_state_path,
            skills_dir=dirs.user_data_path / "skills",
            logs_dir=dirs.user_log_path,
            models_dir=models,
        )

    @property
    def config_file(self) -> Path:
        return self.config_dir / "config.toml"

    @property
    def store_file(self) -> Path:
        return self.state_dir / "store.sqlite3"

    @property
    def secrets_file(self) -> Path:
        """The opt-in fallback where there is no keyring, mode 0600."""
        return self.state_dir / "secrets.json"

    @property
    def choices_file(self) -> Path:
        """Small facts about this machine that were chosen once, such as the keyring in use."""
        return self.state_dir / "choices.json"

    @property
    def vectors_file(self) -> Path:
        """What skills mean to the embedder: derived, and made anew where it is missing."""
        return self.state_dir / "skills.vectors"

    @property
    def socket_file(self) -> Path:
        """The admin socket. A home too deep for a socket address gets a short private folder instead."""
        wanted = self.state_dir / "admin.sock"
        if len(os.fsencode(wanted)) <= _SOCKET_PATH_LIMIT:
            return wanted
        name = hashlib.blake2b(os.fsencode(self.home), digest_size=8).hexdigest()
        runtime = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
        user = os.getuid() if hasattr(os, "getuid") else 0
        return Path(runtime) / f"{_APP}-{user}-{name}" / "admin.sock"

    def prepare(self) -> None:
        """Make the folders, each private to the person (0700), and close those that others could enter.

        The home itself stays as open as the person has it: it may be a folder of theirs.
        """
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (
            self.config_dir,
            self.state_dir,
            self.skills_dir,
            self.logs_dir,
            self.socket_file.parent,
        ):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            facts = folder.stat()
            if facts.st_mode & 0o077 and hasattr(os, "getuid") and facts.st_uid == os.getuid():
                folder.chmod(0o700)


def language_files(paths: Paths) -> dict[str, Path]:
    """The window's translations by their language, such as `nl`: ours, and those dropped into the folder
    `languages` of the configuration, which go before ours. Blocking."""
    folders = (resources_dir() / "languages", paths.config_dir / "languages")
    return {file.stem: file for folder in folders for file in sorted(folder.glob("*.qm"))}


def resources_dir() -> Path:
    """Icons, manifests and built-in skills: inside an installed package, or beside a source checkout."""
    packaged = Path(__file__).parent / "resources"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "resources"
