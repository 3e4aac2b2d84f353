"""Where the real clients lie, and how they come there.

`python -m slow.real.tools` installs them, with whatever registry npm is set to: once, into a cache outside
the repository (METACLAW_TRAY_TEST_TOOLS, else beside the other caches of the person). Each is native, so
nothing of npm is needed to run it, and no script of a package is run to install it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

_INSTALL_SECONDS = 480.0  # a hang guard: together they are 800 MB


@dataclass(frozen=True)
class Tool:
    """A client at the one version that the tests know."""

    name: str
    package: str
    version: str
    program: str  # a pattern below node_modules; the part for this machine is the only one installed

    @property
    def folder(self) -> Path:
        return cache() / f"{self.name}-{self.version}"

    def find(self) -> Path | None:
        """The program, or nothing where it is not installed."""
        return next((self.folder / "node_modules").glob(self.program), None)

    def install(self) -> None:
        """Bring it into the cache, whole or not at all."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.folder.parent) as made:
            options = ("--prefix", made, "--no-audit", "--no-fund", "--ignore-scripts")
            subprocess.run(
                ["npm", "install", *options, f"{self.package}@{self.version}"],
                check=True,
                timeout=_INSTALL_SECONDS,
            )
            shutil.rmtree(self.folder, ignore_errors=True)
            (Path(made) / "node_modules").rename(_made(self.folder) / "node_modules")


CLAUDE_CODE = Tool(
    "claude-code", "@anthropic-ai/claude-code", "2.1.332", "@anthropic-ai/claude-code-*/claude"
)
CODEX = Tool("codex", "@openai/codex", "0.171.0", "@openai/codex-*/vendor/*/bin/codex")


def cache() -> Path:
    named = os.environ.get("METACLAW_TRAY_TEST_TOOLS")
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named or Path(caches) / "metaclaw-tray" / "test-tools")


def program_of(tool: Tool) -> Path:
    """The program. Where it is not installed the test is skipped; where all must be tested it fails."""
    found = tool.find()
    if found is None:
        why = f"{tool.package}@{tool.version} is not in {cache()}: `python -m slow.real.tools` in tests/"
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)
    return found


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def main() -> None:
    for tool in (CLAUDE_CODE, CODEX):
        if tool.find() is None:
            tool.install()
        sys.stdout.write(f"{tool.name} {tool.version}: {tool.find()}\n")


if __name__ == "__main__":
    main()
