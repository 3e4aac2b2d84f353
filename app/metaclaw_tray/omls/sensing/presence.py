"""What tells of the person besides input, and of their network: the seam, and a way for each system."""

from __future__ import annotations

import platform
from typing import Protocol


class Presence(Protocol):
    """Each answer is None where it is unknown. None of them raises but OSError, which is unknown too."""

    def locked(self) -> bool | None:
        """Whether the screen is locked."""
        ...

    def occupied(self) -> bool | None:
        """Whether the person is in a call, or something keeps the screen awake."""
        ...

    def network(self) -> tuple[bool | None, bool | None]:
        """Whether there is a network, and whether it costs by volume."""
        ...

    def close(self) -> None: ...


def presence_here() -> Presence:
    """The way of this system."""
    system = platform.system()
    if system == "Windows":
        from metaclaw_tray.omls.sensing.windows_presence import WindowsPresence

        return WindowsPresence()
    if system == "Darwin":
        from metaclaw_tray.omls.sensing.mac_presence import MacPresence

        return MacPresence()
    from metaclaw_tray.omls.sensing.linux_presence import LinuxPresence

    return LinuxPresence()
