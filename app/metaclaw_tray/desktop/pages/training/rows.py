"""One row of each list: a job, an adapter, a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QLayout, QMenu, QPushButton, QWidget

from metaclaw_tray.admin.api import AdapterRow, JobRow, WindowRow
from metaclaw_tray.desktop import theme
from metaclaw_tray.desktop.charts.painting import number
from metaclaw_tray.desktop.pages.today.words import breakable
from metaclaw_tray.desktop.pages.training import words
from metaclaw_tray.desktop.pages.training.section import holding
from metaclaw_tray.desktop.parts import button, column, label, row

Form = Literal["peft", "gguf"]

translate = QCoreApplication.translate


def job_row(job: JobRow, *, chosen: bool, show: Callable[[str], object]) -> QWidget:
    """When, how it stands, what came of it, and a way to its curves."""
    said, kind = words.job_state(job)
    title = _title(words.span(job.started_at, job.ended_at), said, kind, words.arrow(job.before, job.after))
    about = [words.progress(job), job.model]
    lines = [
        label(breakable(job.why)),
        label(" · ".join(each for each in about if each), "muted", size=theme.SMALL),
    ]
    if measured := words.scores(job.before, job.after):
        lines.append(label(measured, "muted", size=theme.SMALL))
    text = column(title, *lines, gap=3)
    look = button(translate("Training", "Curves"), lambda: show(job.id), "choice")
    look.setCheckable(True)
    look.setChecked(chosen)
    look.setAccessibleName(
        translate("Training", "Curves of the job of {when}").format(when=words.moment(job.started_at))
    )
    return _beside(text, look)


def adapter_row(
    adapter: AdapterRow,
    named: Mapping[str, AdapterRow],
    *,
    use: Callable[[str], object],
    roll_back: Callable[[], object],
    export: Callable[[str, Form], object],
) -> QWidget:
    """What it is, how good, where it comes from, and what can be done with it. `named` are all, by id."""
    said, kind = words.adapter_state(adapter)
    title = _title(adapter.name, said, kind, words.arrow(adapter.before, adapter.after))
    facts = [
        words.moment(adapter.made_at),
        translate("Training", "trained on %n request(s)", "", adapter.requests) if adapter.requests else "",
        translate("Training", "%n step(s)", "", adapter.steps) if adapter.steps else "",
        words.size(adapter.bytes),
    ]
    lines = [label(breakable(adapter.verdict))] if adapter.verdict else []
    if measured := words.scores(adapter.before, adapter.after):
        lines.append(label(measured, "muted", size=theme.SMALL))
    lines.append(label(lineage(adapter, named), "muted", size=theme.SMALL))
    lines.append(label(" · ".join(each for each in facts if each), "muted", size=theme.SMALL))
    if adapter.why_not:
        lines.append(label(breakable(adapter.why_not), "warn", size=theme.SMALL))
    actions: list[QWidget] = []
    if adapter.state == "in use":
        actions.append(_named(button(translate("Training", "Roll back…"), roll_back, symbol="undo"), adapter))
    elif adapter.state in ("proposed", "ready", "kept") and not adapter.why_not:
        actions.append(_named(button(translate("Training", "Use…"), lambda: use(adapter.id)), adapter))
    if adapter.state != "removed":
        actions.append(_named(_export(adapter, export), adapter))
    return _beside(column(title, *lines, gap=3), *actions)


def lineage(adapter: AdapterRow, named: Mapping[str, AdapterRow]) -> str:
    """From the base to this one, through those it went on from."""
    chain, seen = [adapter.name], {adapter.id}
    parent = adapter.parent
    while parent and parent not in seen:
        seen.add(parent)
        before = named.get(parent)
        chain.append(before.name if before is not None else parent)
        parent = before.parent if before is not None else ""
    return " → ".join([adapter.base, *reversed(chain)])


def window_row(window: WindowRow) -> QWidget:
    """When it was, why it opened and closed, and what it was good for."""
    title = row(label(words.span(window.opened_at, window.closed_at), bold=True, wrap=False), gap=theme.GAP)
    title.addWidget(label(words.window_kind(window), "chip"))
    if window.closed_at is None:
        title.addWidget(label(translate("Training", "Open"), "chip-good"))
    title.addStretch(1)
    lines = [label(translate("Training", "Opened: {why}").format(why=breakable(window.why_opened)), "muted")]
    if window.why_closed:
        lines.append(
            label(translate("Training", "Closed: {why}").format(why=breakable(window.why_closed)), "muted")
        )
    trained = translate("Training", "{minutes} min of training").format(
        minutes=number(window.trained_minutes, 0)
    )
    if not window.trained_minutes:  # which is counted once a minute
        trained = translate("Training", "no training") if window.closed_at is not None else ""
    return _beside(column(title, *lines, gap=3), label(trained, wrap=False))


def _export(adapter: AdapterRow, export: Callable[[str, Form], object]) -> QPushButton:
    made = button(translate("Training", "Export"), lambda: None, symbol="export")
    menu = QMenu(made)
    menu.addAction(
        translate("Training", "For training tools (PEFT folder)…"), lambda: export(adapter.id, "peft")
    )
    menu.addAction(translate("Training", "For llama.cpp (GGUF file)…"), lambda: export(adapter.id, "gguf"))
    made.setMenu(menu)
    return made


def _named(made: QPushButton, adapter: AdapterRow) -> QPushButton:
    made.setAccessibleName(f"{made.text().rstrip('…')} {adapter.name}")
    return made


def _title(name: str, state: str, kind: str, figure: str) -> QHBoxLayout:
    return row(
        label(name, bold=True, wrap=False), label(state, kind), label(figure, wrap=False), None, gap=theme.GAP
    )


def _beside(text: QLayout, *actions: QWidget) -> QWidget:
    line = row(text, *actions, gap=theme.GAP)
    line.setStretch(0, 1)
    for each in actions:
        line.setAlignment(each, Qt.AlignmentFlag.AlignTop)
    return holding(line)
