"""Sessions by logind (org.freedesktop.login1): locked, idle as the desktop says it, who keeps it awake."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

from jeepney import DBusAddress

from metaclaw_tray.omls.sensing.bus import Bus
from metaclaw_tray.omls.sensing.idle import UnavailableError

NAME = "org.freedesktop.login1"
MANAGER = DBusAddress("/org/freedesktop/login1", NAME, f"{NAME}.Manager")


class Session:
    """The person's own session: the one this process is in, else the one of their screen.

    Raises:
        UnavailableError: There is no system bus, no logind, or no session.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._bus = Bus("SYSTEM")
        try:
            path = self._path(environment)
        except OSError as why:
            self._bus.close()
            raise UnavailableError(f"logind knows no session of yours: {why}") from why
        self._session = DBusAddress(path, NAME, f"{NAME}.Session")

    def locked(self) -> bool:
        """Whether the screen is locked, where the desktop tells logind. Raises OSError."""
        return bool(self._bus.property(self._session, "LockedHint"))

    def idle_since(self) -> float | None:
        """Since when the desktop calls it idle, in seconds since 1970; None while not. Raises OSError."""
        if not self._bus.property(self._session, "IdleHint"):
            return None
        return float(self._bus.property(self._session, "IdleSinceHint")) / 1_000_000

    def kept_awake(self) -> bool:
        """Whether a program holds off idleness, as players of films and calls do. Raises OSError."""
        (inhibitors,) = self._bus.call(MANAGER, "ListInhibitors")
        return any("idle" in what.split(":") and mode == "block" for what, _, _, mode, _, _ in inhibitors)

    def close(self) -> None:
        self._bus.close()

    def _path(self, environment: Mapping[str, str]) -> str:
        named = environment.get("XDG_SESSION_ID")
        if named:
            return str(self._bus.call(MANAGER, "GetSession", "s", (named,))[0])
        try:
            return str(self._bus.call(MANAGER, "GetSessionByPID", "u", (os.getpid(),))[0])
        except OSError:  # started by the user's service manager, which belongs to no session
            (user,) = self._bus.call(MANAGER, "GetUser", "u", (os.getuid(),))
            _, path = self._bus.property(DBusAddress(user, NAME, f"{NAME}.User"), "Display")
            if path in ("", "/"):
                raise OSError("you have no session with a screen") from None
            return str(path)


class LogindIdle:
    """Idleness as the desktop tells logind: coarse, since it says so only after its own delay.

    Until the desktop calls the session idle it is 0, so this way opens windows late but never wrongly.

    Raises:
        UnavailableError: There is no session.
    """

    name = "logind"
    cost = 1.0

    def __init__(self, session: Session | None = None, now: Callable[[], float] = time.time) -> None:
        self._session = session or Session()
        self._now = now

    def seconds_since_input(self) -> float | None:
        since = self._session.idle_since()
        return 0.0 if since is None else max(0.0, self._now() - since)

    def close(self) -> None:
        self._session.close()
