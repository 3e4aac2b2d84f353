"""Changes that a command makes itself, while no app runs: agreed to and noted as the app would."""

from __future__ import annotations

import asyncio
import getpass
import os
from collections.abc import Awaitable, Callable
from typing import TypeVar

from metaclaw_tray.admin import consent
from metaclaw_tray.admin.changing import Changing
from metaclaw_tray.admin.connecting import Connecting
from metaclaw_tray.admin.consent import Granted
from metaclaw_tray.admin.peer import find_origin
from metaclaw_tray.admin.protocol import Challenge
from metaclaw_tray.admin.setting import SettingDesk
from metaclaw_tray.cli.asking import type_code
from metaclaw_tray.clock import SystemClock
from metaclaw_tray.errors import StoreError
from metaclaw_tray.paths import Paths
from metaclaw_tray.secrets import SecretVault, aopen_vault
from metaclaw_tray.settings import Retention, Settings, SettingsFile

R = TypeVar("R")


class Alone:
    """The files of a home, in the hands of one command."""

    def __init__(self, paths: Paths, changing: Changing, vault: SecretVault) -> None:
        self._paths = paths
        self._changing = changing
        self._vault = vault

    def connecting(self) -> Connecting:
        """For upstreams, agents and secrets."""
        address = f"http://127.0.0.1:{self._changing.file.settings.server.port}"
        return Connecting(self._changing, self._vault, address, alone=True)

    def settings(self) -> SettingDesk:
        """For single settings."""
        return SettingDesk(self._changing, self._vault, self._would_go, alone=True)

    async def _would_go(self, now: Retention, then: Retention) -> str:
        from metaclaw_tray.store import retention
        from metaclaw_tray.store.engine import Store

        def look() -> str:
            if not self._paths.store_file.exists():
                return ""
            store = Store.open(self._paths.store_file, SystemClock())
            try:
                return store.read(lambda db: retention.would_go(db, now, then, SystemClock().now()))
            finally:
                store.close()

        return await asyncio.to_thread(look)


async def here(paths: Paths, work: Callable[[Alone], Awaitable[R]], *, yes: bool) -> R:
    """Do it. Raises what the work raises; and StoreError where it is done, but could not be noted."""
    file = await asyncio.to_thread(held_file, paths)
    found = await asyncio.to_thread(file.read)
    vault = await aopen_vault(paths, file.settings)
    changing = Changing(file, _Asker(yes))
    try:
        return await work(Alone(paths, changing, vault))
    finally:
        if changing.entries:
            await asyncio.to_thread(_note, paths, changing, found)


def held_file(paths: Paths) -> SettingsFile:
    """The settings, held to what was agreed to as far as an app ever ran here. Raises SettingsError."""
    from metaclaw_tray.store.agreeing import agreed_in

    file = SettingsFile(paths.config_file)
    if (agreed := agreed_in(paths.store_file)) is not None:
        file.hold(agreed)
    return file


class _Asker:
    """Asks at the terminal of this very command."""

    def __init__(self, yes: bool) -> None:
        self._yes = yes

    async def consent(self, action: str, text: str) -> Granted:
        return await consent.ask(
            action,
            text,
            origin=await asyncio.to_thread(find_origin, os.getpid()),
            scripted=self._yes,
            allow_scripted=os.environ.get(consent.SCRIPTED_VARIABLE) == "1",
            challenge=_typed,
        )

    async def confirm(self, action: str, text: str) -> Granted:
        origin = await asyncio.to_thread(find_origin, os.getpid())
        return await consent.confirm(action, text, origin=origin, yes=self._yes, challenge=_typed)

    async def spoken(self, action: str) -> None:
        origin = await asyncio.to_thread(find_origin, os.getpid())
        if origin.agent and os.environ.get(consent.SCRIPTED_VARIABLE) != "1":
            raise consent.agent_asked(f"To {action} is a person's matter", origin)


async def _typed(challenge: Challenge) -> str:
    return await asyncio.to_thread(type_code, challenge)


def _note(paths: Paths, changing: Changing, found: Settings) -> None:
    from metaclaw_tray.store import agreeing
    from metaclaw_tray.store.decisions import Actor
    from metaclaw_tray.store.engine import Store

    origin = find_origin(os.getpid())
    channel = "terminal" if origin.terminal else "scripted"
    if changing.granted:
        channel = changing.granted.channel
    who, clock = Actor(getpass.getuser(), channel, tuple(origin.ancestry)), SystemClock()
    try:
        paths.prepare()
        store = Store.open(paths.store_file, clock)
        try:
            store.write(lambda db: agreeing.begin(db, found, clock.now()))
            store.write(lambda db: changing.write(db, who, clock.now()))
        finally:
            store.close()
    except StoreError as error:
        raise StoreError(
            "It was changed, but the ledger could not be written", error.detail, error.remedy
        ) from error
