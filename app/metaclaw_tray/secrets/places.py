"""Where secrets can lie. Every method blocks, and runs on the vault's worker thread."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from metaclaw_tray.errors import KnownError, SecretError
from metaclaw_tray.files import changing, in_words, write_private

log = logging.getLogger(__name__)

T = TypeVar("T")

# What comes with the operating system. Others are left alone: some of them ask for a password on standard
# input, which a program with a window cannot answer, and some write plain text without saying so.
_TRUSTED_MODULES = {
    "keyring.backends.SecretService",
    "keyring.backends.libsecret",
    "keyring.backends.kwallet",
    "keyring.backends.macOS",
    "keyring.backends.Windows",
}


class Keyring(Protocol):
    """The part of a `keyring` back end that is used."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


class Place(Protocol):
    """One place for secrets."""

    def get(self, name: str, /) -> str | None: ...
    def set(self, name: str, value: str, /) -> None: ...
    def remove(self, name: str, /) -> None: ...
    def names(self) -> list[str]: ...


def find_keyring() -> Keyring | None:
    """The keyring that works here, or None. Takes some 0.1 s and talks to the session bus."""
    import keyring
    from keyring.backend import get_all_keyring

    chosen = keyring.get_keyring()
    module = type(chosen).__module__
    if module in ("keyring.backends.fail", "keyring.backends.null"):
        return None
    if module in _TRUSTED_MODULES:
        return chosen
    known = [each for each in get_all_keyring() if type(each).__module__ in _TRUSTED_MODULES]
    return max(known, key=lambda each: float(each.priority), default=None)


def keyring_name(keyring: Keyring) -> str:
    """What a back end is remembered by, such as `keyring.backends.SecretService`."""
    return type(keyring).__module__


class KeyringPlace:
    """The operating system's keyring. It cannot list, so the names are kept beside it."""

    def __init__(self, keyring: Keyring, service: str, listed: Listed) -> None:
        self._keyring = keyring
        self._service = service
        self._listed = listed

    def get(self, name: str) -> str | None:
        return asked(lambda: self._keyring.get_password(self._service, name))

    def set(self, name: str, value: str) -> None:
        # The name first: a name without a value is harmless, a value without a name could not be found.
        known = name in self._listed.names()
        self._listed.change(lambda names: names | {name})
        try:
            asked(lambda: self._keyring.set_password(self._service, name, value))
        except SecretError:
            if not known:
                self._listed.change(lambda names: names - {name})
            raise

    def remove(self, name: str) -> None:
        if self.get(name) is not None:
            asked(lambda: self._keyring.delete_password(self._service, name))
        self._listed.change(lambda names: names - {name})

    def names(self) -> list[str]:
        return sorted(self._listed.names())


class Listed(Protocol):
    """Keeps the names of what a keyring holds."""

    def names(self) -> set[str]: ...
    def change(self, change: Callable[[set[str]], set[str]]) -> None: ...


class FilePlace:
    """A file of mode 0600 that the person opted into: anybody who can read it has the keys."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, name: str) -> str | None:
        return self._read().get(name)

    def set(self, name: str, value: str) -> None:
        self._change(lambda values: {**values, name: value})

    def remove(self, name: str) -> None:
        self._change(lambda values: {key: value for key, value in values.items() if key != name})

    def names(self) -> list[str]:
        return sorted(self._read())

    def _read(self) -> dict[str, str]:
        with contextlib.suppress(OSError):
            if self._path.stat().st_mode & 0o077:
                log.warning("others could read the secrets, closed now file=%s", self._path)
                self._path.chmod(0o600)
        return read_json_object(self._path)

    def _change(self, change: Callable[[dict[str, str]], dict[str, str]]) -> None:
        change_json_object(self._path, change)


class MemoryPlace:
    """For this run only."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def get(self, name: str) -> str | None:
        return self._values.get(name)

    def set(self, name: str, value: str) -> None:
        self._values[name] = value

    def remove(self, name: str) -> None:
        self._values.pop(name, None)

    def names(self) -> list[str]:
        return sorted(self._values)


class ClosedPlace:
    """Stands for a keyring that holds the secrets but cannot be reached: every use says so."""

    def __init__(self, error: SecretError, listed: Listed) -> None:
        self._error = error
        self._listed = listed

    def get(self, _name: str) -> str | None:
        raise self._error

    def set(self, _name: str, _value: str) -> None:
        raise self._error

    def remove(self, _name: str) -> None:
        raise self._error

    def names(self) -> list[str]:
        return sorted(self._listed.names())


def read_json_object(path: Path) -> dict[str, Any]:
    """A small JSON file of ours; {} if there is none. Raises SecretError if it is broken."""
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SecretError("A file cannot be read", f"{path}: {in_words(error)}.", "") from error
    except ValueError as error:
        place = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise _broken(f"{path}{place}: it is no JSON") from error
    if not isinstance(value, dict):
        raise _broken(f"{path}: it holds no object")
    return value


def _broken(what: str) -> SecretError:
    return SecretError(
        "A file is broken", f"{what}, so it is not what was written there.", "Restore it, or move it away."
    )


def change_json_object(path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Change such a file in one step. Raises SecretError, and then the old file is intact."""
    try:
        with changing(path):
            before = read_json_object(path)
            after = change(before)
            if after != before:
                write_private(path, json.dumps(after, indent=1, sort_keys=True).encode())
    except OSError as error:
        raise SecretError(
            "A secret cannot be saved",
            f"{path}: {in_words(error)}.",
            "Make room or give permission, then retry.",
        ) from error


def asked(call: Callable[[], T]) -> T:
    """One call of a keyring. Back ends raise whatever their system does; to a person it is all the same."""
    try:
        return call()
    except KnownError:
        raise
    except Exception as error:
        raise SecretError(
            "The keyring refused",
            f"{type(error).__name__}: {error}".rstrip(": ") + ".",
            "Unlock the keyring or set it up, then try again.",
        ) from error
