"""One look, in a process of its own: `python -m screenshots.sitting LOOK FOLDER`."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from desktop.stand_in import AWAY, StandInBridge
from metaclaw_tray.admin import api
from metaclaw_tray.admin.window import Sheet
from metaclaw_tray.desktop import application, theme
from metaclaw_tray.desktop.application import Desk
from metaclaw_tray.desktop.bridge import Problem
from metaclaw_tray.desktop.firstrun.dialog import FirstSteps
from metaclaw_tray.desktop.language import install_language
from metaclaw_tray.desktop.pages.agents.page import AgentsPage
from metaclaw_tray.desktop.pages.settings.models.dialog import UpstreamDialog
from metaclaw_tray.desktop.pages.settings.sections import Section
from metaclaw_tray.desktop.pages.skills.asking import RejectSheet, TrialSheet
from metaclaw_tray.desktop.pages.skills.page import SkillsPage
from metaclaw_tray.desktop.quitting import QuitDialog
from metaclaw_tray.desktop.sheet import ConsentSheet, tell_problem
from metaclaw_tray.desktop.sure import SureDialog
from metaclaw_tray.desktop.tray.correcting import WrongAnswer
from metaclaw_tray.desktop.tray.picture import tray_icon
from metaclaw_tray.desktop.tray.state import State
from metaclaw_tray.paths import Paths
from screenshots import filled
from screenshots.__main__ import LOOKS, Look
from screenshots.album import Album
from screenshots.house import House

_SKILL = """---
name: clear-dates
description: Write dates so that nobody reads them wrongly.
---

# Dates

Write `2026-03-20`, never `03/20`.
"""


class _Away(StandInBridge):
    """An app that answers nothing but that it is away."""

    def ask(self, verb: api.Verb[object], done: object, failed: object = None, **more: object) -> int:
        self.answers[type(verb)] = AWAY
        return super().ask(verb, done, failed, **more)  # type: ignore[arg-type]


def sit(look: Look, folder: Path, home: Path) -> None:
    """Take the pictures of a look."""
    os.environ["METACLAW_TRAY_HOME"] = str(home)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with ExitStack() as stack:
        if look.home == "away":
            filled.new(home, look.language)
            pipe: object = None
            application.Bridge = lambda _pipe: _Away()  # type: ignore[assignment, misc]
        else:
            getattr(filled, look.home)(home, look.language)
            pipe = stack.enter_context(House(home))
        install_language(app, Paths.find())
        theme.is_dark = lambda: look.dark
        desk = Desk(app, pipe)  # type: ignore[arg-type]
        if look.home != "away":
            desk.start()
        desk.first_steps.dialog = None
        desk.window.removeEventFilter(desk.first_steps)
        album = Album(folder, desk)
        desk.window.open_page("")
        album.resize(*look.size)
        album.take_pages()
        _settings(album)
        if look.dialogs:
            _dialogs(album)
            _menu(album)
        desk.window.removeEventFilter(desk)
        desk.window.close()


def _settings(album: Album) -> None:
    for section in Section:
        album.desk.window.open_page(f"settings/{section}")
        album.take(f"settings, {section}")


def _dialogs(album: Album) -> None:
    window, bridge = album.desk.window, album.desk.bridge
    window.open_page("skills")
    album.settle()
    for name, verb, text in (
        ("consent, skill", api.EnableSkill(name="clear-dates"), _SKILL),
        ("consent, budget", api.SetConfig(key="budget.day_usd", value="5"),
         "budget.day_usd (what learning may spend in a day) is 0.5 now and would be 5."),
        ("consent, undo", api.Undo(entry="01"), "approve clear-dates by ada (window)"),
    ):  # fmt: skip
        sheet = ConsentSheet(window, bridge, Sheet(1, 1, "act", text), verb)
        album.take_dialog(name, sheet.open)
    problem = Problem.of(
        "No key", "The key of the provider openai is not there.",
        "Give it: `metaclaw-tray secret set upstream:openai`.",
    )  # fmt: skip
    album.take_dialog("problem", lambda: tell_problem(window, problem, window.open_page))
    skills, agents = window.page("skills"), window.page("agents")
    assert isinstance(skills, SkillsPage)
    assert isinstance(agents, AgentsPage)
    album.take_dialog("reject", RejectSheet(skills, "Clear dates").open)
    album.take_dialog("trial", TrialSheet(skills, "Clear dates").open)
    album.take_dialog("wrong answer", WrongAnswer("claude-code", "14:03").show)
    album.take_dialog("quit", QuitDialog(["claude-code", "codex"]).show)
    album.take_dialog("quit, nobody", QuitDialog([]).show)
    album.take_dialog("sure", SureDialog(window, "Forget it?", "It is gone for good then.", "Forget it").open)
    album.take_dialog("provider", UpstreamDialog(window, bridge, None, []).open)
    album.take_dialog("new agent", agents.add)
    skills.write_new()
    album.take("skills, new")
    skills.detail.editor.give_up()
    steps = FirstSteps(window, bridge)
    steps.open()
    for at in range(len(steps.steps)):
        steps.turn(at)
        album.take(f"first steps {at + 1}", steps)
    steps.close()


def _menu(album: Album) -> None:
    album.desk.tray.facts.ask()
    album.settle()
    menu = album.desk.tray.menu
    menu.popup(QPoint(20, 20))
    album.take("menu", menu)
    menu.close()
    strip = QImage(32 * 2 * len(State), 2 * 64, QImage.Format.Format_ARGB32)
    strip.fill(Qt.GlobalColor.darkGray if theme.is_dark() else Qt.GlobalColor.white)
    painter = QPainter(strip)
    for place, state in enumerate(State):
        painter.drawPixmap(place * 64, 0, tray_icon(state, 2, dark=theme.is_dark()).pixmap(44, 44))
        painter.drawPixmap(place * 64, 64, tray_icon(state, 0, dark=theme.is_dark()).pixmap(22, 22))
    painter.end()
    strip.save(str(album.taken[-1].with_name("icons.png")))


if __name__ == "__main__":
    QApplication(["metaclaw-tray"])
    with tempfile.TemporaryDirectory() as made:
        sit(LOOKS[sys.argv[1]], Path(sys.argv[2]), Path(made) / "home")
