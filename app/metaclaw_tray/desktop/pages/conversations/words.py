"""What the page calls things, in words that need no explanation."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale

from metaclaw_tray.admin.api import ExchangeRow, StepRow, VerdictRow
from metaclaw_tray.desktop.unhidden import unhidden


def asked(row: ExchangeRow) -> str:
    """What stands for an exchange."""
    return unhidden(row.asked) or QCoreApplication.translate("Conversations", "Without words")


def worth(row: ExchangeRow) -> str:
    """How it went, in a word or two; "" where nobody said."""
    if row.thumb:
        key = "You said: right" if row.thumb > 0 else "You said: wrong"
        return _worth()[key]
    if row.outcome in ("failed", "cut", "lost"):
        return outcome(row.outcome)
    return _worth()[{1: "Good", 0: "Neither", -1: "Went wrong"}[row.score]] if row.score is not None else ""


def outcome(key: str) -> str:
    """How an answer ended."""
    return {
        "open": QCoreApplication.translate("Conversations", "Under way"),
        "ok": QCoreApplication.translate("Conversations", "Answered"),
        "failed": QCoreApplication.translate("Conversations", "Failed"),
        "cut": QCoreApplication.translate("Conversations", "Cut off"),
        "gone": QCoreApplication.translate("Conversations", "Stopped by the agent"),
        "lost": QCoreApplication.translate("Conversations", "End not recorded"),
    }.get(key, key)


def judged(verdict: VerdictRow) -> str:
    """What a verdict says, with how sure it is."""
    if verdict.by == "person":
        said = _worth()["You said: right" if (verdict.score or 0) > 0 else "You said: wrong"]
        return f"{said}."
    if verdict.score is None:
        return QCoreApplication.translate("Conversations", "The judge could not tell how it went.")
    said = {
        1: QCoreApplication.translate("Conversations", "The judge found that it went well."),
        0: QCoreApplication.translate("Conversations", "The judge found it neither good nor bad."),
        -1: QCoreApplication.translate("Conversations", "The judge found that it went wrong."),
    }[verdict.score]
    if verdict.transient:
        said += " " + QCoreApplication.translate(
            "Conversations", "The surroundings were to blame, so nothing is learnt from it."
        )
    if len(verdict.votes) > 1:
        agreed = sum(vote == verdict.score for vote in verdict.votes)
        votes = QCoreApplication.translate(
            "Conversations", "{agreed} of {all} times it was asked, it said so."
        )
        said += " " + votes.format(agreed=number(agreed), all=number(len(verdict.votes)))
    return said


def in_set(key: str) -> str:
    """What an exchange is used for."""
    return {
        "support": QCoreApplication.translate("Conversations", "A skill was learnt from it"),
        "train": QCoreApplication.translate("Conversations", "It trains your own model"),
        "holdout": QCoreApplication.translate("Conversations", "Kept aside to measure on"),
        "reserved": QCoreApplication.translate("Conversations", "Kept for learning for some days"),
        "withheld": QCoreApplication.translate("Conversations", "A trial kept a skill from it"),
        "barred": QCoreApplication.translate("Conversations", "Not used: it would be learnt from twice"),
        "unscored": QCoreApplication.translate("Conversations", "Not used: nobody said how it went"),
        "query": QCoreApplication.translate("Conversations", "May train your own model later"),
    }.get(key, key)


def evidence(kind: str) -> str:
    """What a piece of evidence is."""
    return {
        "verdict": QCoreApplication.translate("Conversations", "The judge's verdict"),
        "correction": QCoreApplication.translate("Conversations", "You corrected it"),
        "repetition": QCoreApplication.translate("Conversations", "You asked again"),
        "thanks": QCoreApplication.translate("Conversations", "You were content"),
        "instruction": QCoreApplication.translate("Conversations", "You gave a rule"),
        "feedback": QCoreApplication.translate("Conversations", "Your thumb"),
        "tool_error": QCoreApplication.translate("Conversations", "A tool failed"),
        "tool_repaired": QCoreApplication.translate("Conversations", "A tool failed, then worked"),
        "transient": QCoreApplication.translate("Conversations", "The surroundings failed"),
        "cut": QCoreApplication.translate("Conversations", "The answer was cut off"),
    }.get(kind, kind)


def took(step: StepRow) -> str:
    """Model, time, tokens and cost of one answer, in a line."""
    parts = [f"{step.model} ({step.upstream})" if step.upstream else step.model]
    if step.total_ms is not None:
        parts.append(seconds(step.total_ms))
    if step.first_byte_ms is not None:
        first = QCoreApplication.translate("Conversations", "first word after {time}")
        parts.append(first.format(time=seconds(step.first_byte_ms)))
    if step.input_tokens or step.output_tokens:
        said = QCoreApplication.translate("Conversations", "{read} tokens read, {written} written")
        if step.usage_estimated:
            said = QCoreApplication.translate("Conversations", "about {read} tokens read, {written} written")
        parts.append(said.format(read=number(step.input_tokens), written=number(step.output_tokens)))
    if step.cost is not None:
        parts.append(money(step.cost))
    return " · ".join(part for part in parts if part)


def making_ready(share: float) -> str:
    """How much can be searched, while that is not all."""
    said = QCoreApplication.translate("Conversations", "{share} % searchable: the rest is being made ready")
    return said.format(share=number(int(share * 100)))


def found(count: int, *, looking: bool, more: bool) -> str:
    """How many were found, and whether that is all."""
    said = QCoreApplication.translate("Conversations", "%n found", "", count)
    if not more:
        return said
    if looking:
        return QCoreApplication.translate("Conversations", "{found}, looking further back…").format(
            found=said
        )
    return QCoreApplication.translate("Conversations", "{found}, and more further down").format(found=said)


def seconds(milliseconds: float) -> str:
    """A time that something took."""
    if milliseconds < 1000:
        return f"{number(round(milliseconds))} ms"
    return f"{QLocale().toString(milliseconds / 1000, 'f', 1)} s"


def money(usd: float) -> str:
    """An amount; small ones with more places, so that they are not nothing."""
    places = 2 if usd >= 1 or usd == 0 else 4
    return f"{QLocale().toString(usd, 'f', places)} USD"


def number(value: int) -> str:
    return QLocale().toString(value)


def day(at: datetime) -> str:
    """The day of a moment, by the clock on the wall."""
    then, today = _local(at).date(), QDate.currentDate()
    if then == today:
        return QCoreApplication.translate("Conversations", "Today")
    if then == today.addDays(-1):
        return QCoreApplication.translate("Conversations", "Yesterday")
    return QLocale().toString(then, "dddd d MMMM" if then.year() == today.year() else "dddd d MMMM yyyy")


def time(at: datetime) -> str:
    return QLocale().toString(_local(at).time(), QLocale.FormatType.ShortFormat)


def date(at: datetime) -> str:
    """A moment in few letters: the time of one today, the day of one before."""
    then = _local(at).date()
    if then == QDate.currentDate():
        return time(at)
    return QLocale().toString(then, "d MMM" if then.year() == QDate.currentDate().year() else "d MMM yyyy")


def moment(at: datetime) -> str:
    """Day and time."""
    return f"{day(at)}, {time(at)}"


def spoken(row: ExchangeRow) -> str:
    """A row as it is read aloud."""
    parts = [asked(row), row.agent, moment(row.at), worth(row)]
    if row.skills:
        parts.append(skills(len(row.skills)))
    return ", ".join(part for part in parts if part)


def skills(count: int) -> str:
    """How many skills stood in front."""
    return QCoreApplication.translate("Conversations", "%n skill(s)", "", count)


def _local(at: datetime) -> QDateTime:
    return QDateTime.fromSecsSinceEpoch(int(at.timestamp()))


def _worth() -> dict[str, str]:
    return {
        "Good": QCoreApplication.translate("Conversations", "Good"),
        "Neither": QCoreApplication.translate("Conversations", "Neither good nor bad"),
        "Went wrong": QCoreApplication.translate("Conversations", "Went wrong"),
        "You said: right": QCoreApplication.translate("Conversations", "You said: right"),
        "You said: wrong": QCoreApplication.translate("Conversations", "You said: wrong"),
    }
