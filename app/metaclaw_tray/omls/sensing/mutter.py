"""Idleness in GNOME, on Wayland and X11, by Mutter's idle monitor (org.gnome.Mutter.IdleMonitor)."""

from __future__ import annotations

from jeepney import DBusAddress

from metaclaw_tray.omls.sensing.bus import Bus
from metaclaw_tray.omls.sensing.idle import UnavailableError

MONITOR = DBusAddress(
    "/org/gnome/Mutter/IdleMonitor/Core", "org.gnome.Mutter.IdleMonitor", "org.gnome.Mutter.IdleMonitor"
)


class MutterIdle:
    """Raises UnavailableError where no Mutter answers on the session bus."""

    name = "GNOME"
    cost = 0.5

    def __init__(self) -> None:
        self._bus = Bus("SESSION")
        try:
            self.seconds_since_input()
        except OSError as why:
            self._bus.close()
            raise UnavailableError(f"GNOME's idle monitor does not answer: {why}") from why

    def seconds_since_input(self) -> float | None:
        (milliseconds,) = self._bus.call(MONITOR, "GetIdletime")
        return float(milliseconds) / 1000

    def close(self) -> None:
        self._bus.close()
