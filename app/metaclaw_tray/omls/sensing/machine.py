"""What psutil knows: power, network, load, and which agents run. It cannot see input."""

from __future__ import annotations

import ipaddress
import math
import socket
from collections.abc import Collection, Iterable
from typing import Protocol

import psutil

AGENTS = ("claude", "codex", "openclaw", "hermes", "opencode")
"""Names that the programs of known agents run by."""


class Battery(Protocol):
    """As psutil tells it."""

    @property
    def percent(self) -> float: ...

    @property
    def power_plugged(self) -> bool | None: ...


def power(battery: Battery | None) -> tuple[bool | None, float | None]:
    """Whether the machine runs on mains, and its charge in percent. Without a battery: mains, and full."""
    if battery is None:
        return True, 100.0
    percent = float(battery.percent)
    return battery.power_plugged, percent if math.isfinite(percent) else None


def battery() -> Battery | None:
    """The machine's battery, where it has one."""
    try:
        found: Battery | None = psutil.sensors_battery()
    except (OSError, AttributeError, NotImplementedError):  # a system on which psutil knows none
        return None
    return found


def has_network() -> bool:
    """Whether a network other than the machine's own is up and has given it an address."""
    up = {name for name, stats in psutil.net_if_stats().items() if stats.isup}
    return any(
        _reaches_out(address.address)
        for name, addresses in psutil.net_if_addrs().items()
        if name in up
        for address in addresses
        if address.family in (socket.AF_INET, socket.AF_INET6)
    )


def load_of_others(own: Collection[int]) -> float:
    """Share of the processors that was in use since the question before, less what these processes used.

    The first question tells nothing of a span and is answered by the system's own load average.
    """
    used = psutil.cpu_percent(interval=None) / 100
    mine = sum(_share(process) for process in _processes(own))
    return max(0.0, used - mine / (psutil.cpu_count() or 1))


def own_processes() -> list[int]:
    """This process and all that it started, by their ids."""
    here = psutil.Process()
    return [here.pid, *(child.pid for child in here.children(recursive=True))]


def agents_running(names: Collection[str]) -> tuple[str, ...]:
    """Those of the programs that run, by their names."""
    running = {process.info["name"] for process in psutil.process_iter(["name"])}
    return tuple(sorted(name for name in names if name in running))


def _reaches_out(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


_seen: dict[int, psutil.Process] = {}  # psutil counts from the question before, of the same object


def _processes(own: Collection[int]) -> Iterable[psutil.Process]:
    for pid in own:
        if pid not in _seen:
            try:
                _seen[pid] = psutil.Process(pid)
            except psutil.Error:
                continue
        yield _seen[pid]
    for pid in [pid for pid in _seen if pid not in own]:
        del _seen[pid]


def _share(process: psutil.Process) -> float:
    try:
        return float(process.cpu_percent(interval=None)) / 100
    except psutil.Error:
        return 0.0
