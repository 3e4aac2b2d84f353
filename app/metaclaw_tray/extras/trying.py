"""The child that imports a fresh installation once: whether it works here is seen before it is kept."""

from __future__ import annotations

import importlib
import sys


def child_main(args: list[str]) -> int:
    """Import a module from a folder: the exit code says whether it could be, standard error why not."""
    folder, module = args
    sys.path.append(folder)
    try:
        importlib.import_module(module)
    except ImportError as error:
        sys.stderr.write(f"ERROR: {error}\n")
        return 1
    return 0
