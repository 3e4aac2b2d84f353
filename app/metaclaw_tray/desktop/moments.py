"""When something was, in a few words and in the person's own way to write times."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

_NOW_SECONDS = 45
_MINUTES_SECONDS = 60 * 60


def ago(moment: datetime, now: datetime | None = None) -> str:
    """`just now`, `12 minutes ago`, a time of today, or a date with its time."""
    seconds = ((now or datetime.now(UTC)) - moment).total_seconds()
    if seconds < _NOW_SECONDS:
        return QCoreApplication.translate("Moments", "just now")
    if seconds < _MINUTES_SECONDS:
        minutes = max(1, round(seconds / 60))
        return QCoreApplication.translate("Moments", "%n minute(s) ago", "", minutes)
    then = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    if then.date() == QDateTime.currentDateTime().date():
        time = QLocale().toString(then.time(), QLocale.FormatType.ShortFormat)
        return QCoreApplication.translate("Moments", "today at {time}").format(time=time)
    return QLocale().toString(then, QLocale.FormatType.ShortFormat)
