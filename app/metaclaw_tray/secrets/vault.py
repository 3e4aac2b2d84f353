"""The one door to secrets: which place serves, and why."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from metaclaw_tray import logs
from metaclaw_tray.errors import SecretError
from metaclaw_tray.paths import Paths
from metaclaw_tray.secrets.places import (
    ClosedPlace,
    FilePlace,
    Keyring,
    KeyringPlace,
    MemoryPlace,
    Place,
    asked,
    change_json_object,
    find_keyring,
    keyring_name,
    read_json_object,
)
from metaclaw_tray.secrets.worker import Worker
from metaclaw_tray.settings import Settings

log = logging.getLogger(__name__)

LIMIT_SECONDS = 10.0
ORIGIN_PREFIX = "origin:"
"""Of the names under which lies what a key is meant for. They are no secrets, and listed nowhere."""

FindKeyring = Callable[[], Keyring | None]


@dataclass(frozen=True)
class _Chosen:
    place: Place
    backend: str
    warning: str = ""
    where: str = ""  # which keyring, or which file


class SecretVault:
    """Secrets by name: `upstream:NAME` for a key, `agent:NAME` for a token.

    Each method has a blocking form and one for coroutines, and raises SecretError when the place is closed
    or does not answer in time.
    """

    def __init__(self, chosen: _Chosen, worker: Worker) -> None:
        self._place = chosen.place
        self._worker = worker
        self.backend = chosen.backend
        """keyring, file or memory."""
        self.warning = chosen.warning
        """What the person should know about where the secrets are, or ""."""
        self.where = chosen.where
        """Which keyring, or which file; "" where it is neither."""

    def get(self, name: str) -> str | None:
        return _unlogged(name, self._worker.call(lambda: self._place.get(name)))

    def set(self, name: str, value: str) -> None:
        _check(name, value)
        self._worker.call(lambda: self._place.set(name, value))

    def remove(self, name: str) -> None:
        """Forget a secret; no matter if there is none."""
        self._worker.call(lambda: self._place.remove(name))

    def names(self) -> list[str]:
        return _listed(self._worker.call(self._place.names))

    async def aget(self, name: str) -> str | None:
        return _unlogged(name, await self._worker.acall(lambda: self._place.get(name)))

    async def aset(self, name: str, value: str) -> None:
        _check(name, value)
        await self._worker.acall(lambda: self._place.set(name, value))

    async def aremove(self, name: str) -> None:
        await self._worker.acall(lambda: self._place.remove(name))

    async def anames(self) -> list[str]:
        return _listed(await self._worker.acall(self._place.names))


def _listed(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.startswith(ORIGIN_PREFIX)]


def _unlogged(name: str, secret: str | None) -> str | None:
    if not name.startswith(ORIGIN_PREFIX):
        logs.keep_out(secret)
    return secret


def open_vault(
    paths: Paths,
    settings: Settings,
    *,
    find: FindKeyring = find_keyring,
    limit: float = LIMIT_SECONDS,
) -> SecretVault:
    """Choose the place and open it; blocking. A keyring that is away is a warning here, an error on use."""
    worker, search = Worker(limit), _Search(paths, settings, find)
    try:
        chosen = worker.call(search.choose)
    except SecretError as error:
        worker, chosen = Worker(limit), search.without_keyring(error.detail)
    return SecretVault(chosen, worker)


async def aopen_vault(
    paths: Paths,
    settings: Settings,
    *,
    find: FindKeyring = find_keyring,
    limit: float = LIMIT_SECONDS,
) -> SecretVault:
    """`open_vault` for a coroutine."""
    worker, search = Worker(limit), _Search(paths, settings, find)
    try:
        chosen = await worker.acall(search.choose)
    except SecretError as error:
        worker, chosen = Worker(limit), search.without_keyring(error.detail)
    return SecretVault(chosen, worker)


class _Choices:
    """What was chosen on this machine: the keyring in use, and the names it holds."""

    def __init__(self, paths: Paths) -> None:
        self._path = paths.choices_file

    def keyring(self) -> str:
        return str(self._mine(read_json_object(self._path)).get("keyring", ""))

    def names(self) -> set[str]:
        return set(self._mine(read_json_object(self._path)).get("names", []))

    def remember(self, keyring: str) -> None:
        self._change(lambda mine: {**mine, "keyring": keyring})

    def change(self, change: Callable[[set[str]], set[str]]) -> None:
        self._change(lambda mine: {**mine, "names": sorted(change(set(mine.get("names", []))))})

    def _change(self, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        change_json_object(self._path, lambda choices: {**choices, "secrets": change(self._mine(choices))})

    @staticmethod
    def _mine(choices: dict[str, Any]) -> dict[str, Any]:
        mine = choices.get("secrets")
        return mine if isinstance(mine, dict) else {}


class _Search:
    """Decides where the secrets are: what the settings name, else what was chosen before, else what works."""

    def __init__(self, paths: Paths, settings: Settings, find: FindKeyring) -> None:
        self._paths = paths
        self._wanted = settings.secrets.backend
        self._find = find
        self._choices = _Choices(paths)

    def choose(self) -> _Chosen:
        if self._wanted == "file":
            file = self._paths.secrets_file
            return _Chosen(FilePlace(file), "file", self._file_warning(), str(file))
        if self._wanted == "memory":
            return _Chosen(MemoryPlace(), "memory", "Keys and tokens are kept in memory for this run only.")
        keyring = asked(self._find)
        if keyring is None:
            return self.without_keyring("there is no keyring here")
        name, remembered = keyring_name(keyring), self._choices.keyring()
        if remembered and remembered != name and not self._wanted:
            return self.without_keyring(f"there is another one now, {name}")
        place = KeyringPlace(keyring, _service(self._paths), self._choices)
        if not remembered:
            place.get("probe")  # a locked keyring without a screen is found out now and not at the first key
        self._choices.remember(name)
        return _Chosen(place, "keyring", where=name)

    def without_keyring(self, reason: str) -> _Chosen:
        """Secrets in a keyring would be lost by quietly going elsewhere; without any, memory does no harm."""
        reason = reason.rstrip(".")
        if self._choices.names() or self._wanted == "keyring":
            where = self._choices.keyring() or "as the settings ask"
            error = SecretError(
                "The keyring is away",
                f"Keys and tokens are kept in the keyring ({where}), but {reason}.",
                'Start or unlock it. Or set secrets.backend to "keyring" (the one there is now) or "file", '
                "and enter the keys again.",
            )
            return _Chosen(ClosedPlace(error, self._choices), "keyring", f"{error.detail} {error.remedy}")
        warning = (
            f"Keys and tokens are kept in memory for this run only: {reason}. Install or unlock a keyring, "
            "or accept a file that only you can read (`metaclaw-tray config set secrets.backend file`); "
            "then start the app again, and give the keys."
        )
        return _Chosen(MemoryPlace(), "memory", warning)

    def _file_warning(self) -> str:
        warning = f"Keys and tokens are in a plain file, {self._paths.secrets_file}, as the settings ask."
        if left := len(_listed(self._choices.names())):
            warning += f" {left} of an earlier choice are still in the keyring."
        return warning


def _service(paths: Paths) -> str:
    """Two homes of one person share a keyring, but not their secrets."""
    usual = Paths.find({}).home
    return "metaclaw-tray" if paths.home == usual else f"metaclaw-tray {paths.home}"


def _check(name: str, value: str) -> None:
    _unlogged(name, value)
    highest = 126 if name.startswith("upstream:") else 0x10FFFF  # an upstream's key travels in a header
    if not value or any(ord(letter) < 32 or ord(letter) == 127 or ord(letter) > highest for letter in value):
        raise SecretError(
            "This is no key",
            f"The value for {name} is empty, or holds a line break or a letter that no key has.",
            "Give the key alone, on one line.",
        )
