"""The icon's states differ by shape, at each size and on each panel."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtGui import QColor, QImage

from metaclaw_tray.desktop.tray.picture import SIZES, paint, tray_icon
from metaclaw_tray.desktop.tray.state import State

STATES = list(State)


def shape(image: QImage) -> list[bool]:
    """Where there is anything at all, whatever its colour."""
    size = image.width()
    return [image.pixelColor(x, y).alpha() > 127 for y in range(size) for x in range(size)]


def grey(image: QImage) -> list[int]:
    size = image.width()
    return [image.pixelColor(x, y).lightness() for y in range(size) for x in range(size)]


@pytest.mark.parametrize("size", [16, 22, 32])
@pytest.mark.parametrize("dark", [False, True])
def test_no_two_states_have_the_same_shape(qapp: object, size: int, dark: bool) -> None:
    drawn = {state: shape(paint(state, 1, size, dark=dark)) for state in STATES}
    for one, other in combinations(STATES, 2):
        differing = sum(a != b for a, b in zip(drawn[one], drawn[other], strict=True))
        assert differing >= 0.02 * size * size, (one, other)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("state", STATES)
def test_it_stands_out_on_a_light_and_on_a_dark_panel(qapp: object, state: State, dark: bool) -> None:
    image = paint(state, 2, 32, dark=dark)
    solid = [each for each, there in zip(grey(image), shape(image), strict=True) if there]
    middle = sum(solid) / len(solid)
    assert 60 < middle < 215


def test_the_number_is_read_where_there_is_room(qapp: object) -> None:
    assert paint(State.ATTENTION, 2, 32) != paint(State.ATTENTION, 3, 32)
    assert paint(State.ATTENTION, 2, 16) == paint(State.ATTENTION, 3, 16)


def test_it_is_there_at_the_sizes_of_panels_and_twice_those(qapp: object) -> None:
    icon = tray_icon(State.SERVING)
    assert sorted(each.width() for each in icon.availableSizes()) == sorted(SIZES)
    assert {16, 22, 24, 32, 44, 48, 64} <= set(SIZES)


def test_corners_are_clear(qapp: object) -> None:
    assert paint(State.SERVING, 0, 32).pixelColor(0, 0) == QColor(0, 0, 0, 0)
