"""The page's words for what the app names by keys, in the person's language."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from metaclaw_tray.desktop.pages.skills.entries import Entry, Section


def section(which: Section) -> str:
    return {
        Section.WAITS: QCoreApplication.translate("Skills", "Waits for you"),
        Section.LATER: QCoreApplication.translate("Skills", "Comes later"),
        Section.REFUSED: QCoreApplication.translate("Skills", "Turned down by a check"),
        Section.SKILLS: QCoreApplication.translate("Skills", "Skills"),
    }[which]


def state(key: str) -> str:
    """How a skill stands, or what a proposal would do."""
    return {
        "active": QCoreApplication.translate("Skills", "In use"),
        "trial": QCoreApplication.translate("Skills", "On trial"),
        "disabled": QCoreApplication.translate("Skills", "Off"),
        "retired": QCoreApplication.translate("Skills", "Retired"),
        "create": QCoreApplication.translate("Skills", "New"),
        "update": QCoreApplication.translate("Skills", "Change"),
        "retire": QCoreApplication.translate("Skills", "Retire"),
        "outside": QCoreApplication.translate("Skills", "Edited outside"),
    }.get(key, key)


def source(key: str) -> str:
    """Who made a skill."""
    return {
        "person": QCoreApplication.translate("Skills", "Yours"),
        "learnt": QCoreApplication.translate("Skills", "Learnt"),
        "builtin": QCoreApplication.translate("Skills", "Came with the app"),
        "imported": QCoreApplication.translate("Skills", "Imported"),
    }.get(key, key)


def spoken(entry: Entry) -> str:
    """A row, read aloud."""
    parts = [entry.title, state(entry.state), entry.line]
    if entry.section is not Section.SKILLS:
        parts.insert(0, section(entry.section))
    if entry.tainted:
        parts.append(QCoreApplication.translate("Skills", "Careful: not only your words"))
    return ", ".join(part for part in parts if part)


def proposed(op: str) -> str:
    """What a proposal would do, as a sentence."""
    return {
        "create": QCoreApplication.translate("Skills", "A new skill is proposed."),
        "update": QCoreApplication.translate("Skills", "A change of this skill is proposed."),
        "retire": QCoreApplication.translate("Skills", "It is proposed to retire this skill."),
        "outside": QCoreApplication.translate("Skills", "Somebody edited the skills folder."),
    }.get(op, "")


def whose(key: str) -> str:
    """Whose words a piece of evidence is."""
    return {
        "person": QCoreApplication.translate("Skills", "your words"),
        "model": QCoreApplication.translate("Skills", "the judging model's words"),
        "tool": QCoreApplication.translate("Skills", "a tool's words, not yours"),
        "web": QCoreApplication.translate("Skills", "a web page's words, not yours"),
    }.get(key, key)


def piece(kind: str) -> str:
    """What a piece of evidence is."""
    return {
        "verdict": QCoreApplication.translate("Skills", "Verdict"),
        "correction": QCoreApplication.translate("Skills", "You corrected it"),
        "repetition": QCoreApplication.translate("Skills", "You asked again"),
        "thanks": QCoreApplication.translate("Skills", "You were content"),
        "instruction": QCoreApplication.translate("Skills", "You gave a rule"),
        "feedback": QCoreApplication.translate("Skills", "Your thumb"),
        "tool_error": QCoreApplication.translate("Skills", "A tool failed"),
        "tool_repaired": QCoreApplication.translate("Skills", "A tool failed, then worked"),
        "transient": QCoreApplication.translate("Skills", "The surroundings failed"),
        "cut": QCoreApplication.translate("Skills", "The answer was cut off"),
    }.get(kind, kind)


def origin(key: str) -> str:
    """Where a replayed request comes from."""
    return {
        "held-out": QCoreApplication.translate("Skills", "Your own request, kept aside for measuring"),
        "synthetic": QCoreApplication.translate("Skills", "Invented, like the ones that taught it"),
        "source": QCoreApplication.translate("Skills", "One that taught it; shown, but not counted"),
        "near": QCoreApplication.translate("Skills", "Went well before; looked at for harm"),
    }.get(key, key)


def mark(key: str) -> str:
    """What the comparison of two answers said."""
    return {
        "win": QCoreApplication.translate("Skills", "Better with it"),
        "loss": QCoreApplication.translate("Skills", "Worse with it"),
        "tie": QCoreApplication.translate("Skills", "No difference"),
        "unscored": QCoreApplication.translate("Skills", "Could not be judged"),
    }.get(key, key)


def done(action: str) -> str:
    """What an entry of the ledger did."""
    return {
        "approve": QCoreApplication.translate("Skills", "Approved"),
        "add": QCoreApplication.translate("Skills", "Added"),
        "enable": QCoreApplication.translate("Skills", "Switched on"),
        "disable": QCoreApplication.translate("Skills", "Switched off"),
        "retire": QCoreApplication.translate("Skills", "Retired"),
        "trust": QCoreApplication.translate("Skills", "Trust changed"),
        "scope": QCoreApplication.translate("Skills", "Agents changed"),
        "trial": QCoreApplication.translate("Skills", "Trial began"),
        "trial end": QCoreApplication.translate("Skills", "Trial ended"),
        "undo": QCoreApplication.translate("Skills", "Taken back"),
        "reject": QCoreApplication.translate("Skills", "Proposal rejected"),
        "snooze": QCoreApplication.translate("Skills", "Put off"),
        "import": QCoreApplication.translate("Skills", "Imported"),
        "register": QCoreApplication.translate("Skills", "Came with the app"),
        "return": QCoreApplication.translate("Skills", "The library returned to an earlier state"),
    }.get(action, action)


def channel(key: str) -> str:
    """By which way something was decided."""
    return {
        "window": QCoreApplication.translate("Skills", "in the window"),
        "tray": QCoreApplication.translate("Skills", "in the tray's menu"),
        "terminal": QCoreApplication.translate("Skills", "in a terminal"),
        "scripted": QCoreApplication.translate("Skills", "by a script"),
        "automatic": QCoreApplication.translate("Skills", "by itself, as you had agreed"),
    }.get(key, key)


def when(at: datetime | None) -> str:
    """A moment, as the person's country writes it, in local time."""
    if at is None:
        return ""
    moment = QDateTime.fromSecsSinceEpoch(int(at.timestamp()))
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)


def share(value: float) -> str:
    """0.52 as a percentage."""
    return f"{QLocale().toString(round(max(0.0, min(1.0, value)) * 100))} %"
