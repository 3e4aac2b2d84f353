"""Lock, calls, films and the network on Linux: logind, the desktop's services, NetworkManager, the kernel."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from metaclaw_tray.omls.sensing import machine
from metaclaw_tray.omls.sensing.devices import camera_in_use, microphone_in_use
from metaclaw_tray.omls.sensing.idle import UnavailableError
from metaclaw_tray.omls.sensing.logind import Session
from metaclaw_tray.omls.sensing.network import NetworkManager
from metaclaw_tray.omls.sensing.screen import ScreenSaver


class _Closes(Protocol):
    def close(self) -> None: ...


Service = TypeVar("Service", bound=_Closes)
T = TypeVar("T")


class Lazily(Generic[Service]):
    """A service that is opened when it is first needed, and anew after it failed. One that is not there at
    the first question is not asked for again."""

    def __init__(self, opening: Callable[[], Service]) -> None:
        self._opening = opening
        self._service: Service | None = None
        self.seen = False
        self.missing = False

    def ask(self, question: Callable[[Service], T]) -> T | None:
        """The answer; None where the service is missing, or failed just now."""
        if self.missing:
            return None
        try:
            if self._service is None:
                self._service = self._opening()
                self.seen = True
            return question(self._service)
        except UnavailableError:
            self.missing = not self.seen
        except OSError:
            self.close()
        return None

    def close(self) -> None:
        if self._service is not None:
            with contextlib.suppress(OSError):
                self._service.close()
        self._service = None


class LinuxPresence:
    """Each service may be missing: the others still tell.

    A machine without NetworkManager tells nothing of costs and counts as not metered; one whose
    NetworkManager stops answering is unknown.
    """

    def __init__(
        self,
        session: Callable[[], Session] = Session,
        saver: Callable[[], ScreenSaver] = ScreenSaver,
        network: Callable[[], NetworkManager] = NetworkManager,
        microphone: Callable[[], bool] = microphone_in_use,
        camera: Callable[[], bool] = camera_in_use,
    ) -> None:
        self._session = Lazily(session)
        self._saver = Lazily(saver)
        self._network = Lazily(network)
        self._microphone = microphone
        self._camera = camera

    def locked(self) -> bool | None:
        """Locked where one of the services says so; some desktops tell only one of them."""
        answers = [self._session.ask(Session.locked), self._saver.ask(ScreenSaver.locked)]
        known = [answer for answer in answers if answer is not None]
        return any(known) if known else None

    def occupied(self) -> bool | None:
        """The kernel always tells of devices; that nobody tells of films is no reason not to believe it."""
        if self._microphone() or self._camera():
            return True
        return bool(self._session.ask(Session.kept_awake) or self._saver.ask(ScreenSaver.kept_awake))

    def network(self) -> tuple[bool | None, bool | None]:
        online = self._network.ask(NetworkManager.online)
        metered = self._network.ask(NetworkManager.metered)
        if self._network.missing:
            return machine.has_network(), False
        if online is None:
            return None, None
        return online, metered

    def close(self) -> None:
        for service in (self._session, self._saver, self._network):
            service.close()
