"""Lock, calls, films and the network on Windows. Not tried on a real one: a call that fails is unknown."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from metaclaw_tray.omls.sensing import machine

_CONSENT = r"Software\Microsoft\Windows\CurrentVersion\CapabilityAccessManager\ConsentStore"
_EXECUTION_STATE = 16  # SystemExecutionState of CallNtPowerInformation
_DISPLAY_REQUIRED = 0x2  # ES_DISPLAY_REQUIRED
_SWITCH_DESKTOP = 0x0100  # DESKTOP_SWITCHDESKTOP


class WindowsPresence:
    """By the record that the system keeps of who uses microphone and camera, and by its execution state."""

    def locked(self) -> bool | None:
        """Whether the desktop that takes input cannot be opened, as while it is locked."""
        try:
            user32 = ctypes.WinDLL("user32")  # type: ignore[attr-defined]  # there on Windows only
            desktop = user32.OpenInputDesktop(0, False, _SWITCH_DESKTOP)
            if desktop:
                user32.CloseDesktop(desktop)
        except (OSError, AttributeError):
            return None
        return not desktop

    def occupied(self) -> bool | None:
        try:
            return _in_use("microphone") or _in_use("webcam") or _display_required()
        except (OSError, AttributeError, ImportError):
            return None

    def network(self) -> tuple[bool | None, bool | None]:
        """What it costs is told by an interface of WinRT alone, which is not asked."""
        return machine.has_network(), False

    def close(self) -> None:
        pass


def _display_required() -> bool:
    state = ctypes.c_uint32()
    power = ctypes.WinDLL("powrprof")  # type: ignore[attr-defined]  # there on Windows only
    power.CallNtPowerInformation(_EXECUTION_STATE, None, 0, ctypes.byref(state), ctypes.sizeof(state))
    return bool(state.value & _DISPLAY_REQUIRED)


def _in_use(device: str) -> bool:
    import winreg

    registry: Any = winreg
    with registry.OpenKey(registry.HKEY_CURRENT_USER, rf"{_CONSENT}\{device}") as key:
        return any(_used_now(registry, key, name) for name in _names(registry, key))


def _names(registry: Any, key: Any) -> Iterator[str]:
    """Programs of the store, and those installed by hand, a level deeper."""
    for at in range(registry.QueryInfoKey(key)[0]):
        name = registry.EnumKey(key, at)
        if name == "NonPackaged":
            with registry.OpenKey(key, name) as deeper:
                for inner in range(registry.QueryInfoKey(deeper)[0]):
                    yield rf"{name}\{registry.EnumKey(deeper, inner)}"
        else:
            yield name


def _used_now(registry: Any, key: Any, name: str) -> bool:
    """A program that began and has not ended using it has 0 for its end."""
    with registry.OpenKey(key, name) as program:
        try:
            return bool(registry.QueryValueEx(program, "LastUsedTimeStop")[0] == 0)
        except OSError:  # it has never used it
            return False
