"""Errors that a person can mend.

    KnownError                    something outside the program is wrong; said with a remedy
    ├── UsageError                the command was given wrongly (exit code 2)
    ├── NotRunningError           the app is not running (exit code 3)
    ├── SettingsError             the settings file cannot be read or breaks a rule
    ├── SecretError               the keyring did not answer, or there is none
    ├── StoreError                the database cannot be opened, read or written
    ├── PortTakenError            another program holds the port
    ├── UpstreamError             the model's server is away or does not speak its protocol
    ├── ModelError                the embedded model cannot be fetched or started
    ├── ExtraError                an extra cannot be installed or removed
    ├── SkillError                a SKILL.md cannot be used
    ├── CalendarError             a calendar cannot be read or connected
    ├── LearningError             a step of learning cannot go on (no model chosen, cap reached)
    └── NotFoundError             there is no such turn, skill, proposal …

Anything else that is raised is a bug: it reaches the log with its traceback.
"""

from __future__ import annotations

from typing import ClassVar


class KnownError(Exception):
    """A fault for a person to read: what is wrong, where, and how to mend it.

    `title` is a few words, `detail` a sentence that names the place, `remedy` says what to do.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, title: str, detail: str, remedy: str = "") -> None:
        super().__init__(f"{title}: {detail}")
        self.title = title
        self.detail = detail
        self.remedy = remedy

    def lines(self) -> list[str]:
        """The error as a person reads it on a terminal."""
        text = [f"{self.title}: {self.detail}"]
        if self.remedy:
            text.append(f"→ {self.remedy}")
        return text


class UsageError(KnownError):
    """The command was given wrongly."""

    exit_code = 2


class NotRunningError(KnownError):
    """The app is not running, so there is nobody to ask."""

    exit_code = 3


class SettingsError(KnownError):
    """The settings file cannot be read or breaks a rule."""


class SecretError(KnownError):
    """The keyring did not answer, refused, or does not exist."""


class StoreError(KnownError):
    """The database cannot be opened, read or written."""


class PortTakenError(KnownError):
    """Another program listens on the port."""


class UpstreamError(KnownError):
    """The model's server is away, or does not speak its protocol."""


class ModelError(KnownError):
    """The embedded model cannot be fetched or started."""


class ExtraError(KnownError):
    """An extra cannot be installed or removed."""


class SkillError(KnownError):
    """A SKILL.md cannot be used as it is."""


class CalendarError(KnownError):
    """A calendar cannot be read, or was not connected."""


class LearningError(KnownError):
    """A step of learning cannot go on: no model chosen, the cap reached, an answer out of shape."""


class NotFoundError(KnownError):
    """There is no such turn, skill, proposal or entry."""
