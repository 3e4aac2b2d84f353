"""Lock, calls, films and the network on macOS. Not tried on a real one: where a call fails, it is unknown."""

from __future__ import annotations

import re
import subprocess

from metaclaw_tray.omls.sensing import machine

_PATIENCE = 2.0  # seconds
_KEPT_AWAKE = re.compile(r"^\s+PreventUserIdleDisplaySleep\s+1$", re.MULTILINE)


class MacPresence:
    """By `pmset -g assertions`: calls and players hold the display awake, which is the sign of both."""

    def locked(self) -> bool | None:
        """Not told by any command that needs no permission."""
        return None

    def occupied(self) -> bool | None:
        try:
            told = subprocess.run(
                ["/usr/bin/pmset", "-g", "assertions"],
                capture_output=True,
                text=True,
                timeout=_PATIENCE,
                check=True,
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return _KEPT_AWAKE.search(told.stdout) is not None

    def network(self) -> tuple[bool | None, bool | None]:
        """What it costs is not told."""
        return machine.has_network(), False

    def close(self) -> None:
        pass
