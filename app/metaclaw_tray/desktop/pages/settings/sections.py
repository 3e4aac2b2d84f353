"""Which settings stand where, and which of them only few people ever need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from metaclaw_tray.admin.api import SettingRow


class Section(StrEnum):
    """A part of the page, named as in `settings/models`."""

    MODELS = "models"
    BUDGET = "budget"
    LEARNING = "learning"
    PRIVACY = "privacy"
    AWAY = "away"
    NOTIFICATIONS = "notifications"
    LANGUAGE = "language"
    DATA = "data"
    PROGRAM = "program"


@dataclass(frozen=True)
class _Place:
    keys: tuple[str, ...]  # whole, or the beginning of several
    few: tuple[str, ...] = ()  # of these: for few people


_PLACES = {
    Section.MODELS: _Place(("learning.upstream", "learning.model")),
    Section.BUDGET: _Place(("budget.",)),
    Section.LEARNING: _Place(
        ("learning.", "review.", "injection.", "embedder."),
        few=(
            "learning.votes",
            "learning.timeout_seconds",
            "learning.concurrency",
            "learning.quiet_seconds",
            "learning.replay_tokens",
            "injection.per_exchange",
            "injection.per_session",
            "injection.session_tokens",
            "embedder.idle_minutes",
        ),
    ),
    Section.PRIVACY: _Place(()),
    Section.AWAY: _Place(
        ("schedule.",),
        few=(
            "schedule.sleep_unseen",
            "schedule.minimum_minutes",
            "schedule.meeting_begins_minutes",
            "schedule.meeting_ends_minutes",
            "schedule.meeting_ends_by_input",
            "schedule.calendar_minutes",
            "schedule.load_percent",
        ),
    ),
    Section.NOTIFICATIONS: _Place(("notifications.",)),
    Section.LANGUAGE: _Place(("window.language",)),
    Section.DATA: _Place(("retention.", "secrets.", "sessions."), few=("sessions.silence_minutes",)),
    Section.PROGRAM: _Place(("server.",), few=("server.requests", "server.connections")),
}
_ELSEWHERE = ("default_upstream", "embedded.model", "upstreams.", "agents.", "calendars.")
"""What the cards of the models and the page of the agents change."""


def section_of(key: str) -> Section | None:
    """Where a setting stands; None where it is changed in another way."""
    if key.startswith(_ELSEWHERE):
        return None
    for section, place in _PLACES.items():
        if key.startswith(place.keys) and place.keys:
            return section
    return Section.PROGRAM  # a setting that is new stands somewhere


def for_few(key: str) -> bool:
    """Whether only few people need it."""
    return any(key in place.few for place in _PLACES.values())


def rows_of(section: Section, rows: Iterable[SettingRow]) -> list[SettingRow]:
    """The settings of a section, those for few people last."""
    mine = [each for each in rows if section_of(each.key) == section]
    return sorted(mine, key=lambda each: for_few(each.key))


def section_title(section: Section) -> str:
    """What a section is called."""
    translate = QCoreApplication.translate
    return {
        Section.MODELS: translate("Settings", "Models"),
        Section.BUDGET: translate("Settings", "Budget"),
        Section.LEARNING: translate("Settings", "Learning"),
        Section.PRIVACY: translate("Settings", "Privacy"),
        Section.AWAY: translate("Settings", "While you are away"),
        Section.NOTIFICATIONS: translate("Settings", "Notifications"),
        Section.LANGUAGE: translate("Settings", "Language"),
        Section.DATA: translate("Settings", "Data"),
        Section.PROGRAM: translate("Settings", "This app"),
    }[section]


def section_line(section: Section) -> str:
    """What it is about, in a line."""
    translate = QCoreApplication.translate
    return {
        Section.MODELS: translate("Settings", "Where answers come from, for your agents and for learning."),
        Section.BUDGET: translate(
            "Settings", "What learning may cost. Your agents' own requests are not limited."
        ),
        Section.LEARNING: translate("Settings", "What is learnt, who decides, and how skills are used."),
        Section.PRIVACY: translate(
            "Settings", "What leaves this machine, host by host, by the settings in force."
        ),
        Section.AWAY: translate(
            "Settings", "When a model of yours may be trained. It stops when you are back."
        ),
        Section.NOTIFICATIONS: translate("Settings", "What you are told while this window is closed."),
        Section.LANGUAGE: translate("Settings", "The language of this window."),
        Section.DATA: translate("Settings", "How long conversations are kept, and where everything lies."),
        Section.PROGRAM: translate("Settings", "How the app starts and where agents reach it."),
    }[section]
