"""What training calls by keys, in the person's language; moments, spans and scores as they write them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QLocale

from metaclaw_tray.admin.api import AdapterRow, JobRow, Schedule, Score, Signal, Training, WindowRow
from metaclaw_tray.desktop.charts.day_band import clock
from metaclaw_tray.desktop.charts.painting import number
from metaclaw_tray.desktop.pages.today.words import money, next_window
from metaclaw_tray.desktop.tray.wording import local

_MEGABYTE = 1024 * 1024

translate = QCoreApplication.translate


def what_it_is() -> str:
    """Training in two sentences."""
    return translate(
        "Training",
        "While you are away, a model of your own can practise on requests of yours and be told which of its "
        "answers were good. It answers your agents only if it did better on requests that were kept aside, "
        "and you can go back at any time.",
    )


def state(training: Training) -> tuple[str, str]:
    """How it stands, in a word or two, and the kind of its chip."""
    return {
        "none": (translate("Training", "Not set up"), "chip"),
        "waiting": (translate("Training", "Waiting"), "chip"),
        "running": (translate("Training", "Training now"), "chip-good"),
        "paused": (translate("Training", "Paused"), "chip-warn"),
        "stopping": (translate("Training", "Stopping"), "chip-warn"),
    }[training.state]


def status(training: Training, schedule: Schedule | None) -> list[str]:
    """How it stands, why, and when it goes on; a sentence each."""
    if training.state == "none":
        return [translate("Training", "No training is set up. Skills are learnt all the same.")]
    found = []
    if training.state == "running" and schedule is not None and schedule.window is not None:
        found.append(
            translate("Training", "It runs since {time}. {why}").format(
                time=clock(schedule.window.opened_at), why=schedule.window.why_opened
            )
        )
    elif training.why_not:
        found.append(translate("Training", "Why not now: {why}").format(why=training.why_not))
    elif schedule is not None and schedule.why_not:
        found.append(translate("Training", "Why not now: {why}").format(why=schedule.why_not))
    if schedule is not None and schedule.next is not None and training.state != "running":
        found.append(" ".join(each for each in (next_window(schedule.next), schedule.next.why) if each))
        if schedule.next.confidence is not None:
            found.append(
                translate("Training", "Such forecasts came true {share} times in 10.").format(
                    share=number(10 * schedule.next.confidence, 0)
                )
            )
    return found


def facts(training: Training) -> list[tuple[str, str]]:
    """What is trained, where, on how much and for what money: a name and its words each."""
    found = [
        (translate("Training", "Model"), training.model),
        (translate("Training", "Trained by"), _engine(training)),
    ]
    if training.prompts_wanted:
        enough = translate("Training", "{there} of the {wanted} it needs").format(
            there=number(training.prompts, 0), wanted=number(training.prompts_wanted, 0)
        )
        if training.prompts >= training.prompts_wanted:
            enough = number(training.prompts, 0)
        found.append((translate("Training", "Requests to practise on"), enough))
    spent = translate("Training", "{spent} of at most {limit}").format(
        spent=money(training.month_usd), limit=money(training.month_limit_usd)
    )
    found.append((translate("Training", "This month"), spent))
    return [(name, said) for name, said in found if said]


def _engine(training: Training) -> str:
    if not training.engine:
        return ""
    if training.leaves:
        said = translate("Training", "{host} (what it practises on is sent there)")
    else:
        said = translate("Training", "{host} (nothing leaves this machine)")
    return said.format(host=training.engine)


def job_state(job: JobRow) -> tuple[str, str]:
    return _named(
        job.state,
        {
            "planned": (translate("Training", "Planned"), "chip"),
            "running": (translate("Training", "Running"), "chip-accent"),
            "paused": (translate("Training", "Paused"), "chip-warn"),
            "done": (translate("Training", "Done"), "chip-good"),
            "stopped": (translate("Training", "Stopped"), "chip-warn"),
            "failed": (translate("Training", "Failed"), "chip-bad"),
        },
    )


def adapter_state(adapter: AdapterRow) -> tuple[str, str]:
    return _named(
        adapter.state,
        {
            "proposed": (translate("Training", "Waits for you"), "chip-accent"),
            "in use": (translate("Training", "In use"), "chip-good"),
            "ready": (translate("Training", "Ready"), "chip"),
            "kept": (translate("Training", "Kept"), "chip"),
            "refused": (translate("Training", "Not better"), "chip-warn"),
            "removed": (translate("Training", "Removed"), "chip"),
        },
    )


def signal_state(signal: Signal) -> tuple[str, str]:
    return {
        "for": (translate("Training", "Speaks for it"), "chip-good"),
        "against": (translate("Training", "Speaks against it"), "chip-warn"),
        "neutral": (translate("Training", "Does not matter now"), "chip"),
        "unknown": (translate("Training", "Not known"), "chip"),
    }[signal.stands]


def signal_name(signal: Signal) -> str:
    """What is looked at."""
    return {
        "input": translate("Training", "Keyboard and mouse"),
        "calendar": translate("Training", "Calendar"),
        "sleep": translate("Training", "Sleep hours"),
        "lock": translate("Training", "Screen lock"),
        "call": translate("Training", "Calls and films"),
        "power": translate("Training", "Power"),
        "network": translate("Training", "Network"),
        "load": translate("Training", "Load"),
        "agents": translate("Training", "Agents"),
        "caps": translate("Training", "What may be spent"),
        "prompts": translate("Training", "Requests to practise on"),
        "manual": translate("Training", "What you asked for"),
        "training": translate("Training", "Training"),
    }.get(signal.name, signal.name)


def window_kind(window: WindowRow) -> str:
    """What a window was."""
    named = {
        "meeting": translate("Training", "Meeting"),
        "idle": translate("Training", "You were away"),
        "sleep": translate("Training", "Sleep hours"),
        "asked": translate("Training", "You asked for it"),
    }[window.kind]
    return f"{named}: {window.title}" if window.title else named


def _named(key: str, words: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    return words[key]


def moment(at: datetime) -> str:
    """A day and a time."""
    return str(QLocale().toString(local(at), QLocale.FormatType.ShortFormat))


def span(begin: datetime, end: datetime | None) -> str:
    """From a moment until another, or until now."""
    if end is None:
        return translate("Training", "since {begin}").format(begin=moment(begin))
    last = clock(end) if local(begin).date() == local(end).date() else moment(end)
    return translate("Training", "{begin} to {end}").format(begin=moment(begin), end=last)


def score(of: Score) -> str:
    """A score with the range that the true one lies in."""
    said = translate("Training", "{mean}, between {low} and {high}")
    return said.format(mean=number(of.mean, 2), low=number(of.low, 2), high=number(of.high, 2))


def scores(before: Score | None, after: Score | None) -> str:
    """Before and after, on how many requests; "" where nothing was measured."""
    if after is None:
        if before is None:
            return ""
        return translate("Training", "Before: {score}.").format(score=score(before))
    requests = translate("Training", "Measured on %n request(s) kept aside.", "", after.requests)
    if before is None:
        return translate("Training", "After: {score}.").format(score=score(after)) + " " + requests
    said = translate("Training", "Before: {before}. After: {after}.")
    return said.format(before=score(before), after=score(after)) + " " + requests


def arrow(before: Score | None, after: Score | None) -> str:
    """ "0.61 → 0.66" """
    if after is None:
        return ""
    if before is None:
        return number(after.mean, 2)
    return f"{number(before.mean, 2)} → {number(after.mean, 2)}"


def progress(job: JobRow) -> str:
    """How far it is, and what it cost so far."""
    said = translate("Training", "Step {step} of {steps} · {spent} of at most {limit}")
    return said.format(
        step=number(job.step, 0), steps=number(job.steps, 0), spent=money(job.usd), limit=money(job.limit_usd)
    )


def size(count: int) -> str:
    """Bytes as megabytes."""
    return translate("Training", "{count} MB").format(count=number(count / _MEGABYTE, 0)) if count else ""
