"""Whether the screen is locked, by the desktop's own screen saver services."""

from __future__ import annotations

from jeepney import DBusAddress

from metaclaw_tray.omls.sensing.bus import Bus

_SERVICES = (
    DBusAddress("/org/gnome/ScreenSaver", "org.gnome.ScreenSaver", "org.gnome.ScreenSaver"),
    DBusAddress("/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver", "org.freedesktop.ScreenSaver"),
    DBusAddress("/org/xfce/ScreenSaver", "org.xfce.ScreenSaver", "org.xfce.ScreenSaver"),
)
_SESSION_MANAGER = DBusAddress(
    "/org/gnome/SessionManager", "org.gnome.SessionManager", "org.gnome.SessionManager"
)
_IDLE_FLAG = 8  # of org.gnome.SessionManager.IsInhibited: the session is kept from being idle


class ScreenSaver:
    """Asks the services that answer. Raises UnavailableError where there is no session bus."""

    def __init__(self) -> None:
        self._bus = Bus("SESSION")

    def locked(self) -> bool | None:
        """Whether one of them has the screen covered; None where none answers."""
        answers = [self._active(service) for service in _SERVICES if self._runs(service)]
        known = [answer for answer in answers if answer is not None]
        return any(known) if known else None

    def kept_awake(self) -> bool | None:
        """Whether a program holds off idleness; None where no session manager tells."""
        if not self._runs(_SESSION_MANAGER):
            return None
        try:
            return bool(self._bus.call(_SESSION_MANAGER, "IsInhibited", "u", (_IDLE_FLAG,))[0])
        except OSError:
            return None

    def close(self) -> None:
        self._bus.close()

    def _runs(self, service: DBusAddress) -> bool:
        """Whether somebody owns the name: asking it would start a service that nobody wants."""
        bus = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
        return bool(self._bus.call(bus, "NameHasOwner", "s", (service.bus_name,))[0])

    def _active(self, service: DBusAddress) -> bool | None:
        try:
            return bool(self._bus.call(service, "GetActive")[0])
        except OSError:
            return None
