"""What the frozen program's first lines make of the environment that its loader left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = "/usr/lib/metaclaw-tray/_internal"
RUN = f"""
import atexit, json, os, runpy, sys
sys._MEIPASS, sys.argv = {FOLDER!r}, ["metaclaw-tray", "--version"]
atexit.register(lambda: sys.stderr.write(json.dumps(dict(os.environ))))
runpy.run_path({str(ROOT / "packaging" / "start.py")!r})
"""


def left(**environ: str) -> dict[str, str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "app"), **environ}
    done = subprocess.run([sys.executable, "-c", RUN], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("metaclaw-tray, version")
    found: dict[str, str] = json.loads(done.stderr)
    return found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"LD_LIBRARY_PATH": FOLDER}, None),
        ({"LD_LIBRARY_PATH": f"{FOLDER}:/theirs", "LD_LIBRARY_PATH_ORIG": "/theirs"}, "/theirs"),
        ({"LD_LIBRARY_PATH": "/theirs"}, "/theirs"),
    ],
)
def test_other_programs_get_the_environment_of_the_person(before: dict[str, str], after: str | None) -> None:
    found = left(**before)
    assert found.get("LD_LIBRARY_PATH") == after
    assert "LD_LIBRARY_PATH_ORIG" not in found


def test_our_own_children_are_loaded_anew() -> None:
    assert left(LD_LIBRARY_PATH=FOLDER)["PYINSTALLER_RESET_ENVIRONMENT"] == "1"
