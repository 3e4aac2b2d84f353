"""The tray on real desktops: hosts of both kinds, late and restarted; kills; leaving and coming back."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from slow.desktop.desk import Desk
from slow.desktop.screen import Screen, needs_screen, screen, until
from support.processes import ScriptedLlm

pytestmark = [pytest.mark.slow, pytest.mark.shared, pytest.mark.timeout(300), needs_screen]

WINDOW = "^MetaClaw Tray$"
OPEN, QUIT = "Open MetaClaw Tray", "Quit…"


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedLlm]:
    model = ScriptedLlm()
    yield model
    model.stop()


@pytest.fixture(scope="module")
def sni(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    with screen("sni", tmp_path_factory.mktemp("sni")) as made:
        yield made


@pytest.fixture
def desk(tmp_path: Path, sni: Screen, model: ScriptedLlm) -> Iterator[Desk]:
    with Desk(tmp_path, sni, model) as desk:
        yield desk


def shows_menu(desk: Desk) -> bool:
    return OPEN in desk.screen.menu()


def test_started_hidden_it_is_an_icon_and_a_second_start_shows_the_window(desk: Desk) -> None:
    desk.start("--hidden")
    until(lambda: shows_menu(desk), "the menu")
    assert desk.screen.windows(WINDOW) == []
    assert desk.second_start("--hidden") == 0
    assert desk.screen.windows(WINDOW) == []
    assert desk.second_start() == 0
    until(lambda: desk.screen.windows(WINDOW), "the window")


def test_the_menu_opens_the_window(desk: Desk) -> None:
    desk.start("--hidden")
    desk.screen.press(OPEN)
    until(lambda: desk.screen.windows(WINDOW), "the window")


def test_a_host_that_comes_late_or_again_shows_the_icon(desk: Desk) -> None:
    desk.screen.end_host()
    try:
        desk.start("--hidden")
        until(desk.window_process, "the window's process")
    finally:
        desk.screen.start_host()
    until(lambda: shows_menu(desk), "the menu in a late host")
    desk.screen.end_host()
    desk.screen.start_host()
    until(lambda: shows_menu(desk), "the menu in a host that came again")


def test_without_a_host_the_window_opens(desk: Desk) -> None:
    desk.screen.end_host()
    try:
        desk.start("--hidden")
        until(lambda: desk.screen.windows(WINDOW), "the window", 60)
    finally:
        desk.screen.start_host()


def test_a_window_that_is_killed_comes_back_and_agents_never_notice(desk: Desk) -> None:
    desk.start("--hidden")
    desk.connect()
    until(lambda: shows_menu(desk), "the menu")
    first = desk.window_process()
    assert first is not None
    first.kill()
    desk.ask("Hello.", session="meanwhile")
    until(lambda: (now := desk.window_process()) is not None and now.pid != first.pid, "another window")
    until(lambda: shows_menu(desk), "the menu again")
    assert desk.screen.windows(WINDOW) == []  # as it was: hidden
    desk.screen.press(OPEN)
    until(lambda: desk.screen.windows(WINDOW), "the window")
    second = desk.window_process()
    assert second is not None
    second.kill()
    second.wait(30)
    until(lambda: desk.screen.windows(WINDOW), "the window, which was open")


def test_a_window_that_dies_again_and_again_is_given_up_and_said(desk: Desk) -> None:
    desk.start("--hidden")
    desk.connect()
    for _ in range(4):
        until(desk.window_process, "the window's process").kill()
        until(lambda: not (now := desk.window_process()) or now.status() != "zombie", "its end")
    until(lambda: any("4 times" in each for each in desk.home.listing("status")["trouble"]), "the trouble")
    assert desk.window_process() is None
    desk.ask("Hello.", session="served")
    assert desk.second_start("--hidden") == 0
    until(lambda: shows_menu(desk), "the menu again")


def test_an_app_that_is_killed_takes_its_window_along_and_starts_again(desk: Desk) -> None:
    desk.start("--hidden")
    until(lambda: shows_menu(desk), "the menu")
    window = desk.window_process()
    assert window is not None
    desk.kill()
    window.wait(30)
    until(lambda: not shows_menu(desk), "an empty tray")
    desk.start("--hidden")
    until(lambda: shows_menu(desk), "the menu again")


def test_quitting_keeps_agents_served_and_the_next_start_brings_the_tray_back(desk: Desk) -> None:
    desk.start("--hidden")
    desk.connect()
    desk.ask("Hello.", session="s")
    desk.screen.press(QUIT)
    (dialog,) = until(lambda: desk.screen.windows("Quit MetaClaw Tray"), "the question")
    desk.screen.key(dialog, "Return")
    until(lambda: desk.window_process() is None, "the window's end")
    desk.ask("Hello again.", session="s")
    assert desk.second_start("--hidden") == 0
    until(lambda: shows_menu(desk), "the menu again")


def test_quitting_for_good_ends_the_app(desk: Desk) -> None:
    desk.start("--hidden")
    desk.screen.press(QUIT)
    (dialog,) = until(lambda: desk.screen.windows("Quit MetaClaw Tray"), "the question")
    desk.screen.key(dialog, "shift+Tab", "Return")
    process = desk.process
    assert process is not None
    assert process.wait(30) == 0


def test_what_the_menu_does_is_done(desk: Desk) -> None:
    desk.start("--hidden")
    desk.connect()
    desk.ask("Which way is north?", session="s")
    desk.screen.press("Observe only")
    until(lambda: "observe only" in desk.screen.menu()[1], "observing")
    assert desk.home.do("config", "get", "injection.enabled").strip().endswith("false")
    desk.screen.press("For 30 minutes")
    until(lambda: "learning rests until" in desk.screen.menu()[1], "the pause")
    assert desk.home.listing("status")["learning"].startswith("paused by you until")
    desk.screen.press("On")
    until(lambda: "learning rests" not in desk.screen.menu()[1], "the end of the pause")
    desk.screen.press(next(each for each in desk.screen.menu() if each.startswith("Last answer was right")))
    until(lambda: desk.home.listing("turns", "list")[0]["verdict"] == 1, "the thumb")
    ledger = [(row["action"], row["channel"]) for row in desk.home.listing("ledger", "list")]
    said = [("feedback", "tray"), ("resume", "tray"), ("pause", "tray"), ("settings", "tray")]
    assert ledger[: len(said)] == said


def test_started_as_the_session_would_it_is_only_an_icon(desk: Desk) -> None:
    desk.start("--hidden")
    desk.home.do("autostart", "on")
    place = desk.home.listing("autostart")["place"]
    assert place.startswith(desk.screen.env["HOME"])
    desk.stop()
    try:
        (line,) = [each for each in Path(place).read_text().splitlines() if each.startswith("Exec=")]
        words = shlex.split(line.removeprefix("Exec="))
        desk.start_by(words, {name: value for name, value in desk.env.items() if "METACLAW" not in name})
        until(lambda: shows_menu(desk), "the menu")
        assert desk.screen.windows(WINDOW) == []
        assert desk.home.listing("status")["home"] == str(desk.home.folder)
    finally:
        Path(place).unlink()


@pytest.mark.parametrize("late", [False, True])
def test_a_tray_of_the_older_kind_shows_the_icon_and_its_menu(
    tmp_path: Path, model: ScriptedLlm, late: bool
) -> None:
    with screen("xembed", tmp_path / "screen", "dunst") as old, Desk(tmp_path, old, model) as desk:
        if late:
            old.end_host()
        desk.start("--hidden")
        until(desk.window_process, "the window's process")
        if late:
            old.start_host()
        until(lambda: "metaclaw-tray" in tray_tree(old), "the icon in the tray")
        x, y = icon_place(old)
        old.run("xdotool", "mousemove", str(x), str(y), "click", "1")
        until(lambda: old.windows(WINDOW), "the window")


def tray_tree(old: Screen) -> str:
    """What the tray's window holds."""
    whole = old.run("xwininfo", "-root", "-tree")
    lines = whole.splitlines()
    at = next((number for number, line in enumerate(lines) if '"panel"' in line), None)
    return "\n".join(lines[at : at + 8]) if at is not None else ""


def icon_place(old: Screen) -> tuple[int, int]:
    """The middle of the icon, on the screen."""
    line = next(each for each in tray_tree(old).splitlines() if "metaclaw-tray" in each)
    size, place = line.split()[-2], line.split()[-1]
    width, height = (int(each) for each in size.split("+")[0].split("x"))
    _, x, y = place.split("+")
    return int(x) + width // 2, int(y) + height // 2
