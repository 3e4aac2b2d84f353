"""A proposal on a real desktop: told, read, decided, and there with the next exchange."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from slow.desktop.accessible import LAUNCHER, Reader, reader
from slow.desktop.desk import ASKED, Desk
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
    until(lambda: "Review 1 new skill(s)" in desk.screen.menu(), "the review in the menu")
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
    proposal = desk.teach()
    desk.screen.press("Reject…")
    eyes.press(f"Reject the proposal {proposal}")
    until(lambda: not desk.home.listing("review", "list"), "the end of the proposal")
    entry = desk.home.listing("ledger", "list")[0]
    assert (entry["action"], entry["channel"]) == ("reject", "tray")


def test_the_button_of_a_notification_opens_the_card(desk: Desk, eyes: Reader, tmp_path: Path) -> None:
    desk.start("--hidden")
    desk.home.do("autostart", "on")  # so that this is not suggested meanwhile
    desk.connect()
    desk.teach()
    popup = until(lambda: notifications(desk.screen), "the notification")
    desk.screen.picture(tmp_path / "notification.png")
    x, y = button_of(desk.screen, popup[0], tmp_path / "notification.png")
    desk.screen.run("xdotool", "mousemove", str(x), str(y), "click", "1")
    until(lambda: eyes.find("Approve", "button"), "the card")
    desk.stop()
    desk.start("--hidden")
    until(lambda: NAME in desk.screen.menu(), "the review in the menu")
    assert notifications(desk.screen) == []  # nothing is told twice


def notifications(of: Screen) -> list[str]:
    """The windows of notifications that tell of the skill."""
    return of.windows("xfce4-notifyd")


def button_of(of: Screen, window: str, picture: Path) -> tuple[int, int]:
    """The middle of the left one of the two buttons, which stand at the lower right."""
    shell = dict(
        line.split("=") for line in of.run("xdotool", "getwindowgeometry", "--shell", window).split()
    )
    right, bottom = int(shell["X"]) + int(shell["WIDTH"]), int(shell["Y"]) + int(shell["HEIGHT"])
    return right - 150, bottom - 32
