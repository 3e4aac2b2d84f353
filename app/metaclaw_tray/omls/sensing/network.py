"""Whether the network costs by volume, by NetworkManager where it runs."""

from __future__ import annotations

from jeepney import DBusAddress

from metaclaw_tray.omls.sensing.bus import Bus
from metaclaw_tray.omls.sensing.idle import UnavailableError

_NAME = "org.freedesktop.NetworkManager"
_MANAGER = DBusAddress("/org/freedesktop/NetworkManager", _NAME, _NAME)
_COSTS = {1: True, 2: False, 3: True, 4: False}  # NMMetered: yes, no, and the guesses of both
_OFFLINE = (1, 10, 20, 30)  # NMState: asleep, disconnected, disconnecting; 1 is no connection known
_CAPTIVE = 2  # NMConnectivityState: a portal wants something first


class NetworkManager:
    """Raises UnavailableError where it does not run."""

    def __init__(self) -> None:
        self._bus = Bus("SYSTEM")
        try:
            self.metered()
        except OSError as why:
            self._bus.close()
            raise UnavailableError(f"NetworkManager does not answer: {why}") from why

    def metered(self) -> bool | None:
        """Whether the network costs by volume; None where it does not know. Raises OSError."""
        return _COSTS.get(int(self._bus.property(_MANAGER, "Metered")))

    def online(self) -> bool:
        """Whether it calls the machine connected, and not to a portal that wants something first. Raises
        OSError."""
        state = int(self._bus.property(_MANAGER, "State"))
        connectivity = int(self._bus.property(_MANAGER, "Connectivity"))
        return state not in _OFFLINE and connectivity != _CAPTIVE

    def close(self) -> None:
        self._bus.close()
