"""What can be wrong with an installation. Nothing is changed, but that opening an older store upgrades it."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from metaclaw_tray.admin.api import GetStatus, Status
from metaclaw_tray.admin.client import AdminClient
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.embedded.manifest import load_manifest
from metaclaw_tray.embedder import model as embedder
from metaclaw_tray.errors import KnownError, NotRunningError
from metaclaw_tray.paths import Paths
from metaclaw_tray.prices.table import described as price_table
from metaclaw_tray.prices.upstreams import needs_table
from metaclaw_tray.proxy.port import holder
from metaclaw_tray.secrets import open_vault
from metaclaw_tray.settings import Settings, held_back, in_force, load_settings
from metaclaw_tray.store.agreeing import agreed_in
from metaclaw_tray.store.engine import Store

_LEAST_FREE = 200 * 1024 * 1024  # bytes
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PROXY_VARIABLES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")  # our address begins with http://

State = Literal["fine", "note", "broken"]


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at."""

    name: str
    state: State
    detail: str
    remedy: str = ""

    @property
    def mark(self) -> str:
        return {"fine": "ok  ", "note": "note", "broken": "BAD "}[self.state]


def examine(paths: Paths) -> list[Check]:
    """Every check, in the order in which one would mend. Blocking, for a second or so."""
    settings, settings_check = _settings(paths)
    status, app_check = _app(paths)
    checks = [settings_check, _folders(paths), _guarded("store", lambda: _store(paths)), app_check]
    if status is None and settings is not None:
        checks.append(_port(settings))
    if settings is None:
        checks.append(Check("the rest", "note", "What depends on the settings was not looked at."))
    else:
        checks += _by_settings(paths, settings)
        checks.append(_guarded("embedder", lambda: _embedder(settings, status)))
    if status is not None:
        said = {each.detail for each in checks}
        checks[4:4] = [each for each in _troubles(status) if each.detail not in said]
    return [*checks, _proxies(os.environ), _guarded("embedded model", lambda: _model(paths))]


def _by_settings(paths: Paths, settings: Settings) -> list[Check]:
    return [_guarded("secrets", lambda: _secrets(paths, settings)), _upstreams(settings), _prices(settings)]


def _guarded(name: str, look: Callable[[], Check]) -> Check:
    try:
        return look()
    except KnownError as error:
        return Check(name, "broken", error.detail, error.remedy)


def _settings(paths: Paths) -> tuple[Settings | None, Check]:
    try:
        settings = load_settings(paths.config_file)
    except KnownError as error:
        return None, Check("settings", "broken", error.detail, error.remedy)
    words = "can be used" if paths.config_file.exists() else "does not exist; the defaults are in force"
    if agreed := agreed_in(paths.store_file):
        held = held_back(settings, agreed)
        settings = in_force(settings, held)
        if held:
            return settings, Check("settings", "note", " ".join(each.sentence for each in held))
    return settings, Check("settings", "fine", f"{paths.config_file} {words}.")


def _folders(paths: Paths) -> Check:
    for folder in (paths.home, paths.config_dir, paths.state_dir, paths.skills_dir, paths.logs_dir):
        place = next(each for each in (folder, *folder.parents) if each.exists())
        if not place.is_dir():
            remedy = "Move it away, or name another folder in METACLAW_TRAY_HOME."
            return Check("folders", "broken", f"{place} is a file, where a folder belongs.", remedy)
        if not os.access(place, os.W_OK):
            return Check("folders", "broken", f"{place} cannot be written.", "Give this user permission.")
    place = next(each for each in (paths.home, *paths.home.parents) if each.exists())
    free = shutil.disk_usage(place).free
    if free < _LEAST_FREE:
        return Check("folders", "broken", f"Only {free // 2**20} MB are free at {place}.", "Make room.")
    words = f"{paths.home} can be written; {free / 1e9:.1f} GB are free. Logs are in {paths.logs_dir}."
    return Check("folders", "fine", words)


def _store(paths: Paths) -> Check:
    if not paths.store_file.exists():
        return Check("store", "fine", "There is none yet.")
    store = Store.open(paths.store_file, SystemClock())
    try:
        faults = store.check()
    finally:
        store.close()
    if faults:
        return Check(
            "store",
            "broken",
            "; ".join(faults),
            f"Copies from before each upgrade lie beside {paths.store_file}.",
        )
    return Check("store", "fine", f"{paths.store_file} is whole.")


def _app(paths: Paths) -> tuple[Status | None, Check]:
    try:
        status = AdminClient(paths).call(GetStatus())
    except NotRunningError:
        return None, Check("app", "note", "It is not running.", "Start it: `metaclaw-tray serve`.")
    except KnownError as error:
        return None, Check("app", "broken", error.detail, error.remedy)
    return status, Check("app", "fine", f"It runs as process {status.pid} at {status.url}.")


def _troubles(status: Status) -> list[Check]:
    """What the app itself knows, a line for each."""
    if status.trouble:
        return [Check("trouble", "note", each) for each in status.trouble]
    return [Check("trouble", "fine", "The app knows of none.")]


def _port(settings: Settings) -> Check:
    port = settings.server.port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            remedy = "Stop it, or choose another port: `metaclaw-tray config set server.port N`."
            return Check("port", "broken", f"{holder(port)} listens on port {port}.", remedy)
    return Check("port", "fine", f"{port} is free.")


def _secrets(paths: Paths, settings: Settings) -> Check:
    vault = open_vault(paths, settings)
    kept = set(vault.names())
    missing = [f"agent:{name}" for name in settings.agents]
    missing += [f"upstream:{name}" for name, each in settings.upstreams.items() if each.credential == "key"]
    missing = [name for name in missing if name not in kept and vault.backend != "memory"]
    where = f"{vault.backend} ({vault.where})" if vault.where else vault.backend
    if missing:
        remedy = "`metaclaw-tray secret set NAME` for a key, `metaclaw-tray agents rotate NAME` for a token."
        return Check("secrets", "note", f"Not kept in the {where}: {', '.join(missing)}.", remedy)
    if vault.warning:
        return Check("secrets", "note", vault.warning)
    return Check("secrets", "fine", f"They are kept in the {where}.")


def _upstreams(settings: Settings) -> Check:
    names = [*settings.upstreams, *(["embedded"] if settings.embedded.model else [])]
    if not names:
        remedy = "`metaclaw-tray upstream add NAME --base-url URL`, or `metaclaw-tray model fetch`."
        return Check("upstreams", "note", "There is none yet, so agents cannot be served.", remedy)
    return Check("upstreams", "fine", f"{', '.join(names)}. `metaclaw-tray upstream test NAME` asks one.")


def _prices(settings: Settings) -> Check:
    """Whether what upstreams take can be known."""
    if not needs_table(settings):
        return Check("prices", "fine", "Each upstream is this machine, or you gave its prices.")
    return Check("prices", "fine", f"Those that you did not give are list prices from {price_table()}.")


def _embedder(settings: Settings, status: Status | None) -> Check:
    """Whether skills are found by meaning too."""
    if not settings.embedder.enabled:
        return Check("embedder", "fine", "It is off: skills are found by words.")
    if status is not None and status.embedder:
        return Check("embedder", "fine", f"It is {status.embedder}.")
    weights = embedder.check()
    return Check("embedder", "fine", f"It is on; its weights in {weights} are those that were measured.")


def _proxies(environ: Mapping[str, str]) -> Check:
    """Whether agents started from here would send what is meant for us to a proxy of the network."""
    set_here = [name for name in _PROXY_VARIABLES if environ.get(name)]
    if not set_here:
        return Check("NO_PROXY", "fine", "No proxy is set here, so agents reach the app directly.")
    listed = [each.strip() for name in ("NO_PROXY", "no_proxy") for each in environ.get(name, "").split(",")]
    listed = list(dict.fromkeys(filter(None, listed)))
    missing = [host for host in _LOOPBACK if host not in listed]
    if not missing or "*" in listed:
        return Check("NO_PROXY", "fine", f"{set_here[0]} is set, and NO_PROXY leaves this machine out of it.")
    value = ",".join([*listed, *missing])
    return Check(
        "NO_PROXY",
        "note",
        f"{set_here[0]} is set, but NO_PROXY does not name {', '.join(missing)}: agents that heed the first "
        "would send their requests, and with them their tokens, to that proxy.",
        f"Where agents are started: `export NO_PROXY={value} no_proxy={value}`.",
    )


def _model(paths: Paths) -> Check:
    here = [model.id for model in load_manifest(paths).models if model.is_present(paths)]
    words = f"Here: {', '.join(here)}." if here else "None was fetched."
    return Check("embedded model", "fine", f"{words} Models are kept in {paths.models_dir}.")
