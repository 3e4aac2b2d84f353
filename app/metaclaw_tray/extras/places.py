"""Where extras lie, and how a child comes to import one.

`extras/NAME/TAG-DIGEST` holds one installation: TAG says for which Python and machine it was made, DIGEST for
which pins. A folder gets this name only when it is whole and was imported once, so what lies there works.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from metaclaw_tray.extras.catalogue import Extra, System, all_extras, find_extra
from metaclaw_tray.paths import Paths

State = Literal["missing", "here", "older", "environment"]
"""`older` was installed for other pins and is used all the same; `environment` came with the Python that runs
us."""


@dataclass(frozen=True)
class Found:
    """How it is with one extra."""

    extra: Extra
    state: State
    folder: Path | None = None  # the installation of the app's own

    @property
    def usable(self) -> bool:
        return self.state != "missing"


def extras_dir(paths: Paths) -> Path:
    """The folder of the app's own installations."""
    return paths.home / "extras"


def place_of(extra: Extra, paths: Paths, system: System) -> Path:
    """Where an installation of the present pins lies, or would."""
    return extras_dir(paths) / extra.name / f"{system.tag}-{extra.digest}"


def find(name: str, paths: Paths) -> Found:
    """How it is with this extra. Imports nothing of it."""
    extra, system = find_extra(name), System.here()
    if _in_environment(extra, paths):
        return Found(extra, "environment")
    now = place_of(extra, paths, system)
    if now.is_dir():
        return Found(extra, "here", now)
    older = [each for each in now.parent.glob(f"{system.tag}-*") if each.is_dir()]
    if older:
        return Found(extra, "older", max(older, key=lambda each: each.stat().st_mtime))
    return Found(extra, "missing")


def find_all(paths: Paths) -> Sequence[Found]:
    """Each extra there is."""
    return [find(name, paths) for name in all_extras()]


def activate(name: str, paths: Paths | None = None) -> Found:
    """Make this extra importable in this process, behind everything that is so already. For children: the app
    itself imports none of it."""
    found = find(name, paths or Paths.find())
    if found.folder is not None and str(found.folder) not in sys.path:
        sys.path.append(str(found.folder))
    return found


def _in_environment(extra: Extra, paths: Paths) -> bool:
    spec = importlib.util.find_spec(extra.module)
    if spec is None:
        return False
    places = spec.submodule_search_locations or [spec.origin or ""]
    return not any(Path(each).is_relative_to(extras_dir(paths)) for each in places)
