"""One line of JSON after the other: a verb in; progress, perhaps a challenge, then the answer out."""

from __future__ import annotations

from typing import Any, Union

import msgspec

from metaclaw_tray.admin.api import Verb, all_verbs
from metaclaw_tray.errors import KnownError, UsageError

LINE_LIMIT = 16 * 1024 * 1024  # bytes


class Progress(msgspec.Struct, frozen=True, tag="progress", tag_field="kind"):
    """A step of a long command, as it happens."""

    text: str


class Challenge(msgspec.Struct, frozen=True, tag="challenge", tag_field="kind"):
    """Show this text in full to the person, and have the code typed at a terminal."""

    text: str
    action: str
    code: str
    seconds: float


class Done(msgspec.Struct, frozen=True, tag="done", tag_field="kind"):
    value: msgspec.Raw


class Failed(msgspec.Struct, frozen=True, tag="failed", tag_field="kind"):
    title: str
    detail: str
    remedy: str
    exit_code: int


class Typed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the person typed at a challenge; "" where they declined."""

    code: str


Line = Progress | Challenge | Done | Failed


class RemoteError(KnownError):
    """A fault for a person that the app found; it keeps the exit code of the error it was."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.title, failed.detail, failed.remedy)
        self.exit_code = failed.exit_code  # type: ignore[misc]


_lines = msgspec.json.Decoder(Line)
_verbs: msgspec.json.Decoder[Verb[Any]] = msgspec.json.Decoder(Union[tuple(all_verbs())])  # noqa: UP007
_typed = msgspec.json.Decoder(Typed)


def to_line(message: Any) -> bytes:
    """A message as it stands on the wire; JSON has no line break of its own."""
    return msgspec.json.encode(message) + b"\n"


def read_line(line: bytes) -> Line:
    """What the app said. Raises msgspec.DecodeError."""
    return _lines.decode(line)


def read_verb(line: bytes) -> Verb[Any]:
    """What a command asks. Raises UsageError for what is no verb of ours, or has wrong arguments."""
    try:
        return _verbs.decode(line)
    except msgspec.DecodeError as error:
        raise UsageError(
            "The request was not understood",
            f"{error}.",
            "If the app was updated, restart it: it may be older or newer than this command.",
        ) from error


def read_typed(line: bytes) -> str:
    """The code that came back; "" for anything else, which is never right."""
    try:
        return _typed.decode(line).code
    except msgspec.DecodeError:
        return ""


def failed(error: KnownError) -> Failed:
    """An error as it travels."""
    return Failed(error.title, error.detail, error.remedy, error.exit_code)
