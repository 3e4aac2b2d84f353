"""Take all pictures: `cd tests && python -m screenshots FOLDER [--look NAME]`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from support.processes import environment

_SECONDS = 600.0


@dataclass(frozen=True)
class Look:
    """One way to see the window."""

    home: str = "full"  # a function of `filled`
    dark: bool = False
    language: str = ""
    scale: str = "1"
    size: tuple[int, int] = (1120, 740)
    dialogs: bool = False


LOOKS = {
    "light": Look(dialogs=True),
    "dark": Look(dark=True, dialogs=True),
    "dutch": Look(language="nl", dialogs=True),
    "large": Look(scale="1.5", size=(860, 560)),
    "empty": Look(home="new", dialogs=True),
    "empty dark": Look(home="new", dark=True),
    "trouble": Look(home="wrong"),
    "away": Look(home="away"),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="screenshots", description="Pictures of every page and state.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--look", action="append", choices=sorted(LOOKS), help="only this one")
    asked = parser.parse_args()
    failed = 0
    for name in asked.look or LOOKS:
        look, folder = LOOKS[name], asked.folder.absolute() / name
        env = environment({"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": look.scale})
        command = [sys.executable, "-m", "screenshots.sitting", name, str(folder)]
        done = subprocess.run(command, env=env, timeout=_SECONDS, check=False)
        failed += done.returncode != 0
        sys.stdout.write(f"{name:12} {len(list(folder.glob('*.png'))):4} pictures in {folder}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.pop("METACLAW_TRAY_HOME", None)
    sys.exit(main())
