"""pip, which fetches what is installed later: as the person has set it up, with their index and their proxy.

A frozen program has no `python -m pip`. It carries pip as a library, and is pip itself as the child role
`pip`.
"""

from __future__ import annotations

import importlib.util
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from urllib.parse import urlsplit

UNREACHABLE = re.compile(
    r"connection broken|Failed to establish|Temporary failure|timed out|ConnectionError|NameResolutionError"
    r"|Max retries exceeded|Could not fetch URL"
)
"""In pip's complaint: the index did not answer."""

NO_ROOM = re.compile(r"No space left on device|Disk quota exceeded")
"""In pip's complaint: the disk is full."""

WRONG_HASH = "DO NOT MATCH THE HASHES"


def own_pip() -> list[str] | None:
    """How pip is started; None where this Python has none, as in a virtual environment made without it."""
    if importlib.util.find_spec("pip") is None:
        return None
    if getattr(sys, "frozen", False):
        return [sys.executable, "--child", "pip"]
    return [sys.executable, "-P", "-m", "pip"]


def index_host(pip: Sequence[str] | None) -> str:
    """The host that pip asks first, as its own help tells it with settings and environment applied."""
    if pip is None:
        return ""
    done = subprocess.run([*pip, "download", "--help"], capture_output=True, text=True, check=False)
    found = re.search(r"Python Package Index \(default (\S+?)\)", re.sub(r"\s+", " ", done.stdout))
    return urlsplit(found[1]).hostname or "" if found else ""


def reason(complaint: str) -> str:
    """The last thing that pip called an error."""
    errors = [line.removeprefix("ERROR: ") for line in complaint.splitlines() if line.startswith("ERROR: ")]
    return errors[-1] if errors else "it gave no reason"


def child_main(args: list[str]) -> int:
    """Be pip, with these arguments. It ends as any program does, by a signal too."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    from pip._internal.cli.main import main

    return int(main(args))
