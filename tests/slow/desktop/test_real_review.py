"""A proposal on a real desktop: told, read, decided, and there with the next exchange."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from slow.desktop.accessible import LAUNCHER, Reader, reader
from slow.desktop.desk import ASKED, Desk
from slow.desktop.popups import POPUP, lower_right
from slow.desktop.screen import Screen, needs_screen, screen, until
from support.processes import ScriptedLlm

pytestmark = [
    pytest.mark.slow,
    pytest.mark.shared,
    pytest.mark.timeout(300),
    needs_screen,
    pytest.mark.skipif(not LAUNCHER.exists(), reason="needs at-spi2-core"),
]

NAME = "Of money with the currency code"


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedLlm]:
    model = ScriptedLlm()
    yield model
    model.stop()


@pytest.fixture(scope="module")
def sni(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    with screen("sni", tmp_path_factory.mktemp("sni"), "xfce") as made:
        yield made


@pytest.fixture(scope="module")
def eyes(sni: Screen) -> Iterator[Reader]:
    with reader(sni) as made:
        yield made


@pytest.fixture
def desk(tmp_path: Path, sni: Screen, eyes: Reader, model: ScriptedLlm) -> Iterator[Desk]:
    with Desk(tmp_path, sni, model) as desk:
        desk.env |= eyes.env
        yield desk


def test_approved_from_the_menu_a_skill_is_in_the_next_exchange(desk: Desk, eyes: Reader) -> None:
    desk.start("--hidden")
    desk.connect()
    desk.teach()
    before = desk.generation
    until(lambda: "Review 1 new skill" in desk.screen.menu(), "the review in the menu")
    assert NAME in desk.screen.menu()
    desk.screen.press("Approve…")
    eyes.press("Approve")
    until(lambda: desk.generation == before + 1, "the next generation")
    assert desk.ask(ASKED, session="after")[1]
    until(lambda: NAME not in desk.screen.menu(), "the review gone from the menu")
    entry = desk.home.listing("ledger", "list")[0]
    assert (entry["action"], entry["channel"]) == ("approve", "window")


def test_rejecting_shows_the_whole_text_first(desk: Desk, eyes: Reader) -> None:
    desk.start("--hidden")
    desk.connect()
    desk.teach()
    desk.screen.press("Reject…")
    eyes.press("Reject")
    until(lambda: not desk.home.listing("review", "list"), "the end of the proposal")
    entry = desk.home.listing("ledger", "list")[0]
    assert (entry["action"], entry["channel"]) == ("reject", "tray")


def test_the_button_of_a_notification_opens_the_card(tmp_path: Path, model: ScriptedLlm) -> None:
    with (
        screen("sni", tmp_path / "screen", "xfce") as fresh,
        reader(fresh) as eyes,
        Desk(tmp_path, fresh, model) as desk,
    ):
        desk.env |= eyes.env
        desk.start("--hidden")
        desk.home.do("autostart", "on")  # so that this is not suggested meanwhile
        desk.connect()
        desk.teach()
        right, bottom = until(lambda: lower_right(fresh), "the notification")
        fresh.picture(tmp_path / "notification.png")
        left_of_two = str(right - 150), str(bottom - 32)
        fresh.run("xdotool", "mousemove", *left_of_two, "click", "1")
        until(lambda: eyes.find("Approve", "button"), "the card")
        desk.stop()
        until(lambda: not fresh.windows(POPUP), "the end of the notification")
        desk.start("--hidden")
        until(lambda: NAME in fresh.menu(), "the review in the menu")
        until(lambda: desk.home.listing("status")["uptime_seconds"] > 5, "the time to tell it once more")
        assert fresh.windows(POPUP) == []  # nothing is told twice
