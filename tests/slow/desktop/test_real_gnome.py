"""On GNOME's own compositor without a screen: a motion of the mouse through it ends the job."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

from metaclaw_tray.omls.sensing.idle import UnavailableError
from metaclaw_tray.omls.sensing.mutter import MutterIdle
from slow.desktop.returning import a_return_stops_it_and_it_goes_on_later, driven

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(map(shutil.which, ("mutter", "dbus-daemon"))), reason="needs mutter and dbus-daemon"
    ),
]

_SECONDS = 60.0
_REMOTE = "org.gnome.Mutter.RemoteDesktop"


@pytest.fixture
def mutter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A session bus with Mutter on it, as this process's own."""
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--print-address", "--nofork"], stdout=subprocess.PIPE, text=True
    )
    assert bus.stdout
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.stdout.readline().strip())
    with (tmp_path / "mutter.log").open("wb") as log:
        compositor = subprocess.Popen(
            ["mutter", "--headless", "--wayland", "--no-x11", "--virtual-monitor", "1280x720"],
            stdout=log, stderr=log, env=os.environ,
        )  # fmt: skip
    try:
        _answers(compositor)
        yield
    finally:
        for each in (compositor, bus):
            each.terminate()
            each.wait(_SECONDS)
        bus.stdout.close()


def _answers(compositor: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _SECONDS
    while True:
        with contextlib.suppress(UnavailableError):
            return MutterIdle().close()
        assert compositor.poll() is None, "mutter has ended"
        assert time.monotonic() < end, "mutter does not answer"
        with contextlib.suppress(subprocess.TimeoutExpired):
            compositor.wait(0.1)


class Hand:
    """Moves the mouse through Mutter's remote desktop, as a person's hand would through the kernel."""

    def __init__(self) -> None:
        self._bus = open_dbus_connection(bus="SESSION")
        (self._session,) = self._call("/org/gnome/Mutter/RemoteDesktop", _REMOTE, "CreateSession")
        self._call(self._session, f"{_REMOTE}.Session", "Start")

    def move(self) -> None:
        self._call(self._session, f"{_REMOTE}.Session", "NotifyPointerMotionRelative", "dd", (5.0, 5.0))

    def close(self) -> None:
        self._bus.close()

    def _call(
        self,
        path: str,
        interface: str,
        method: str,
        signature: str | None = None,
        body: tuple[float, ...] = (),
    ) -> tuple[str, ...]:
        address = DBusAddress(path, _REMOTE, interface)
        asked = new_method_call(address, method, signature, body)
        return tuple(unwrap_msg(self._bus.send_and_get_reply(asked, timeout=_SECONDS)))


async def test_a_motion_through_the_compositor_ends_the_job_and_it_goes_on_from_its_step(
    mutter: None, tmp_path: Path
) -> None:
    with contextlib.closing(Hand()) as hand:
        async with driven(tmp_path, "GNOME", MutterIdle) as found:
            seconds = await a_return_stops_it_and_it_goes_on_later(found, hand.move)
            assert found.scheduler.sensed.way == "GNOME"
    print(f"from the motion until the process was gone: {seconds:.2f} s")  # noqa: T201
