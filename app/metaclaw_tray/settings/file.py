"""Changing the settings file: one value at a time, comments and order kept, checked before it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tomlkit
from pydantic import BaseModel
from tomlkit.container import Container
from tomlkit.exceptions import TOMLKitError

from metaclaw_tray.errors import NotFoundError, SettingsError
from metaclaw_tray.files import changing, in_words, write_private
from metaclaw_tray.settings.addresses import leads_to
from metaclaw_tray.settings.consent import Held, governed, held_back, in_force
from metaclaw_tray.settings.model import Agent, Calendar, Settings, Upstream
from metaclaw_tray.settings.reading import (
    is_map,
    list_settings,
    near_key,
    parse_settings,
    read_text,
)
from metaclaw_tray.settings.writing import Value, from_text, item_of, put, putting, remove


class SettingsFile:
    """The settings and the file they live in.

    Each change reads the file afresh, so that edits made meanwhile are kept; a file that is broken is
    never written to. Every method raises SettingsError with the reason, and then nothing has changed.

    After `hold`, what somebody wrote into the file that takes a person's yes is not in force without it
    (`settings.consent`). Whoever calls a method that changes has that yes, for what it names.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._agreed: dict[str, Any] | None = None  # None: nothing is held to anything
        self._held: list[Held] = []
        self._settings = self.read()

    @property
    def settings(self) -> Settings:
        """In force, as of the last read or change."""
        return self._settings

    @property
    def held(self) -> list[Held]:
        """What the file asked for then, and is not in force."""
        return self._held

    def hold(self, agreed: Mapping[str, Any]) -> Settings:
        """Hold the file to what was agreed to, from now on."""
        self._agreed = dict(agreed)
        return self._take(self.read())

    def reload(self, shown: Settings | None = None) -> Settings:
        """Read the file again, with a yes to all that it says. Where that fails the former settings stay in
        force. `shown`: what the yes was given to; raises SettingsError where it says something else now."""
        wanted = self.read()
        _must_be(wanted, shown)
        if self._agreed is not None:
            self._agreed |= governed(wanted)
        return self._take(wanted)

    def refresh(self) -> Settings:
        """Read the file again, with a yes to nothing."""
        return self._take(self.read())

    def waiting(self, wanted: Settings | None = None) -> list[Held]:
        """What the file asks for now, or what was read of it, that takes a yes. Raises SettingsError."""
        return [] if self._agreed is None else held_back(wanted or self.read(), self._agreed)

    def read(self) -> Settings:
        """What the file says now, which somebody may have edited; nothing is taken up."""
        return parse_settings(read_text(self.path), self.path)

    def get(self, key: str) -> Any:
        """The value in force of a dotted key. Raises NotFoundError with a near miss."""
        for line in list_settings(self._settings):
            if line.key == key:
                return line.value
        raise _no_such(key, self._settings)

    def set(self, key: str, value: Value) -> Settings:
        """Set a dotted key such as `learning.model`; None gives it back its default."""
        return self._change(self._setting(key, value), key)

    def set_text(self, key: str, text: str, *, shown: Settings | None = None) -> Settings:
        """Set a key from what a person typed: `3`, `true`, `chat,messages`, `a=b,c=d`; "none" unsets an
        optional one. `shown`: the `preview` that a yes was given to; raises SettingsError where it would come
        to something else now."""
        return self._change(self._setting(key, from_text(key, text, self._field(key))), key, shown)

    def preview(self, key: str, text: str) -> Settings:
        """The settings in force as they would be after `set_text`. Raises what that would raise; changes
        nothing."""
        text_now = read_text(self.path)
        change = self._setting(key, from_text(key, text, self._field(key)))
        wanted = self._applied(change, text_now)[0]
        return self._comes_to(parse_settings(text_now, self.path), wanted, key)

    def asks(self, key: str, text: str) -> list[Held]:
        """What `set_text` would put into force that takes a person's yes. Raises what that would raise."""
        return self._asks(self._setting(key, from_text(key, text, self._field(key))), key)

    def asks_upstream(self, name: str, upstream: Upstream | None, *, default: bool = False) -> list[Held]:
        """The same of `put_upstream`, or of `remove_upstream` where there is none."""
        if upstream is None:
            self._must_be_unused(name)
        change = (
            putting(name, upstream, default)
            if upstream
            else lambda document: remove(document, "upstreams", name)
        )
        return self._asks(change, f"upstreams.{name}.")

    def _asks(self, change: Callable[[Container], None], named: str) -> list[Held]:
        now = read_text(self.path)
        wanted = self._applied(change, now)[0]
        agreed = governed(self._settings) if self._agreed is None else self._agreed
        before = held_back(parse_settings(now, self.path), agreed)
        return [
            each
            for each in held_back(wanted, agreed)
            if each.key == named or (named.endswith(".") and each.key.startswith(named)) or each not in before
        ]

    def _comes_to(self, before: Settings, wanted: Settings, named: str) -> Settings:
        """What is in force after a change that the person said yes to."""
        agreed = self._agreed_with(before, wanted, named)
        return wanted if agreed is None else in_force(wanted, held_back(wanted, agreed))

    def _setting(self, key: str, value: Value) -> Callable[[Container], None]:
        self._field(key)
        parts = key.split(".")

        def change(document: Container) -> None:
            table: Any = document
            for part in parts[:-1]:
                if value is None and part not in table:
                    return
                table = table.setdefault(part, tomlkit.table())
            if value is None:
                table.pop(parts[-1], None)
            else:
                table[parts[-1]] = item_of(value)

        return change

    def put_upstream(self, name: str, upstream: Upstream, *, default: bool = False) -> Settings:
        """Add an upstream or replace it; `default` makes it the one that agents reach."""
        return self._change(putting(name, upstream, default), f"upstreams.{name}.")

    def remove_upstream(self, name: str) -> Settings:
        """Remove an upstream that nothing else names."""
        self._must_be_unused(name)
        return self._change(lambda document: remove(document, "upstreams", name), f"upstreams.{name}.")

    def _must_be_unused(self, name: str) -> None:
        for key, named in self._settings.mentions():
            if named == name:
                raise SettingsError(
                    "The upstream is in use",
                    f"{key} names {name!r}.",
                    f"Set {key} to another one or to none first: `metaclaw-tray config set {key} OTHER`, or "
                    f"`… {key} ''`.",
                )

    def put_agent(self, name: str, agent: Agent) -> Settings:
        """Add an agent or replace it."""
        return self._change(lambda document: put(document, "agents", name, agent), f"agents.{name}.")

    def remove_agent(self, name: str) -> Settings:
        """Remove an agent; its token is the vault's matter."""
        return self._change(lambda document: remove(document, "agents", name), f"agents.{name}.")

    def put_calendar(self, name: str, calendar: Calendar) -> Settings:
        """Add a calendar or replace it."""
        named = f"calendars.{name}."
        return self._change(lambda document: put(document, "calendars", name, calendar), named)

    def remove_calendar(self, name: str) -> Settings:
        """Remove a calendar; its address or token is the vault's matter."""
        return self._change(lambda document: remove(document, "calendars", name), f"calendars.{name}.")

    def _change(
        self, change: Callable[[Container], None], named: str, shown: Settings | None = None
    ) -> Settings:
        """`named`: the key, or with a dot at its end the keys, that the person said yes to."""
        with self._saying_why(), changing(self.path):
            text = read_text(self.path)
            before = parse_settings(text, self.path)
            wanted, changed = self._applied(change, text)
            _must_be(self._comes_to(before, wanted, named), shown)
            if changed != text:
                write_private(self.path, changed.encode())
        self._agreed = self._agreed_with(before, wanted, named)
        return self._take(wanted)

    def _take(self, wanted: Settings) -> Settings:
        self._held = [] if self._agreed is None else held_back(wanted, self._agreed)
        self._settings = in_force(wanted, self._held)
        if self._agreed is not None:
            now = governed(self._settings)  # what was lowered, or is gone, has to be agreed to anew
            self._agreed = dict.fromkeys(self._agreed) | now
        return self._settings

    def _agreed_with(self, before: Settings, wanted: Settings, named: str) -> dict[str, Any] | None:
        """What is agreed to once a change is made to which the person said yes."""
        if self._agreed is None:
            return None
        old, new = governed(before), governed(wanted)
        own = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
        own |= {key for key in new if key == named or (named.endswith(".") and key.startswith(named))}
        if named in ("learning.upstream", "learning.model", "review.policy"):
            own |= _with_whom(wanted)
        return self._agreed | {key: new.get(key) for key in own}

    def _applied(self, change: Callable[[Container], None], text: str) -> tuple[Settings, str]:
        """The settings and the text of the file that a change of `text` comes to."""
        parse_settings(text, self.path)
        document = tomlkit.parse(text)
        try:
            change(document)
        except TOMLKitError as error:
            raise SettingsError(
                "The settings file cannot be changed here", f"{self.path}: {error}.", "Edit it by hand."
            ) from error
        changed = tomlkit.dumps(document)
        try:
            settings = parse_settings(changed, self.path)
        except SettingsError as error:
            detail = error.detail.replace(str(self.path), "with this change the file")
            raise SettingsError("The change was refused", detail, "Nothing was changed.") from error
        for name, upstream in settings.upstreams.items():
            if self._settings.upstreams.get(name) != upstream:
                refuse_loop(name, upstream, settings.server.port)
        return settings, changed

    @contextmanager
    def _saying_why(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SettingsError(
                "The settings cannot be saved",
                f"{self.path}: {in_words(error)}.",
                "Make room or give permission, then try again. The old file is intact.",
            ) from error

    def _field(self, key: str) -> Any:
        """The annotation of a key. Raises NotFoundError with a near miss."""
        here: Any = self._settings
        annotation: Any = None
        for part in key.split("."):
            if isinstance(here, dict):
                if part not in here or is_map(annotation):
                    raise _no_such(key, self._settings)
                here = here[part]
                continue
            if not isinstance(here, BaseModel) or part not in type(here).model_fields:
                raise _no_such(key, self._settings)
            annotation = type(here).model_fields[part].annotation
            here = getattr(here, part)
        if isinstance(here, BaseModel | dict) and not is_map(annotation):
            raise _no_such(key, self._settings)
        return annotation


def _must_be(found: Settings, shown: Settings | None) -> None:
    if shown is not None and found != shown:
        raise SettingsError(
            "The settings file changed meanwhile",
            "It says something else now than what you agreed to; nothing was changed.",
            "Run it again, and look at what it says now.",
        )


def _with_whom(wanted: Settings) -> set[str]:
    """The keys that say where learning asks: a yes to asking is a yes to the place."""
    name = wanted.learning.upstream
    return {f"upstreams.{name}.base_url"} if name in wanted.upstreams else set()


def refuse_loop(name: str, upstream: Upstream, port: int) -> None:
    """Raises SettingsError where the upstream is the very port on which this program listens."""
    if leads_to(upstream.base_url, port):
        raise SettingsError(
            "The upstream is this program itself",
            f"{upstream.base_url} is where MetaClaw Tray listens, so {name!r} would ask itself for ever.",
            "Give the address of the model's server; if that one has to have this port, choose another for "
            "MetaClaw Tray: `metaclaw-tray config set server.port N`.",
        )


def _no_such(key: str, settings: Settings) -> NotFoundError:
    return NotFoundError(
        "No such setting",
        f"There is no setting {key!r}.{near_key(key, settings)}",
        "`metaclaw-tray config show` lists them.",
    )
